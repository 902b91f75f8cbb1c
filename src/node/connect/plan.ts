import { clip, Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';
import { CLIENT_FACTS, type Place } from './clients.js';
import { dropEntry, putEntry, readServers } from './config-text.js';
import { createEntry, freeName, ownEntries, type OwnEntry, type Wish } from './entries.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto'>;

/** What is to happen to one configuration file. */
export interface ConnectionPlan {
  readonly place: Place;
  /** The file itself, where the place is a link to it. */
  readonly file: string;
  /** The name of the entry. */
  readonly name: string;
  /** `none`: it is as it should be already. */
  readonly change: 'add' | 'update' | 'remove' | 'none';
  /** The text as it was read; undefined where there is no file. */
  readonly before: string | undefined;
  /** The text to be written; undefined where the file is to go, for nothing was in it before. */
  readonly after: string | undefined;
}

export interface PlanOptions extends Wish {
  /** Node, and the program that it is to run: absolute paths. */
  readonly node: string;
  readonly program: string;
}

/**
 * Plans the entry of one client for one vault. Writes nothing. Throws a `Refusal` where the file is broken, with line and column,
 * or cannot be changed.
 */
export async function planConnection(
  modules: Modules,
  place: Place,
  options: PlanOptions,
): Promise<ConnectionPlan> {
  const { title, format, section, variable } = CLIENT_FACTS[place.client];
  const { file, before, servers } = await readPlace(modules, place);
  const held = await entryOf(modules, servers, options.vault);
  const entry = createEntry(place.client, options.node, options.program, options, held);
  const doubtful = [entry.command, ...entry.args].find((part) => variable?.test(part));
  if (doubtful !== undefined)
    throw new Refusal(
      `${title} would read a part of "${clip(doubtful, 200)}" as a variable. Rename that folder, then try again. Nothing was done.`,
    );
  const name = held?.name ?? freeName(modules, new Set(Object.keys(servers)), options.vault);
  const after = putEntry(before ?? '', format, { section, name }, entry);
  return {
    place,
    file,
    name,
    change: after === before ? 'none' : held ? 'update' : 'add',
    before,
    after,
  };
}

/**
 * Plans to take the entry for the vault out again. Where a backup with this entry added to it is what the file says now, the
 * backup comes back. Throws as `planConnection` does.
 */
export async function planRemoval(
  modules: Modules,
  place: Place,
  vault: string,
): Promise<ConnectionPlan> {
  const { format, section } = CLIENT_FACTS[place.client];
  const { file, before, servers } = await readPlace(modules, place);
  const held = await entryOf(modules, servers, vault);
  if (before === undefined || !held)
    return { place, file, name: held?.name ?? '', change: 'none', before, after: before };
  const path = { section, name: held.name };
  const { type, command, args } = servers[held.name] as {
    type?: 'stdio';
    command: string;
    args: string[];
  };
  const entry = { ...(type && { type }), command, args };
  for (const text of [...(await readBackups(modules, file)), undefined]) {
    const hadNone = text === undefined || !(held.name in serversOf(text, place));
    if (hadNone && isSame(() => putEntry(text ?? '', format, path, entry), before))
      return { place, file, name: held.name, change: 'remove', before, after: text };
  }
  return {
    place,
    file,
    name: held.name,
    change: 'remove',
    before,
    after: dropEntry(before, format, path),
  };
}

export const BACKUP = '.savepoint-backup-';

/** The names of the backups of a file, the newest first. */
export async function backupNames(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  file: string,
): Promise<string[]> {
  const names = await fs.readdir(path.dirname(file));
  return names
    .filter((name) => name.startsWith(`${path.basename(file)}${BACKUP}`))
    .sort()
    .reverse();
}

async function readBackups(modules: Modules, file: string): Promise<string[]> {
  const { path } = modules;
  const texts = (await backupNames(modules, file)).map((name) =>
    readText(modules, path.join(path.dirname(file), name)),
  );
  return (await Promise.all(texts)).filter((text) => text !== undefined);
}

function isSame(write: () => string, text: string): boolean {
  try {
    return write() === text;
  } catch (error) {
    if (error instanceof Refusal) return false; // a backup that cannot be edited is not what this one was made of
    throw error;
  }
}

function serversOf(text: string, place: Place): Readonly<Record<string, unknown>> {
  const { format, section } = CLIENT_FACTS[place.client];
  const read = readServers(text, format, section);
  return 'servers' in read ? read.servers : {};
}

/** A configuration as it is. Throws a `Refusal` where it cannot be read. */
export async function readPlace(modules: Pick<NodeModules, 'fs'>, place: Place) {
  const { title, format, section } = CLIENT_FACTS[place.client];
  const file = await modules.fs.realpath(place.file).catch(() => place.file);
  const before = await readText(modules, file);
  const read = readServers(before ?? '', format, section);
  if ('trouble' in read)
    throw new Refusal(
      `${title} cannot read its own file ${place.file} (${read.trouble}). Put it in order, then try again. Nothing was done.`,
    );
  return { file, before, servers: read.servers };
}

/** The text of a file; undefined where there is none. Throws a `Refusal` in words. */
export async function readText(
  { fs }: Pick<NodeModules, 'fs'>,
  file: string,
): Promise<string | undefined> {
  const bytes = await fs.readFile(file).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === undefined) throw error;
    throw new Refusal(`Cannot read ${file} (${code}). Nothing was done.`, { cause: error });
  });
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refusal(
      `The file ${file} is not text in UTF-8. Save it as UTF-8, then try again. Nothing was done.`,
    );
  }
}

async function entryOf(
  modules: Pick<NodeModules, 'fs' | 'path'>,
  servers: Readonly<Record<string, unknown>>,
  vault: string,
): Promise<OwnEntry | undefined> {
  for (const entry of ownEntries(servers))
    if (await isSameFolder(modules, entry.vault, vault)) return entry;
  return undefined;
}

/** Whether two paths lead to one folder, which need not be there. */
export async function isSameFolder(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  one: string,
  other: string,
): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((folder) => fs.realpath(folder).catch(() => path.resolve(folder))),
  );
  return a === b;
}
