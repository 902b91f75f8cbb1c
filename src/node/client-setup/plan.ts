import { clip, Refusal, refusalText } from '../../model/refusal.js';
import { utf8Text } from '../../platform/bytes/bytes.js';
import { errorCode, type NodeModules } from '../modules.js';
import { fileAdvice } from '../system-errors.js';
import type { ClientConfig } from './clients.js';
import {
  editFile,
  fieldsAt,
  partText,
  readServers,
  removeEntry,
  repairsOf,
  setEntry,
  type Fields,
} from './config-text.js';
import {
  createCommand,
  isForVault,
  ownEntries,
  ownProperties,
  toServerEntry,
  uniqueServerName,
  type OwnEntry,
  type ConnectionSettings,
} from './entries.js';

export interface FilePlan {
  /** The real path, with symbolic links resolved. */
  readonly file: string;
  /** `none` if the file is already as intended. */
  readonly change: 'add' | 'update' | 'remove' | 'none';
  /** The current text; undefined if there is no file. */
  readonly before: string | undefined;
  /** The new text; undefined to delete the file. */
  readonly after: string | undefined;
  /** Returns what may be shown of a text, without the settings of others; by default all. */
  readonly shown?: (text: string) => string;
  /** Repairs that the change makes, too, as parts of a sentence. */
  readonly repairs?: readonly string[];
  /** True for a file of a project: not private, and no backup, which would be in the project. */
  readonly isShared?: boolean;
}

export interface ConnectionPlan extends FilePlan {
  readonly config: ClientConfig;
  /** The name of the entry; empty if there is none. */
  readonly name: string;
}

export interface ConnectionPlanOptions extends ConnectionSettings {
  /** Absolute paths of Node and of the program that it runs. */
  readonly node: string;
  readonly program: string;
}

/**
 * Plans the entry of a client for a vault. Throws a `Refusal` if the file has a syntax error or
 * cannot be edited safely, or the client would expand a part of the entry as a variable.
 */
export async function planConnection(
  modules: NodeModules,
  config: ClientConfig,
  options: ConnectionPlanOptions,
): Promise<ConnectionPlan> {
  const form = config.app.config;
  const { format, section } = form;
  const { file, before, servers, newer } = await readConfig(modules, config);
  const existing = await findEntry(modules, ownEntries(servers), options.vault);
  const command = createCommand(options.node, options.program, options, existing);
  const entry = toServerEntry(form, command, existing === undefined);
  refuseVariables(config, [command.command, ...command.args]);
  const name =
    existing?.name ?? uniqueServerName(modules, new Set(Object.keys(servers)), options.vault);
  const path = { section: sectionOf(config, newer, existing?.name), name };
  const after = editFile(file, () => setEntry(before ?? '', format, path, entry));
  const changeKind = existing ? 'update' : 'add';
  const change = after === before ? 'none' : changeKind;
  const repairs = repairsOf(before ?? '', format, section);
  return { config, file, name, change, before, after, shown: shownOf(config), repairs };
}

/** Returns the section with the server of a name, or the one for a new server. */
function sectionOf(
  { app: { config } }: ClientConfig,
  newer: Fields | undefined,
  name: string | undefined,
): string {
  const { section, newerSection = section } = config;
  return newer && (name === undefined || name in newer) ? newerSection : section;
}

/** Returns an entry without the texts in it, such as keys that the user has added. */
function masked(entry: unknown): Fields {
  const hide = (_: string, value: unknown) => (/string|bigint/.test(typeof value) ? '…' : value);
  return JSON.parse(JSON.stringify(entry, hide)) as Fields;
}

/** Returns a function that returns only own entries of a client's configuration. */
function shownOf({ app: { config } }: ClientConfig) {
  const { format, section, newerSection } = config;
  const ownAt = (data: Fields, keys: string): Fields => {
    const servers = fieldsAt(data, keys) ?? {};
    const own = ownEntries(servers).map(({ name }) => {
      const written = ownProperties(config, servers[name]);
      return [name, { ...masked(servers[name]), ...written }] as const;
    });
    return Object.fromEntries(own);
  };
  const sections = [section, newerSection ?? section];
  const choose = (data: Fields) =>
    Object.fromEntries(sections.map((keys) => [keys, ownAt(data, keys)]));
  return (text: string) => partText(text, format, choose);
}

/** Throws a `Refusal` if the client would expand a part of the command as a variable. */
export function refuseVariables({ app }: ClientConfig, command: readonly string[]): void {
  const expandable = command.find((part) => app.config.variable?.test(part));
  if (expandable === undefined) return;
  throw new Refusal(
    `${app.title} would expand a part of "${clip(expandable, 200)}" as a variable. Rename that folder, then try again. Nothing was done.`,
  );
}

/**
 * Plans to remove the entry for the vault. Restores a backup byte for byte if the file is exactly
 * that plus the entry; deletes the file if it contains nothing else. Throws a `Refusal` if the file
 * cannot be read, parsed or edited safely.
 */
export async function planRemoval(
  modules: NodeModules,
  config: ClientConfig,
  vault: string,
): Promise<ConnectionPlan> {
  const { format } = config.app.config;
  const { file, before, servers, newer } = await readConfig(modules, config);
  const existing = await findEntry(modules, ownEntries(servers), vault);
  if (before === undefined || !existing)
    return { config, file, name: existing?.name ?? '', change: 'none', before, after: before };
  const { name } = existing;
  const path = { section: sectionOf(config, newer, name), name };
  const shown = shownOf(config);
  const plan = { config, file, name, change: 'remove', before, shown } as const;
  const entry = ownProperties(config.app.config, servers[name]);
  for (const text of [...(await readBackups(modules, file)), undefined]) {
    const hasNoEntry = text === undefined || !(name in serversOf(text, config));
    if (hasNoEntry && isSameText(() => setEntry(text ?? '', format, path, entry), before))
      return { ...plan, after: text };
  }
  return { ...plan, after: editFile(file, () => removeEntry(before, format, path)) };
}

export const BACKUP_INFIX = '.savepoint-backup-';

/** Returns the names of the backups of a file, newest first. */
export async function backupNames({ fs, path }: NodeModules, file: string): Promise<string[]> {
  const names = await fs.readdir(path.dirname(file));
  return names
    .filter((name) => name.startsWith(`${path.basename(file)}${BACKUP_INFIX}`))
    .sort()
    .reverse();
}

/** Returns the texts of the backups of a file, newest first. */
export async function readBackups(modules: NodeModules, file: string): Promise<string[]> {
  const { path } = modules;
  const texts = (await backupNames(modules, file)).map((name) =>
    readUtf8File(modules, path.join(path.dirname(file), name)),
  );
  return (await Promise.all(texts)).filter((text) => text !== undefined);
}

/** Returns true if `write` returns the text. A `Refusal` means that it does not. */
export function isSameText(write: () => string, text: string): boolean {
  try {
    return write() === text;
  } catch (error) {
    // the entry was not added to a backup that cannot be edited
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function serversOf(text: string, config: ClientConfig): Readonly<Record<string, unknown>> {
  const read = parseServers(text, config);
  return 'servers' in read ? read.servers : {};
}

/** Reads a configuration file. Throws a `Refusal` if it cannot be read or parsed. */
export async function readConfig(modules: NodeModules, config: ClientConfig) {
  return readParsed(modules, config, config.file, (text) => parseServers(text, config));
}

function parseServers(text: string, { app: { config } }: ClientConfig) {
  return readServers(text, config.format, config.section, config.newerSection);
}

/** Returns the entries of a configuration file, or why it cannot be read. */
export async function readOwnEntries(
  node: NodeModules,
  config: ClientConfig,
): Promise<OwnEntry[] | string> {
  const read = readConfig(node, config).then(({ servers }) => ownEntries(servers));
  return read.catch(problemText);
}

/** Returns the text of a `Refusal`, for a report that does nothing in any case. */
export function problemText(error: unknown): string {
  return refusalText(error).replace(/ Nothing was done\.$/, '');
}

/** Reads one of a client's own files. Throws a `Refusal` if it cannot be read or parsed. */
export async function readParsed<T extends object>(
  modules: NodeModules,
  { app: { title } }: ClientConfig,
  named: string,
  parse: (text: string) => T,
): Promise<{ file: string; before: string | undefined } & Exclude<T, { problem: string }>> {
  const { file, before } = await readConfigText(modules, title, named);
  const read = parse(before ?? '');
  if (!('problem' in read)) return { file, before, ...(read as Exclude<T, { problem: string }>) };
  throw new Refusal(
    `${title} cannot read its own file ${named} (${String(read.problem)}). Fix the file, then try again. Nothing was done.`,
  );
}

/** Returns the real path of a client's file, and its text if it exists. Throws a `Refusal`. */
export async function readConfigText(
  modules: NodeModules,
  title: string,
  named: string,
): Promise<{ file: string; before: string | undefined }> {
  const link = await findDanglingLink(modules, named);
  if (link !== undefined)
    throw new Refusal(
      `${title} has its settings in ${named}, but ${link} is a link to something that does not exist. ` +
        'Restore what it points to, or remove the link, then try again. Nothing was done.',
    );
  const file = await modules.fs.realpath(named).catch(() => named);
  return { file, before: await readUtf8File(modules, file) };
}

/** Returns the file, or the folder that contains it, if it is a link to nothing. */
async function findDanglingLink(
  { fs, path }: NodeModules,
  file: string,
): Promise<string | undefined> {
  for (let at = file; path.dirname(at) !== at; at = path.dirname(at)) {
    const target = await fs.stat(at).catch((error: unknown) => errorCode(error));
    if (target !== 'ENOENT') return undefined;
    const link = await fs.lstat(at).catch(() => undefined);
    if (link?.isSymbolicLink()) return at;
  }
  return undefined;
}

/** Returns undefined for a missing file. Throws a `Refusal` if it is unreadable or not UTF-8. */
export async function readUtf8File({ fs }: NodeModules, file: string): Promise<string | undefined> {
  const bytes = await fs.readFile(file).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === undefined) throw error;
    throw new Refusal(`Cannot read ${file} (${code}).${fileAdvice(code)} Nothing was done.`, {
      cause: error,
    });
  });
  const text = bytes && utf8Text(bytes);
  if (bytes && text === undefined)
    throw new Refusal(
      `The file ${file} is not text in UTF-8. Save it as UTF-8, then try again. Nothing was done.`,
    );
  return text;
}

/** Returns the entry for a vault. */
export async function findEntry(
  modules: NodeModules,
  entries: readonly OwnEntry[],
  vault: string,
): Promise<OwnEntry | undefined> {
  for (const entry of entries) if (await isForVault(modules, entry, vault)) return entry;
  return undefined;
}
