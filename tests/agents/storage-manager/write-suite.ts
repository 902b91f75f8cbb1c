import { expect, it } from 'vitest';
import { GOOD_PATHS, HOSTILE_PATHS } from '../shared/hostile-paths.js';
import { createTestVault } from '../../fakes/test-vault.js';
import { baseOf, expectRefused, factsOf, toolsOf, type Side } from './sides.js';

const REFUSED = 'Read-only.';

/** What writing does on either side. */
export function writeSuite(side: Side): void {
  it('writes a plain file that a person can read, and answers its size and hash', async () => {
    const { vault, write } = toolsOf(side);
    expect(await write({ path: 'notes/plan.md', content: 'Dig 工作.' })).toEqual(
      await factsOf('Dig 工作.'),
    );
    expect(vault.files.text(`${baseOf(side)}/notes/plan.md`)).toBe('Dig 工作.');
  });

  it('makes new files only, unless another mode is given', async () => {
    const { write, writeError, read } = toolsOf(side);
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

  it('lets only one of two that have read the same write, in each mode', async () => {
    const { write, writeError, read } = toolsOf(side);
    const { sha256 } = await write({ path: 'a.md', content: 'one' });
    const now = await write({
      path: 'a.md',
      content: 'two',
      mode: 'overwrite',
      expectedSha: sha256.toUpperCase(),
    });
    for (const mode of ['overwrite', 'append', 'create'])
      expect(await writeError({ path: 'a.md', content: 'lost', mode, expectedSha: sha256 })).toBe(
        'File "a.md" is not as expectedSha says: it was changed or removed since. Read it again, and write with the sha256 that you are answered then.',
      );
    expect(await writeError({ path: 'gone.md', content: 'x', expectedSha: sha256 })).toContain(
      'is not as expectedSha says',
    );
    expect((await read({ path: 'a.md' })).content).toBe('two');
    await write({ path: 'a.md', content: '!', mode: 'append', expectedSha: now.sha256 });
    expect((await read({ path: 'a.md' })).content).toBe('two!');
  });

  it('lets many calls at once append, and loses none', async () => {
    const { write, read } = toolsOf(side);
    await Promise.all(
      Array.from({ length: 20 }, () => write({ path: 'a.md', content: 'x', mode: 'append' })),
    );
    expect((await read({ path: 'a.md' })).content).toBe('x'.repeat(20));
  });

  it('refuses an expectedSha that is none', async () => {
    const error = await toolsOf(side).writeError({
      path: 'a.md',
      content: 'x',
      expectedSha: 'abc',
    });
    expect(error).toBe(
      '"expectedSha" is no SHA-256; give the 64 hex digits that reading the file has answered.',
    );
  });

  it('writes at most 1 MB at a time, and 4 MB into a file', async () => {
    const { vault, write, writeError } = toolsOf(side);
    const most = 'x'.repeat(1024 * 1024);
    await expectRefused(
      vault,
      () => writeError({ path: 'a.md', content: `${'ü'.repeat(1024 * 512)}x` }),
      '"content" has 1.1 MB; one call writes at most 1 MB',
    );
    for (let times = 0; times < 4; times++)
      await write({ path: 'a.md', content: most, mode: 'append' });
    await expectRefused(
      vault,
      () => writeError({ path: 'a.md', content: 'x', mode: 'append' }),
      'File "a.md" would have 4.1 MB. A file holds at most 4 MB.',
    );
    vault.files.put(`${baseOf(side)}/big.txt`, new Uint8Array(4 * 1024 * 1024 + 1));
    expect(await writeError({ path: 'big.txt', content: 'x', mode: 'overwrite' })).toContain(
      '"big.txt" has 4.1 MB.',
    );
  });

  it('appends to no file that is no text, but may overwrite it', async () => {
    const { vault, write, writeError } = toolsOf(side);
    vault.files.put(`${baseOf(side)}/x.bin`, Uint8Array.of(0xff, 0xfe));
    expect(await writeError({ path: 'x.bin', content: 'x', mode: 'append' })).toContain(
      '"x.bin" is no UTF-8 text.',
    );
    expect(await write({ path: 'x.bin', content: 'x', mode: 'overwrite' })).toEqual(
      await factsOf('x'),
    );
  });

  it('makes no file that some device would take for another', async () => {
    const { vault, write, writeError } = toolsOf(side);
    await write({ path: 'Notes/Plan.md', content: 'x' });
    await write({ path: 'caf\u00e9.md', content: 'x' });
    for (const [path, twin] of [
      ['Notes/PLAN.md', 'Notes/Plan.md'],
      ['notes/New.md', 'Notes'],
      ['Notes/Ｐlan.md', 'Notes/Plan.md'],
    ] as const)
      for (const mode of ['create', 'overwrite', 'append'])
        await expectRefused(
          vault,
          () => writeError({ path, content: 'y', mode }),
          `"${path}" and "${twin}", which is there, would be one file on some devices.`,
        );
    expect(await writeError({ path: 'cafe\u0301.md', content: 'y' })).toContain('already exists');
    await write({ path: 'cafe\u0301.md', content: 'y', mode: 'overwrite' });
    expect(vault.files.paths().filter((path) => path.includes('caf'))).toEqual([
      `${baseOf(side)}/caf\u00e9.md`,
    ]);
  });

  it('makes no second of two twins that are written at once', async () => {
    const { vault } = toolsOf(side);
    const calls = ['Plan.md', 'plan.md'].map((path) =>
      vault.call(`${side}StorageWrite`, { path, content: path, mode: 'overwrite' }),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(vault.files.paths().filter((path) => path.includes('/files/'))).toHaveLength(1);
  });

  it('writes no folder, and nothing below a file', async () => {
    const { vault, write, writeError } = toolsOf(side);
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

  it('refuses every hostile path with the reason, and takes every good one', async () => {
    const { vault, write, writeError, read } = toolsOf(side);
    for (const [path, said] of HOSTILE_PATHS)
      await expectRefused(vault, () => writeError({ path, content: 'x' }), said);
    for (const path of GOOD_PATHS) {
      await write({ path, content: path, mode: 'overwrite' });
      expect((await read({ path })).content).toBe(path);
    }
    expect(
      vault.files
        .paths()
        .filter((path) => path.includes('/files/') && !path.startsWith(`${baseOf(side)}/`)),
    ).toEqual([]);
  });

  it('refuses text with half a character in it', async () => {
    expect(await toolsOf(side).writeError({ path: 'a.md', content: 'x\ud800' })).toContain(
      'half of a character',
    );
  });

  it('writes nothing where only reading is allowed', async () => {
    const vault = createTestVault({
      refuse: ({ access }) => Promise.resolve(access === 'read' ? undefined : REFUSED),
    });
    const { writeError, list } = toolsOf(side, vault);
    await expectRefused(vault, () => writeError({ path: 'a.md', content: 'x' }), REFUSED);
    expect(await list()).toEqual([]);
  });
}
