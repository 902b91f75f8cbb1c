import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';
import { BACKUP, backupNames, readText, type ConnectionPlan } from './plan.js';

type Modules = Pick<NodeModules, 'fs' | 'path'>;

const BACKUPS_KEPT = 3;
/** A draft that is older than this was left behind by a program that ended in the middle, in milliseconds. */
const DRAFT_LIMIT = 60_000;

/**
 * Does what was planned: the file as it is goes into a backup beside it, and is then replaced at once, with its mode. Answers
 * the backup's path, where there was something to keep. Throws a `Refusal` where the file is not what was planned for, may not
 * be written, or another program is at it; it is then as it was.
 */
export async function applyConnection(
  modules: Modules,
  plan: ConnectionPlan,
  now: Date,
): Promise<string | undefined> {
  const { file, before, after, change } = plan;
  if (change === 'none') return undefined;
  const stats = before === undefined ? undefined : await attempt(file, () => modules.fs.stat(file));
  if (stats && (stats.mode & 0o200) === 0)
    throw new Refusal(
      `The file ${file} is read-only, so that it is not changed. Make it writable, or let what made it so add the entry. Nothing was done.`,
    );
  return attempt(file, async () => {
    const draft = await openDraft(modules, `${file}.savepoint-new`, now);
    let backup: string | undefined;
    try {
      await writeDraft(draft.handle, after ?? '', stats);
      if ((await readText(modules, file)) !== before)
        throw new Refusal(
          `The file ${file} was changed by another program just now. Nothing was done; try again.`,
        );
      if (before !== undefined)
        backup = await writeBackup(modules, file, before, modeOf(stats), now);
      if (after === undefined) await modules.fs.rm(file);
      else await modules.fs.rename(draft.file, file);
    } catch (error) {
      await modules.fs.rm(draft.file, { force: true });
      throw error;
    }
    // Once renamed, a draft of that name is another program's.
    if (after === undefined) await modules.fs.rm(draft.file, { force: true });
    await dropOldBackups(modules, file);
    return backup;
  });
}

type Stats = { readonly mode: number; readonly uid: number; readonly gid: number };

/** A file that is made anew may hold keys one day: it is for its owner alone. */
const modeOf = (stats: Stats | undefined) => (stats?.mode ?? 0o600) & 0o777;

/** The draft gets the mode and the owner of what it replaces. */
async function writeDraft(
  handle: Awaited<ReturnType<NodeModules['fs']['open']>>,
  text: string,
  stats: Stats | undefined,
): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.chmod(modeOf(stats));
    const own = await handle.stat();
    if (stats && (stats.uid !== own.uid || stats.gid !== own.gid))
      await handle.chown(stats.uid, stats.gid);
    await handle.sync();
  } finally {
    await handle.close(); // some systems do not rename what is open
  }
}

/** The draft's name is the same for all, so that two programs do not write at once. */
async function openDraft({ fs }: Modules, file: string, now: Date) {
  const left = await fs.stat(file).catch(() => undefined);
  if (left && now.getTime() - left.mtimeMs > DRAFT_LIMIT) await fs.rm(file, { force: true });
  try {
    return { file, handle: await fs.open(file, 'wx', 0o600) };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Refusal(
      `Another program is writing ${file} just now. Nothing was done; try again in a minute.`,
    );
  }
}

async function writeBackup(
  { fs }: Modules,
  file: string,
  text: string,
  mode: number,
  now: Date,
): Promise<string> {
  const backup = `${file}${BACKUP}${now.toISOString().replace(/[:.]/g, '-')}`;
  await fs.writeFile(backup, text, { flag: 'wx', mode });
  return backup;
}

async function dropOldBackups(modules: Modules, file: string): Promise<void> {
  const { fs, path } = modules;
  for (const name of (await backupNames(modules, file)).slice(BACKUPS_KEPT))
    await fs.rm(path.join(path.dirname(file), name), { force: true });
}

async function attempt<T>(file: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new Refusal(`Cannot write ${file} (${code}). It is as it was.`, { cause: error });
  }
}
