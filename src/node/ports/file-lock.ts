import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';

const RETRY_INTERVAL_MS = 2;
const MAX_RETRY_INTERVAL_MS = 25;
/** An older lock is left from a crash, because work under a lock takes a few milliseconds. */
const STALE_LOCK_MS = 10_000;
const ACQUIRE_TIMEOUT_MS = 20_000;
const MAX_BUSY_ATTEMPTS = 10;

interface FileLock {
  readonly token: string;
  /** Returns false once another program has broken the lock because it was held for too long. */
  readonly isHeld: () => Promise<boolean>;
}

/**
 * Runs the task while no other program that uses this lock runs its own. The file at `path` exists
 * while the lock is held; one left by a crash is removed after ten seconds, and `cleanUp` receives
 * its token. A holder suspended for longer must not finish, so a task checks `isHeld` right before
 * its one irreversible step. Throws a `Refusal` if the lock is not acquired within 20 seconds.
 */
export async function withLock<T>(
  node: NodeModules,
  path: string,
  cleanUp: (token: string) => Promise<void>,
  task: (lock: FileLock) => Promise<T>,
): Promise<T> {
  const { fs } = node;
  const token = node.crypto.randomBytes(8).toString('hex');
  const isHeld = async () => (await readHolder(node, path)) === token;
  await acquire(node, path, token, cleanUp);
  try {
    return await task({ token, isHeld });
  } finally {
    // if this fails, the lock goes stale and the next program removes it
    if (await isHeld()) await fs.rm(path).catch(() => undefined);
  }
}

async function acquire(
  node: NodeModules,
  path: string,
  token: string,
  cleanUp: (token: string) => Promise<void>,
): Promise<void> {
  let seen: string | undefined;
  let waited = 0;
  let since = 0;
  while (!(await retryWhileBusy(node, () => createLockFile(node, path, token)))) {
    if (waited >= ACQUIRE_TIMEOUT_MS)
      throw new Refusal('Other programs keep writing to this file. Nothing was saved; try again.');
    const signature = await readSignature(node, path);
    if (signature !== seen) {
      seen = signature;
      since = waited;
    }
    if (signature !== undefined && waited - since >= STALE_LOCK_MS)
      await breakLock(node, path, signature, cleanUp);
    const ms = Math.min(MAX_RETRY_INTERVAL_MS, RETRY_INTERVAL_MS + Math.floor(waited / 16));
    await sleep(node, ms);
    waited += ms;
  }
}

async function createLockFile({ fs }: NodeModules, path: string, token: string): Promise<boolean> {
  const handle = await fs.open(path, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  });
  try {
    await handle?.writeFile(token);
  } catch (error) {
    await fs.rm(path, { force: true }); // without a token nobody could tell who holds it
    throw error;
  } finally {
    await handle?.close();
  }
  return handle !== undefined;
}

async function readHolder({ fs }: NodeModules, path: string): Promise<string | undefined> {
  return fs.readFile(path, 'utf8').catch(() => undefined);
}

/** Returns a text unique to a lock, even before its token is written; undefined without a lock. */
async function readSignature(node: NodeModules, path: string): Promise<string | undefined> {
  const stats = await node.fs.stat(path, { bigint: true }).catch(() => undefined);
  const holder = await readHolder(node, path);
  return stats && holder !== undefined ? `${stats.ino} ${stats.mtimeNs} ${holder}` : undefined;
}

/**
 * Removes the lock of a crashed holder, but not one acquired meanwhile. Only the program that
 * creates the claim file, named after the lock's inode and modification time, may remove it; an
 * unchanged signature after the claim means that it is still the same lock.
 */
async function breakLock(
  node: NodeModules,
  path: string,
  signature: string,
  cleanUp: (token: string) => Promise<void>,
): Promise<void> {
  const { fs } = node;
  const claim = `${path}-${signature.split(' ', 2).join('-')}`;
  try {
    await fs.writeFile(claim, '', { flag: 'wx', mode: 0o600 });
  } catch {
    return; // another program is breaking it
  }
  try {
    if ((await readSignature(node, path)) !== signature) return;
    const token = await readHolder(node, path);
    await fs.rm(path);
    await cleanUp(token ?? '');
  } finally {
    await fs.rm(claim, { force: true });
  }
}

/** Windows reports these transiently. */
const BUSY = ['EPERM', 'EACCES', 'EBUSY'];

/** Retries for a short time while the operation fails with one of these codes. */
export async function retryWhileBusy<T>(
  node: NodeModules,
  operation: () => Promise<T>,
  codes: readonly string[] = BUSY,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      const isBusy = codes.includes(errorCode(error) ?? '');
      if (!isBusy || attempt === MAX_BUSY_ATTEMPTS) throw error;
      await sleep(node, RETRY_INTERVAL_MS * attempt);
    }
  }
}

function sleep({ timers }: NodeModules, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timers.setTimeout(resolve, ms);
  });
}
