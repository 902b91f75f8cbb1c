import type { AppConfig, ServerEntry } from '../../apps/ai-app.js';
import { isText, isTextList } from '../../model/text/json-fields.js';
import { DEFAULT_SURFACE, type Surface } from '../../toolkit/surfaces.js';
import type { NodeModules } from '../modules.js';
import { expandedValue } from '../environment.js';
import { isSameFolder } from '../real-path.js';
import { isFields, type Fields } from './config-text.js';

const SERVER_NAME = 'savepoint';
const MAX_SLUG_LENGTH = 24;

export interface ConnectionSettings {
  /** An absolute path. */
  readonly vault: string;
  /** SAVEPOINT_STATE for the server, because not every client passes the environment on. */
  readonly state?: string | undefined;
  /** Undefined keeps the existing one, or the default. */
  readonly surface: Surface | undefined;
  /** Value of `--toolsets`; undefined keeps the existing one, empty: the vault's settings. */
  readonly toolsets?: string | undefined;
  /** A read-only entry stays so: to allow writes, it must be removed and added again. */
  readonly isReadOnly: boolean;
  /** True if the folder need not be a vault yet. An entry that has this option keeps it. */
  readonly create?: boolean | undefined;
}

/** An entry of a client's configuration that starts this program. */
export interface OwnEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The vault in its arguments or variables; empty if the server finds it by itself. */
  readonly vault: string;
  /** True if the entry says that the client must not start it. */
  readonly isDisabled?: boolean;
}

export type ServerCommand = Pick<OwnEntry, 'command' | 'args'>;

/** Returns the command that starts the program. Keeps other options of an existing entry. */
export function createCommand(
  node: string,
  program: string,
  { vault, state, surface, toolsets, isReadOnly, create }: ConnectionSettings,
  existing?: Pick<OwnEntry, 'args'>,
): ServerCommand {
  const existingArgs = existing?.args.slice(existing.args.indexOf('mcp') + 1) ?? [];
  const kept = withoutOption(existingArgs, 'vault');
  const withSurface = withOption(kept, 'surface', surface, DEFAULT_SURFACE);
  const withToolsets = withOption(withSurface, 'toolsets', toolsets, '');
  const options = withOption(withToolsets, 'state', state);
  const flags = [...(isReadOnly ? ['--read-only'] : []), ...(create ? ['--create'] : [])];
  const added = flags.filter((name) => !options.includes(name));
  return { command: node, args: [program, 'mcp', '--vault', vault, ...options, ...added] };
}

type EntryForm = Pick<AppConfig, 'required' | 'initial' | 'isCommandList'>;

/** Returns the entry for a command in the form that the client expects. */
export function toServerEntry(
  { required, initial, isCommandList }: EntryForm,
  { command, args }: ServerCommand,
  isNew: boolean,
): ServerEntry {
  return {
    ...required,
    ...(isCommandList ? { command: [command, ...args] } : { command, args }),
    ...(isNew && initial),
  };
}

/** Returns the properties of a server that `toServerEntry` may have written. */
export function ownProperties(form: EntryForm, server: unknown): ServerEntry {
  const written = toServerEntry(form, { command: '', args: [] }, true);
  const fields = server as ServerEntry;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => Object.hasOwn(written, key)));
}

/** Sets an option to `value` (unchanged if undefined). Omits it if `value` is its default. */
function withOption(
  args: string[],
  option: string,
  value: string | undefined,
  defaultValue?: string,
): string[] {
  if (value === undefined) return args;
  return [
    ...withoutOption(args, option),
    ...(value === defaultValue ? [] : [`--${option}`, value]),
  ];
}

function withoutOption(args: readonly string[], option: string): string[] {
  return args.filter(
    (arg, at) =>
      arg !== `--${option}` && args[at - 1] !== `--${option}` && !arg.startsWith(`--${option}=`),
  );
}

/** Returns the entries among a client's servers that start this program, for any vault. */
export function ownEntries(servers: Readonly<Record<string, unknown>>): OwnEntry[] {
  return Object.entries(servers).flatMap(([name, value]) => {
    if (!isFields(value)) return [];
    const { command, args } = readCommand(value);
    if (command === undefined) return [];
    // clients call the variables and the switch by one of two names
    const { env, environment, enabled, disabled } = value;
    const isDisabled = enabled === false || disabled === true;
    const isOwn =
      name === SERVER_NAME ||
      name.startsWith(`${SERVER_NAME}-`) ||
      [command, ...args].some((arg) => /\bsavepoint\b/i.test(arg));
    if (!args.includes('mcp') || !isOwn) return [];
    const variables = textsOf(env ?? environment);
    const vault = optionOf(args, 'vault') ?? expandedValue(variables['SAVEPOINT_VAULT']) ?? '';
    return [{ name, command, args, env: variables, vault, ...(isDisabled && { isDisabled }) }];
  });
}

/** Returns true if the entry names the vault, which may be empty for an entry that names none. */
export async function isForVault(node: NodeModules, entry: OwnEntry, vault: string) {
  return entry.vault === vault || (entry.vault !== '' && isSameFolder(node, entry.vault, vault));
}

/** Reads a command in any client's form: a program and its arguments, or one list of both. */
function readCommand({ command, args }: Fields) {
  const words = typeof command === 'string' && isTextList(args) ? [command, ...args] : command;
  const [program, ...rest] = isTextList(words) ? words : [];
  return { command: program, args: rest };
}

/** Returns the value of an option, given as `--name value` or `--name=value`. */
export function optionOf(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(`--${option}`);
  return at >= 0
    ? args[at + 1]
    : args.find((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3);
}

/** Returns an unused server name: `savepoint`, with a suffix for further vaults. */
export function uniqueServerName(
  { path, crypto }: NodeModules,
  taken: ReadonlySet<string>,
  vault: string,
): string {
  if (!taken.has(SERVER_NAME)) return SERVER_NAME;
  const slug = path
    .basename(vault)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  // Clients allow only these characters. The hash tells apart vaults whose names become equal.
  const hash = crypto.createHash('sha256').update(vault).digest('hex').slice(0, 6);
  return (
    [slug, `${slug}-${hash}`]
      .map((end) => `${SERVER_NAME}-${end.replace(/^-/, '')}`)
      .find((name) => !taken.has(name) && name !== `${SERVER_NAME}-`) ?? `${SERVER_NAME}-${hash}`
  );
}

function textsOf(value: unknown): Record<string, string> {
  const pairs = Object.entries(isFields(value) ? value : {});
  return Object.fromEntries(pairs.flatMap(([key, text]) => (isText(text) ? [[key, text]] : [])));
}
