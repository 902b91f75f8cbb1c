import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';

type Modules = Pick<NodeModules, 'fs' | 'crypto' | 'timers'>;

/** Between two tries, in milliseconds; longer for who has waited long. */
const PAUSE = 2;
const LONGEST_PAUSE = 25;
/** Who has held it so long without a sign of life, in milliseconds, has crashed: what is done under a lock takes a few. */
const STALE_AFTER = 10_000;
const GIVE_UP_AFTER = 20_000;
/** So often in a row the disk may say that a file is in use, or about to go, before it is believed: Windows says so in passing. */
const BUSY_TRIES = 10;

/** A lock that is held. */
interface FileLock {
  /** What tells this holding from every other. */
  readonly token: string;
  /** Whether it is held still: others take it away from a holder that has stood still. */
  readonly isHeld: () => Promise<boolean>;
}

/**
 * Runs the task while no other program that asks for this lock runs its own. `path` is a file that is there while the lock is held;
 * one that a crash has left is removed after ten seconds, and `clear` is told its token. A holder that was stopped for longer
 * than that must not finish, so a task asks `isHeld` right before its one step that counts.
 */
export async function withLock<T>(
  node: Modules,
  path: string,
  clear: (token: string) => Promise<void>,
  task: (lock: FileLock) => Promise<T>,
): Promise<T> {
  const { fs } = node;
  const token = node.crypto.randomBytes(8).toString('hex');
  const isHeld = async () => (await holderOf(node, path)) === token;
  await take(node, path, token, clear);
  try {
    return await task({ token, isHeld });
  } finally {
    if (await isHeld()) await fs.rm(path).catch(() => undefined); // it is stale then, and whoever comes next clears it
  }
}

async function take(
  node: Modules,
  path: string,
  token: string,
  clear: (token: string) => Promise<void>,
): Promise<void> {
  let seen: string | undefined;
  let [waited, since] = [0, 0];
  while (!(await insist(node, () => create(node, path, token)))) {
    if (waited >= GIVE_UP_AFTER)
      throw new Refusal(
        'Other programs are writing this file all the time. Nothing was saved; try again.',
      );
    const holder = await signOf(node, path);
    if (holder !== seen) [seen, since] = [holder, waited];
    if (holder !== undefined && waited - since >= STALE_AFTER)
      await breakLock(node, path, holder, clear);
    const ms = Math.min(LONGEST_PAUSE, PAUSE + Math.floor(waited / 16));
    await pause(node, ms);
    waited += ms;
  }
}

async function create({ fs }: Modules, path: string, token: string): Promise<boolean> {
  const handle = await fs.open(path, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  });
  try {
    await handle?.writeFile(token);
  } catch (error) {
    await fs.rm(path, { force: true }); // nobody would be told who holds it
    throw error;
  } finally {
    await handle?.close();
  }
  return handle !== undefined;
}

async function holderOf({ fs }: Modules, path: string): Promise<string | undefined> {
  return fs.readFile(path, 'utf8').catch(() => undefined);
}

/** What differs from lock to lock, also from one into which nothing has been written yet to another. */
async function signOf(node: Modules, path: string): Promise<string | undefined> {
  const stats = await node.fs.stat(path, { bigint: true }).catch(() => undefined);
  const holder = await holderOf(node, path);
  return stats && holder !== undefined ? `${stats.ino} ${stats.mtimeNs} ${holder}` : undefined;
}

/**
 * Removes the lock of a holder that has crashed; not that of one who has taken it meanwhile. Only who makes the file that is named for
 * this very lock may remove it, so it is there still once that is made and the lock is found unchanged.
 */
async function breakLock(
  node: Modules,
  path: string,
  sign: string,
  clear: (token: string) => Promise<void>,
): Promise<void> {
  const { fs } = node;
  const right = `${path}-${sign.split(' ', 2).join('-')}`;
  try {
    await fs.writeFile(right, '', { flag: 'wx', mode: 0o600 });
  } catch {
    return; // another is at it
  }
  try {
    if ((await signOf(node, path)) !== sign) return;
    const token = await holderOf(node, path);
    await fs.rm(path);
    await clear(token ?? '');
  } finally {
    await fs.rm(right, { force: true });
  }
}

/** Runs an operation again while the disk says that the file is in use. */
export async function insist<T>(
  node: Pick<NodeModules, 'timers'>,
  operation: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await operation();
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '') || tries === BUSY_TRIES)
        throw error;
      await pause(node, PAUSE * tries);
    }
  }
}

function pause({ timers }: Pick<NodeModules, 'timers'>, ms: number): Promise<void> {
  return new Promise((resolve) => void timers.setTimeout(resolve, ms));
}
