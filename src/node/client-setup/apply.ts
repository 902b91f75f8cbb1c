import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';
import { backupText } from './connect-texts.js';
import { BACKUP_INFIX, backupNames, readUtf8File, type FilePlan } from './plan.js';
import { fileAdvice, orRefuse } from '../system-errors.js';

const MAX_BACKUPS = 3;

/** A draft older than this was left by a program that crashed. */
const STALE_DRAFT_MS = 60_000;

/**
 * Applies a plan: backs up the file in its folder, then replaces it atomically with the same mode,
 * or deletes it. Keeps only a few backups. Returns the backup's path; undefined if there was
 * no file, it is shared, or nothing changes. Throws a `Refusal` and leaves the file unchanged if it
 * has changed since the plan was made, is read-only, or is being written by another program.
 */
export async function applyConnection(
  modules: NodeModules,
  plan: FilePlan,
  now: Date,
): Promise<string | undefined> {
  const { file, before, after, change } = plan;
  if (change === 'none') return undefined;
  const stats = before === undefined ? undefined : await attempt(file, () => modules.fs.stat(file));
  if (stats && (stats.mode & 0o200) === 0)
    throw new Refusal(
      `The file ${file} is read-only. Make it writable, or add the entry with the tool that manages the file. Nothing was done.`,
    );
  return attempt(file, async () => {
    // A client without any saved setting may not have the folder either.
    if (before === undefined)
      await modules.fs.mkdir(modules.path.dirname(file), { recursive: true, mode: 0o700 });
    const draft = await openDraft(modules, `${file}.savepoint-new`, now);
    let backup: string | undefined;
    try {
      await writeDraft(draft.handle, after ?? '', modeOf(stats, plan), stats);
      if ((await readUtf8File(modules, file)) !== before)
        throw new Refusal(
          `Another program has just changed the file ${file}. Nothing was done; try again.`,
        );
      if (before !== undefined && !plan.isShared)
        backup = await writeBackup(modules, file, before, modeOf(stats, plan), now);
      if (after === undefined) await modules.fs.rm(file);
      else await modules.fs.rename(draft.file, file);
    } catch (error) {
      await modules.fs.rm(draft.file, { force: true });
      throw error;
    }
    // After a rename, a draft with that name belongs to another program.
    if (after === undefined) await modules.fs.rm(draft.file, { force: true });
    await removeOldBackups(modules, file);
    return backup;
  });
}

/** Prints what a plan changes, and applies it unless this is a dry run; then returns true. */
export async function applyAndPrint(
  modules: NodeModules,
  plan: FilePlan,
  text: string,
  isDryRun: boolean,
  print: (text: string) => void,
): Promise<boolean> {
  print(text);
  if (isDryRun) return false;
  const backup = await applyConnection(modules, plan, new Date());
  if (backup !== undefined) print(backupText(backup));
  return true;
}

type FileStats = { readonly mode: number; readonly uid: number; readonly gid: number };

/** Files of a client are private to their owner, because keys may be added later. */
const modeOf = (stats: FileStats | undefined, { isShared }: Pick<FilePlan, 'isShared'>) =>
  (stats?.mode ?? (isShared ? 0o644 : 0o600)) & 0o777;

/** Writes a draft with the mode and the owner of the file that it will replace. */
async function writeDraft(
  handle: Awaited<ReturnType<NodeModules['fs']['open']>>,
  text: string,
  mode: number,
  stats: FileStats | undefined,
): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.chmod(mode);
    const draft = await handle.stat();
    if (stats && (stats.uid !== draft.uid || stats.gid !== draft.gid))
      await handle.chown(stats.uid, stats.gid);
    await handle.sync();
  } finally {
    await handle.close(); // some systems cannot rename an open file
  }
}

/** Creates a draft. Its name serves as a lock between programs. */
async function openDraft({ fs }: NodeModules, file: string, now: Date) {
  const existing = await fs.stat(file).catch(() => undefined);
  if (existing && now.getTime() - existing.mtimeMs > STALE_DRAFT_MS)
    await fs.rm(file, { force: true });
  try {
    return { file, handle: await fs.open(file, 'wx', 0o600) };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Refusal(
      `Another program is writing ${file}. Nothing was done; try again in a minute.`,
    );
  }
}

async function writeBackup(
  { fs }: NodeModules,
  file: string,
  text: string,
  mode: number,
  now: Date,
): Promise<string> {
  const backup = `${file}${BACKUP_INFIX}${now.toISOString().replace(/[:.]/g, '-')}`;
  await fs.writeFile(backup, text, { flag: 'wx', mode });
  return backup;
}

const isOriginal = (text: string) => !/savepoint/i.test(text);

/** Keeps the newest backups, and the newest without anything of this program, for an undo. */
async function removeOldBackups(modules: NodeModules, file: string): Promise<void> {
  const { fs, path } = modules;
  let hasOriginal = false;
  for (const [at, name] of (await backupNames(modules, file)).entries()) {
    const backup = path.join(path.dirname(file), name);
    const text: string = await fs.readFile(backup, 'utf8').catch(() => '');
    const isKept = at < MAX_BACKUPS || (!hasOriginal && isOriginal(text));
    hasOriginal ||= isOriginal(text);
    if (!isKept) await fs.rm(backup, { force: true });
  }
}

function attempt<T>(file: string, task: () => Promise<T>): Promise<T> {
  return orRefuse(
    task,
    (code) => `Cannot write ${file} (${code}).${fileAdvice(code)} It was not changed.`,
  );
}
