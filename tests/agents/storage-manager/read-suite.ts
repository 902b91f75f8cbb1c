import { expect, it } from 'vitest';
import { HOSTILE_PATHS } from '../shared/hostile-paths.js';
import { baseOf, expectRefused, factsOf, toolsOf, type Scope } from './storage-scopes.js';

/** Tests of both read tools. */
export function readSuite(scope: Scope): void {
  it('returns a small file with its size and hash, and invisible characters as markers', async () => {
    const { write, read } = toolsOf(scope);
    const text = '\uFEFF# Plan 工作 😀\r\nline two\u2028\u0000 end';
    await write({ path: 'a/plan.md', content: text });
    expect(await read({ path: 'a/plan.md' })).toEqual({
      content: '⟨U+FEFF⟩# Plan 工作 😀\r\nline two⟨U+2028⟩⟨U+0000⟩ end',
      ...(await factsOf(text)),
    });
  });

  it('returns a long file in parts without splitting characters', async () => {
    const { write, read } = toolsOf(scope);
    const text = 'a😀b工😀😀'.repeat(5000);
    await write({ path: 'long.md', content: text });
    expect(await read({ path: 'long.md' })).toMatchObject({
      nextOffset: 19_999,
      ...(await factsOf(text)),
    });
    for (const limit of [1, 2, 7, 9999]) {
      const parts: string[] = [];
      let next: number | undefined = 44_901;
      while (next !== undefined) {
        const part: { content: string; nextOffset?: number } = await read({
          path: 'long.md',
          offset: next,
          limit,
        });
        expect(part.content).not.toMatch(/\p{Surrogate}/u);
        parts.push(part.content);
        next = part.nextOffset;
      }
      expect(parts.join('')).toBe(text.slice(44_901));
    }
    expect((await read({ path: 'long.md', offset: 2, limit: 1 })).content).toBe('😀');
    expect((await read({ path: 'long.md', offset: 999_999 })).content).toBe('');
  });

  it('refuses more than 100,000 characters at a time', async () => {
    expect(await toolsOf(scope).readError({ path: 'x.md', limit: 100_001 })).toContain(
      '"limit" must be an integer from 1 to 100000',
    );
  });

  it('refuses an unknown file and suggests a similar one', async () => {
    const { write, readError } = toolsOf(scope);
    await write({ path: 'Notes/Plan.md', content: 'x' });
    expect(await readError({ path: 'Notes/Other.md' })).toBe(
      `File "Notes/Other.md" not found. Use ${scope}StorageList to see the files.`,
    );
    expect(await readError({ path: 'notes/Plan.md' })).toMatch(
      /not found\..* Did you mean "Notes"\?$/,
    );
    expect(await readError({ path: 'Notes/plan.md' })).toMatch(
      /not found\..* Did you mean "Notes\/Plan\.md"\?$/,
    );
  });

  it('refuses a folder, a binary file and a large file', async () => {
    const { vault, write, readError } = toolsOf(scope);
    await write({ path: 'a/b.md', content: 'x' });
    vault.files.put(`${baseOf(scope)}/picture.png`, Uint8Array.of(0x89, 0x50, 0x4e, 0x47));
    vault.files.put(`${baseOf(scope)}/big.txt`, new Uint8Array(4 * 1024 * 1024 + 1));
    expect(await readError({ path: 'a' })).toBe('"a" is a folder. Pass the path of a file in it.');
    expect(await readError({ path: 'picture.png' })).toContain('"picture.png" is not UTF-8 text.');
    expect(await readError({ path: 'big.txt' })).toContain(
      '"big.txt" is 4.1 MB. The limit is 4 MB.',
    );
  });

  it('finds a file by its name in any encoding of accents', async () => {
    const { vault, read } = toolsOf(scope);
    vault.files.put(`${baseOf(scope)}/cafe\u0301.md`, 'x');
    expect((await read({ path: 'caf\u00e9.md' })).content).toBe('x');
  });

  it('refuses every hostile path with the reason', async () => {
    const { vault, readError } = toolsOf(scope);
    vault.files.put('secret.md', 'secret');
    for (const [path, said] of HOSTILE_PATHS)
      await expectRefused(vault, () => readError({ path }), said);
  });
}
