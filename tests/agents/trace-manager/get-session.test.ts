import { describe, expect, it } from 'vitest';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Answer {
  timeline: { id: string; content: string; name?: string; files?: string[] }[];
}

async function log(vault: TestVault, session: string, content: string): Promise<void> {
  vault.clock.advance(60_000);
  await vault.data('logTrace', { kind: 'observation', content }, { session });
  await vault.idle();
}

const read = async (vault: TestVault, params: Record<string, unknown>, session?: string) =>
  (await vault.data('getSession', params, session === undefined ? {} : { session })) as Answer;

describe('getSession', () => {
  it('lists the calls and states of one session, oldest first', async () => {
    const vault = createTestVault();
    await log(vault, 'monday', 'One');
    await log(vault, 'tuesday', 'Two');
    vault.clock.advance(60_000);
    await vault.data('createState', stateNamed('Outline'), { session: 'monday' });
    await vault.idle();
    await log(vault, 'monday', 'Three');
    const answer = await read(vault, { session: 'monday' });
    expect(answer).toMatchObject({ session: 'monday', calls: 3, states: ['Outline'] });
    expect(answer.timeline.map(({ name, content }) => name ?? content.slice(0, 8))).toEqual([
      'One',
      'Outline',
      '{"name":',
      'Three',
    ]);
    expect(answer.timeline[0]).toEqual({
      id: expect.stringMatching(/^t/) as string,
      kind: 'observation',
      createdAt: '2026-11-20T09:01:00.000Z',
      content: 'One',
    });
  });

  it('is this session by default', async () => {
    const vault = createTestVault();
    await log(vault, 'monday', 'One');
    expect(await read(vault, {}, 'monday')).toMatchObject({ session: 'monday' });
  });

  it('accepts the start of an id if only one session has it', async () => {
    const vault = createTestVault();
    for (const session of ['abc1', 'abc2', 'abd']) await log(vault, session, session);
    expect(await read(vault, { session: 'abd' })).toMatchObject({ session: 'abd' });
    expect(await vault.error('getSession', { session: 'abc' })).toBe(
      'Session "abc" is ambiguous: "abc2", "abc1". Use one of these ids.',
    );
    expect(await vault.error('getSession', { session: 'x' })).toBe(
      'Session "x" has made no calls in this workspace. Use listSessions to see the sessions.',
    );
  });

  it('prefers a whole id to a start', async () => {
    const vault = createTestVault();
    for (const session of ['abc1', 'abc']) await log(vault, session, session);
    expect(await read(vault, { session: 'abc' })).toMatchObject({ session: 'abc' });
  });

  it('lists the last entries and says how to get the others', async () => {
    const vault = createTestVault();
    for (const content of ['One', 'Two', 'Three']) await log(vault, 'monday', content);
    const answer = await vault.call('getSession', { session: 'monday', limit: 2 });
    expect(answer).toMatchObject({
      data: { timeline: [{ content: 'Two' }, { content: 'Three' }] },
      notice:
        'These are the last 2 of 3 entries. Use timeline with this session and an earlier "around" for the others.',
    });
  });

  it('fits a hundred long entries into an answer, which getMemory completes', async () => {
    const vault = createTestVault();
    const files = Array.from({ length: 20 }, (_, at) => `Chapter ${at}.md`);
    const content = `Long ${'word '.repeat(350)}`;
    for (let at = 0; at < 100; at++)
      await vault.data('logTrace', { kind: 'observation', content, files, outcome: 'ok' });
    const answer = await vault.call('getSession', { limit: 100 });
    expect(answer).not.toHaveProperty('notice');
    const { timeline } = (answer as unknown as { data: Answer }).data;
    expect(timeline).toHaveLength(100);
    expect(timeline[7]!.files).toHaveLength(5);
    expect(await vault.data('getMemory', { id: timeline[7]!.id })).toMatchObject({
      content,
      files,
    });
  });
});
