import { describe, expect, it } from 'vitest';
import { readLogLines } from '../../src/storage/log-lines.js';
import { findSiblings } from '../../src/storage/integrity/sibling-folders.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { mergeFolder } from '../../src/transfer/merge-folder.js';
import { createVault, putWorkspace, ROOT } from '../storage/helpers.js';

const SIBLING = `${ROOT} 2`;

type Vault = ReturnType<typeof createVault>;

/** Copies the data folder next to itself, or moves it there. */
async function setAside({ files }: Vault, isMoved = false): Promise<void> {
  for (const path of files.paths().filter((each) => each.startsWith(`${ROOT}/`))) {
    files.put(path.replace(ROOT, SIBLING), (await files.read(path))!);
    if (isMoved) await files.remove(path);
  }
}

let tags = 0;

function merge({ files, clock }: Vault) {
  const tag = `tagtagtag${String(++tags).padStart(3, 'x')}`;
  return mergeFolder(files, ROOT, SIBLING, {
    day: '2026-12-01',
    tag: tag,
    scheduler: undefined,
  }).then(async (report) => ({ report, whole: await verify(files, ROOT, { now: clock.now() }) }));
}

const linesIn = async ({ files }: Vault, root: string) =>
  (await readLogLines(files, root)).lines.map(({ hash }) => hash).sort();

describe('a data folder that was renamed', () => {
  it('is added to the one that has begun since, and stays', async () => {
    const vault = createVault();
    const log = vault.open();
    await putWorkspace(log, 'One');
    await log.writeTrace({
      t: 'trace.new',
      e: 't1',
      d: { ws: 'default', session: 's', toolset: 'a', tool: 'x', input: '{}', ok: true },
    });
    await log.close();
    await setAside(vault, true);
    await putWorkspace(vault.open(), 'Two');
    const [mine, theirs] = [await linesIn(vault, ROOT), await linesIn(vault, SIBLING)];
    const before = vault.files.paths();
    const { report, whole } = await merge(vault);
    expect(report).toMatchObject({ added: theirs.length, known: 0 });
    expect(whole).toMatchObject({ isWhole: true, events: mine.length + theirs.length });
    expect(await linesIn(vault, ROOT)).toEqual([...mine, ...theirs].sort());
    expect(await linesIn(vault, SIBLING)).toEqual(theirs);
    const added = vault.files.paths().filter((path) => !before.includes(path));
    expect(added.every((path) => path.startsWith(`${ROOT}/`))).toBe(true);
    expect(added.some((path) => path.startsWith(`${ROOT}/trace/`))).toBe(true);
  });

  it('is added once', async () => {
    const vault = createVault();
    await putWorkspace(vault.open(), 'One');
    await setAside(vault, true);
    await merge(vault);
    const after = vault.files.paths();
    expect((await merge(vault)).report).toMatchObject({ added: 0, files: [] });
    expect(vault.files.paths()).toEqual(after);
    expect(await findSiblings(vault.files, ROOT)).toEqual([SIBLING]);
  });

  it('does not bring back what was forgotten since', async () => {
    const vault = createVault();
    const log = vault.open();
    await putWorkspace(log, 'Secret');
    await setAside(vault);
    const { lines } = await readLogLines(vault.files, ROOT);
    await log.forgetting.forget(
      lines.filter(({ event }) => event.t === 'ws.new'),
      false,
    );
    const { report, whole } = await merge(vault);
    expect(report.added).toBe(0);
    expect(whole.siblings).toMatchObject([{ events: 0 }]);
  });
});
