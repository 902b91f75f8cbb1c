import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Row {
  session: string;
  firstCall: string;
  lastCall: string;
}

async function log(vault: TestVault, session: string, content: string): Promise<void> {
  vault.clock.advance(60_000);
  await vault.data('logTrace', { kind: 'observation', content }, { session });
  await vault.idle();
}

const list = async (vault: TestVault, params: Record<string, unknown> = {}) =>
  (await vault.data('listSessions', params, { session: 'reader' })) as Row[];

describe('listSessions', () => {
  it('counts the calls and names the states of each session, latest first', async () => {
    const vault = createTestVault();
    await log(vault, 'monday', 'Read chapter one');
    const defaults = { sessionId: 'monday', client: 'claude-code' };
    await vault.call('createState', stateNamed('Outline'), { defaults });
    await vault.idle();
    await vault.call('loadState', { name: 'Nothing' }, { defaults });
    await vault.idle();
    await log(vault, 'tuesday', 'Read chapter two');
    const rows = await list(vault);
    expect(rows).toEqual([
      {
        session: 'tuesday',
        firstCall: rows[0]?.firstCall,
        lastCall: rows[0]?.firstCall,
        calls: 1,
      },
      {
        session: 'monday',
        client: 'Claude Code',
        firstCall: '2026-11-20T09:01:00.000Z',
        lastCall: '2026-11-20T09:01:00.000Z',
        calls: 3,
        failed: 1,
        states: ['Outline'],
      },
    ]);
    expect(rows[0]!.firstCall > rows[1]!.lastCall).toBe(true);
  });

  it('lists a session of which only the state is left', async () => {
    const vault = createTestVault();
    const refuse = { writeTrace: () => Promise.reject(new Error('No traces')) };
    Object.assign(vault.toolkit.host, refuse);
    await vault.data('createState', stateNamed('Outline'), { session: 'old' });
    expect(await list(vault)).toMatchObject([
      { session: 'old', client: 'Test', calls: 0, states: ['Outline'] },
    ]);
  });

  it('omits archived states and other workspaces', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Outline'), { session: 'monday' });
    await vault.data('archiveState', { name: 'Outline' }, { session: 'monday' });
    await vault.data('createWorkspace', garden, { session: 'monday' });
    await vault.idle();
    expect(await list(vault)).toEqual([expect.not.objectContaining({ states: ['Outline'] })]);
    expect(await list(vault, { context: { workspaceId: 'Garden' } })).toEqual([]);
  });

  it('has pages', async () => {
    const vault = createTestVault();
    for (const session of ['a', 'b', 'c', 'd']) await log(vault, session, 'x');
    const first = await vault.call('listSessions', { limit: 3 }, { session: 'd' });
    expect(first).toMatchObject({
      data: [{ session: 'd' }, { session: 'c' }, { session: 'b' }],
      more: { total: 4, after: 'b' },
    });
    expect(await vault.call('listSessions', { after: 'b' }, { session: 'd' })).toMatchObject({
      data: [{ session: 'a' }],
    });
    expect(await vault.error('listSessions', { after: 'z' })).toBe(
      'Session "z" has made no calls in this workspace. Use listSessions to see the sessions.',
    );
  });

  it('lists the newest ten states of a session, with their number', async () => {
    const vault = createTestVault();
    for (let at = 1; at <= 12; at++) {
      vault.clock.advance(1000);
      await vault.data('createState', stateNamed(`Plan ${at}`), { session: 'monday' });
    }
    const [row] = (await list(vault)) as unknown as { states: string[]; totalStates: number }[];
    expect(row?.states).toHaveLength(10);
    expect([row?.states[0], row?.totalStates]).toEqual(['Plan 12', 12]);
  });

  it('says so if not all calls were read', async () => {
    const vault = createTestVault();
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
    await Promise.all(Array.from({ length: 5001 }, (_, at) => write(at)));
    expect(await vault.call('listSessions', {})).toMatchObject({
      data: [{ session: 's', calls: 5000 }],
      notice: 'Only the newest 5000 calls and states were read; earlier ones are not counted.',
    });
  });
});
