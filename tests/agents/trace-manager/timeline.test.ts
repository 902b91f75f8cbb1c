import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Row {
  id: string;
  kind: string;
  createdAt: string;
  content: string;
  name?: string;
  tool?: string;
  outcome?: string;
  session?: string;
}

const read = async (vault: TestVault, params: Record<string, unknown> = {}, session?: string) =>
  (await vault.data('timeline', params, session === undefined ? {} : { session })) as Row[];
const words = (rows: readonly Row[]) => rows.map(({ name, content }) => name ?? content);

const LOGGED_KINDS = ['observation', 'execution', 'quality_gate', 'error_pattern', 'delegation'];

/** Writes the given states and traces, one per minute. */
async function tell(vault: TestVault, ...steps: readonly string[]): Promise<void> {
  for (const step of steps) {
    vault.clock.advance(60_000);
    if (step.startsWith('state')) await vault.data('createState', stateNamed(step));
    else await vault.data('logTrace', { kind: 'observation', content: step });
    await vault.idle();
  }
}

describe('timeline', () => {
  it('lists states, calls and traces, oldest first', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Beds drawn', { description: 'Three beds' }));
    await vault.idle();
    await vault.data('logTrace', {
      kind: 'execution',
      content: 'Dug the first bed',
      outcome: 'done',
      files: ['Bed.md'],
      context: { goal: 'Dig' },
    });
    await vault.call('loadState', { name: 'Nothing' });
    await vault.idle();
    const rows = await read(vault);
    expect(rows.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^s[a-z2-9]{5}$/) as string,
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^t[0-9a-f]{6}$/) as string),
    ]);
    expect(rows).toEqual([
      {
        kind: 'state',
        id: rows[0]?.id,
        createdAt: rows[0]?.createdAt,
        name: 'Beds drawn',
        content: 'Three beds',
      },
      {
        kind: 'tool_call',
        id: rows[1]?.id,
        createdAt: rows[1]?.createdAt,
        tool: 'createState',
        content: expect.stringContaining('Beds drawn') as string,
        session: 'session',
      },
      {
        kind: 'execution',
        id: rows[2]?.id,
        createdAt: rows[2]?.createdAt,
        content: 'Dug the first bed',
        outcome: 'done',
        files: ['Bed.md'],
        goal: 'Dig',
        session: 'session',
      },
      {
        kind: 'tool_call',
        id: rows[3]?.id,
        createdAt: rows[3]?.createdAt,
        tool: 'loadState',
        content: '{"name":"Nothing"}',
        outcome: expect.stringContaining('not found') as string,
        session: 'session',
      },
    ]);
  });

  it('lists rows around a state', async () => {
    const vault = createTestVault();
    await tell(vault, 'a', 'b', 'state one', 'c', 'd');
    const kinds = ['state', ...LOGGED_KINDS];
    expect(words(await read(vault, { around: 'State One', before: 1, after: 2, kinds }))).toEqual([
      'b',
      'state one',
      'c',
    ]);
    expect(words(await read(vault, { around: 'state one', before: 0, after: 50, kinds }))).toEqual([
      'state one',
      'c',
      'd',
    ]);
    expect(words(await read(vault, { around: 'state one', before: 50, after: 0, kinds }))).toEqual([
      'a',
      'b',
    ]);
    expect(words(await read(vault, { before: 2, kinds }))).toEqual(['c', 'd']);
  });

  it('lists rows around a time, and treats a date as the start of the day', async () => {
    const vault = createTestVault();
    await tell(vault, 'a', 'b', 'c');
    const [, second] = await read(vault, { kinds: LOGGED_KINDS });
    const at = second!.createdAt;
    expect(
      words(await read(vault, { around: at, before: 1, after: 1, kinds: LOGGED_KINDS })),
    ).toEqual(['a', 'b']);
    expect(
      words(
        await read(vault, { around: at.slice(0, 10), before: 5, after: 1, kinds: LOGGED_KINDS }),
      ),
    ).toEqual(['a']);
    expect(
      words(await read(vault, { around: '2100-01-01', before: 1, kinds: LOGGED_KINDS })),
    ).toEqual(['c']);
  });

  it('refuses an unknown point, and suggests similar states', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Beds drawn'));
    expect(await vault.error('timeline', { around: 'Beds draw' })).toBe(
      '"Beds draw" is neither a time nor a state. Pass a time like "2026-11-20T09:30:00Z", or a state from listStates. Did you mean "Beds drawn"?',
    );
    expect(await vault.error('timeline', { around: '2026-02-31' })).toContain(
      'neither a time nor a state',
    );
  });

  it('lists a single session, without states', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('One'), { session: 'a' });
    await vault.data('logTrace', { kind: 'observation', content: 'of b' }, { session: 'b' });
    await vault.idle();
    expect(words(await read(vault, { session: 'b' }, 'c'))).toEqual(['of b']);
    expect((await read(vault, { session: 'a' }, 'c')).map(({ tool }) => tool)).toEqual([
      'createState',
    ]);
  });

  it('omits archived states and other workspaces', async () => {
    const vault = createTestVault();
    await tell(vault, 'state one', 'state two');
    await vault.data('archiveState', { name: 'state one' });
    expect(words(await read(vault, { kinds: ['state'] }))).toEqual(['state two']);
    const other = { name: 'Other', description: '', rootFolder: 'Other', purpose: 'x' };
    await vault.data('createWorkspace', { ...other, description: 'y' });
    expect(await read(vault, { kinds: ['state', ...LOGGED_KINDS] })).toEqual([]);
  });

  it('adds a notice if the scan is truncated', async () => {
    const vault = createTestVault();
    await vault.data('logTrace', { kind: 'delegation', content: 'the first' });
    const write = (at: number) =>
      vault.log.writeTrace({
        t: 'trace.new',
        e: `t${at}`,
        d: {
          ws: 'default',
          session: 's',
          toolset: 'a',
          tool: 't',
          input: '',
          outcome: 'ok',
          ok: true,
        },
      });
    await Promise.all(Array.from({ length: 5100 }, (_, at) => write(at)));
    const answer = await vault.call('timeline', { kinds: ['delegation'] });
    expect(answer).toMatchObject({
      success: true,
      data: [],
      notice: expect.stringContaining('5000') as string,
    });
    expect(await vault.call('timeline', { kinds: ['tool_call'], before: 3 })).not.toHaveProperty(
      'notice',
    );
  });

  it('returns the correct window for any order of states and traces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 12 }),
        fc.nat({ max: 12 }),
        fc.nat({ max: 11 }),
        async (areStates, before, after, at) => {
          const vault = createTestVault();
          const all = areStates.map((isState, index) => `${isState ? 'state' : 'trace'} ${index}`);
          await tell(vault, ...all);
          const kinds = ['state', ...LOGGED_KINDS];
          const whole = await read(vault, { before: 100, kinds });
          expect(words(whole)).toEqual(all);
          const pivot = at % all.length;
          const around = whole[pivot]!.name ?? whole[pivot]!.createdAt;
          const window = words(await read(vault, { around, before, after, kinds }));
          expect(window).toEqual(all.slice(Math.max(0, pivot - before), pivot + after));
        },
      ),
      { numRuns: 25 },
    );
  });
});
