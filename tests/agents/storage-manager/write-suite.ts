import { expect, it } from 'vitest';
import { GOOD_PATHS, HOSTILE_PATHS } from '../shared/hostile-paths.js';
import { createTestVault } from '../../fakes/test-vault.js';
import { baseOf, expectRefused, factsOf, toolsOf, type Scope } from './storage-scopes.js';
import { inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('files of 4 MB'));

const REFUSED = 'Read-only.';

/** Tests of both write tools. */
export function writeSuite(scope: Scope): void {
  it('writes a plain file and returns its size and hash', async () => {
    const { vault, write } = toolsOf(scope);
    expect(await write({ path: 'notes/plan.md', content: 'Dig 工作.' })).toEqual(
      await factsOf('Dig 工作.'),
    );
    expect(vault.files.text(`${baseOf(scope)}/notes/plan.md`)).toBe('Dig 工作.');
  });

  it('only creates new files by default', async () => {
    const { write, writeError, read } = toolsOf(scope);
    await write({ path: 'a.md', content: 'one' });
    for (const mode of [undefined, 'create'])
      expect(await writeError({ path: 'a.md', content: 'two', mode })).toBe(
        'File "a.md" already exists. Use mode "overwrite" or "append", or another path.',
      );
    expect(await write({ path: 'a.md', content: ' two', mode: 'append' })).toEqual(
      await factsOf('one two'),
    );
    expect(await write({ path: 'a.md', content: 'three', mode: 'overwrite' })).toEqual(
      await factsOf('three'),
    );
    expect((await read({ path: 'a.md' })).content).toBe('three');
    expect(await write({ path: 'b.md', content: '', mode: 'append' })).toEqual(await factsOf(''));
    expect(await write({ path: 'c.md', content: 'new', mode: 'overwrite' })).toEqual(
      await factsOf('new'),
    );
  });

  it('refuses an outdated expectedSha in every mode', async () => {
    const { write, writeError, read } = toolsOf(scope);
    const { sha256 } = await write({ path: 'a.md', content: 'one' });
    const now = await write({
      path: 'a.md',
      content: 'two',
      mode: 'overwrite',
      expectedSha: sha256.toUpperCase(),
    });
    for (const mode of ['overwrite', 'append', 'create'])
      expect(await writeError({ path: 'a.md', content: 'lost', mode, expectedSha: sha256 })).toBe(
        'File "a.md" does not match expectedSha: it was changed or removed since. Read it again, then retry with the sha256 from that answer.',
      );
    expect(await writeError({ path: 'gone.md', content: 'x', expectedSha: sha256 })).toContain(
      'does not match expectedSha',
    );
    expect((await read({ path: 'a.md' })).content).toBe('two');
    await write({ path: 'a.md', content: '!', mode: 'append', expectedSha: now.sha256 });
    expect((await read({ path: 'a.md' })).content).toBe('two!');
  });

  it('loses no concurrent append', async () => {
    const { write, read } = toolsOf(scope);
    await Promise.all(
      Array.from({ length: 20 }, () => write({ path: 'a.md', content: 'x', mode: 'append' })),
    );
    expect((await read({ path: 'a.md' })).content).toBe('x'.repeat(20));
  });

  it('refuses an invalid expectedSha', async () => {
    const error = await toolsOf(scope).writeError({
      path: 'a.md',
      content: 'x',
      expectedSha: 'abc',
    });
    expect(error).toBe(
      '"expectedSha" is not a SHA-256; pass the 64 hex digits from the last read.',
    );
  });

  itInFull('writes at most 1 MB per call and 4 MB per file', async () => {
    const { vault, write, writeError } = toolsOf(scope);
    const most = 'x'.repeat(1024 * 1024);
    await expectRefused(
      vault,
      () => writeError({ path: 'a.md', content: `${'ü'.repeat(1024 * 512)}x` }),
      '"content" is 1.1 MB; one call writes at most 1 MB',
    );
    for (let times = 0; times < 4; times++)
      await write({ path: 'a.md', content: most, mode: 'append' });
    await expectRefused(
      vault,
      () => writeError({ path: 'a.md', content: 'x', mode: 'append' }),
      'File "a.md" would be 4.1 MB. A file can be at most 4 MB.',
    );
    vault.files.put(`${baseOf(scope)}/big.txt`, new Uint8Array(4 * 1024 * 1024 + 1));
    expect(await writeError({ path: 'big.txt', content: 'x', mode: 'overwrite' })).toContain(
      '"big.txt" is 4.1 MB.',
    );
  });

  it('refuses to append to a binary file, but can overwrite it', async () => {
    const { vault, write, writeError } = toolsOf(scope);
    vault.files.put(`${baseOf(scope)}/x.bin`, Uint8Array.of(0xff, 0xfe));
    expect(await writeError({ path: 'x.bin', content: 'x', mode: 'append' })).toContain(
      '"x.bin" is not UTF-8 text.',
    );
    expect(await write({ path: 'x.bin', content: 'x', mode: 'overwrite' })).toEqual(
      await factsOf('x'),
    );
  });

  it('refuses names that some devices do not distinguish', async () => {
    const { vault, write, writeError } = toolsOf(scope);
    await write({ path: 'Notes/Plan.md', content: 'x' });
    await write({ path: 'caf\u00e9.md', content: 'x' });
    for (const [path, other] of [
      ['Notes/PLAN.md', 'Notes/Plan.md'],
      ['notes/New.md', 'Notes'],
      ['Notes/Ｐlan.md', 'Notes/Plan.md'],
    ] as const)
      for (const mode of ['create', 'overwrite', 'append'])
        await expectRefused(
          vault,
          () => writeError({ path, content: 'y', mode }),
          `"${path}" and the existing "${other}" would be the same file on some devices.`,
        );
    expect(await writeError({ path: 'cafe\u0301.md', content: 'y' })).toContain('already exists');
    await write({ path: 'cafe\u0301.md', content: 'y', mode: 'overwrite' });
    expect(vault.files.paths().filter((path) => path.includes('caf'))).toEqual([
      `${baseOf(scope)}/caf\u00e9.md`,
    ]);
  });

  it('creates only one of two colliding names written concurrently', async () => {
    const { vault } = toolsOf(scope);
    const calls = ['Plan.md', 'plan.md'].map((path) =>
      vault.call(`${scope}StorageWrite`, { path, content: path, mode: 'overwrite' }),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(vault.files.paths().filter((path) => path.includes('/files/'))).toHaveLength(1);
  });

  it('refuses to write a folder or below a file', async () => {
    const { vault, write, writeError } = toolsOf(scope);
    await write({ path: 'a/b.md', content: 'x' });
    await expectRefused(
      vault,
      () => writeError({ path: 'a', content: 'y', mode: 'overwrite' }),
      '"a" is a folder.',
    );
    await expectRefused(
      vault,
      () => writeError({ path: 'a/b.md/c.md', content: 'y' }),
      'is a file, not a folder',
    );
  });

  it('refuses every hostile path, and accepts every valid one', async () => {
    const { vault, write, writeError, read } = toolsOf(scope);
    for (const [path, said] of HOSTILE_PATHS)
      await expectRefused(vault, () => writeError({ path, content: 'x' }), said);
    for (const path of GOOD_PATHS) {
      await write({ path, content: path, mode: 'overwrite' });
      expect((await read({ path })).content).toBe(path);
    }
    expect(
      vault.files
        .paths()
        .filter((path) => path.includes('/files/') && !path.startsWith(`${baseOf(scope)}/`)),
    ).toEqual([]);
  });

  it('refuses text with a lone surrogate', async () => {
    expect(await toolsOf(scope).writeError({ path: 'a.md', content: 'x\ud800' })).toContain(
      'half a character',
    );
  });

  it('writes nothing on a read-only connection', async () => {
    const vault = createTestVault({
      refuse: ({ access }) => Promise.resolve(access === 'read' ? undefined : REFUSED),
    });
    const { writeError, list } = toolsOf(scope, vault);
    await expectRefused(vault, () => writeError({ path: 'a.md', content: 'x' }), REFUSED);
    expect(await list()).toEqual([]);
  });
}
