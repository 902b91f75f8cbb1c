import { describe, expect, it } from 'vitest';
import { newestOnly } from '../../../src/obsidian/ui/newest-only.js';

/** A search whose results the test resolves by hand. */
function searchByHand() {
  const open = new Map<
    string,
    { resolve: (found: string) => void; reject: (error: Error) => void; signal: AbortSignal }
  >();
  const find = newestOnly(
    (query, signal) =>
      new Promise<string>((resolve, reject) => void open.set(query, { resolve, reject, signal })),
  );
  return { find, of: (query: string) => open.get(query)! };
}

describe('newestOnly', () => {
  it('gives every superseded caller the newest result, in any arrival order', async () => {
    const { find, of } = searchByHand();
    const answers = [find('a'), find('ab'), find('abc')];
    of('abc').resolve('found abc');
    of('a').resolve('found a');
    of('ab').resolve('found ab');
    expect(await Promise.all(answers)).toEqual(['found abc', 'found abc', 'found abc']);
  });

  it('aborts a search that a newer search supersedes', () => {
    const { find, of } = searchByHand();
    void find('a');
    expect(of('a').signal.aborted).toBe(false);
    void find('ab');
    expect([of('a').signal.aborted, of('ab').signal.aborted]).toEqual([true, false]);
  });

  it('rejects only if the newest search fails', async () => {
    const { find, of } = searchByHand();
    const [first, second] = [find('a'), find('ab')];
    of('a').reject(new Error('gone'));
    of('ab').resolve('found ab');
    expect(await first).toBe('found ab');
    expect(await second).toBe('found ab');
    const third = find('abc');
    of('abc').reject(new Error('broken'));
    await expect(third).rejects.toThrow('broken');
  });
});
