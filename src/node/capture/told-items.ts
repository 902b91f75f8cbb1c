import type { NodeModules } from '../modules.js';
import { exists, fileSize } from '../real-path.js';
import { CAPTURE_FOLDER } from './capture-settings-file.js';
import { isCreated } from '../system-errors.js';

/** A line that a reader is told; the key is the same whenever it is about the same item. */
export interface ToldLine {
  readonly key: string;
  readonly text: string;
}

export function toldKey(
  node: NodeModules,
  { id, text }: { readonly id: string; readonly text: string },
): string {
  return nameOf(node, [id, text]);
}

/**
 * Returns the items that one reader, a session or its subagent, has been told, a file for each. The
 * ids in `reader` identify it together.
 */
export function createToldItems(node: NodeModules, parent: string, reader: readonly string[]) {
  const { fs, path } = node;
  const folder = path.join(parent, nameOf(node, reader));

  return {
    has: ({ key }: ToldLine) => exists(node, path.join(folder, key)),
    /** Notes that a line is told; false if its item was told before, or is at the moment. */
    async add({ key, text }: ToldLine): Promise<boolean> {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, key);
      return isCreated(fs.writeFile(file, text, { flag: 'wx', mode: 0o600 }));
    },
    /** Returns the lines that were told last, the newest first. */
    async newest(limit: number): Promise<ToldLine[]> {
      const keys = await fs.readdir(folder).catch((): string[] => []);
      const files = keys.map(async (key) => {
        const file = path.join(folder, key);
        const stats = await fs.stat(file).catch(() => undefined);
        const text = await fs.readFile(file, 'utf8').catch(() => '');
        return { key, text, at: stats?.mtimeMs ?? 0 };
      });
      const told = (await Promise.all(files)).filter(({ text }) => text !== '');
      return told.sort((a, b) => b.at - a.at).slice(0, limit);
    },
    /** Forgets all of it, because the reader no longer has it. */
    clear: () => fs.rm(folder, { recursive: true, force: true }),
  };
}

function nameOf(node: NodeModules, parts: readonly string[]): string {
  const hash = node.crypto.createHash('sha256').update(parts.join('\n'));
  return hash.digest('hex').slice(0, 32);
}

/** Removes what readers were told that have been told nothing since a time, in ms since 1970. */
export async function removeToldBefore(
  { fs, path }: NodeModules,
  folder: string,
  time: number,
): Promise<void> {
  for (const name of await fs.readdir(folder).catch((): string[] => [])) {
    const reader = path.join(folder, name);
    const stats = await fs.stat(reader).catch(() => undefined);
    if (stats && stats.mtimeMs < time) await fs.rm(reader, { recursive: true, force: true });
  }
}

const LOG_NAME = 'told.log';
const MAX_LOG_BYTES = 64 * 1024;
const LATE = 'late';
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Logs on this device that something was told, or would have been but too late. Never throws. */
export async function logTold(
  node: NodeModules,
  stateFolder: string,
  tokens: number | typeof LATE,
): Promise<void> {
  const file = node.path.join(stateFolder, CAPTURE_FOLDER, LOG_NAME);
  if (((await fileSize(node, file)) ?? 0) > MAX_LOG_BYTES)
    await node.fs.rm(file, { force: true }).catch(() => {});
  const line = `${new Date().toISOString()} ${tokens}\n`;
  await node.fs.appendFile(file, line, { mode: 0o600 }).catch(() => undefined);
}

/** Returns how often something was told in the last week, with the tokens, and was too late. */
export async function toldLastWeek(
  { fs, path }: NodeModules,
  stateFolder: string,
): Promise<{ readonly times: number; readonly tokens: number; readonly late: number }> {
  const file = path.join(stateFolder, CAPTURE_FOLDER, LOG_NAME);
  const lines = (await fs.readFile(file, 'utf8').catch(() => '')).split('\n');
  const entries = lines
    .map((line) => line.split(' '))
    .filter(([at = '']) => Date.parse(at) > Date.now() - WEEK_MS);
  const told = entries.filter(([, what]) => what !== LATE);
  const tokens = told.reduce((sum, [, what]) => sum + Number(what), 0);
  return { times: told.length, tokens, late: entries.length - told.length };
}
