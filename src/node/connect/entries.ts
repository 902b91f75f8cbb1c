import { USUAL_SURFACE, type Surface } from '../../toolkit/surfaces.js';
import type { NodeModules } from '../modules.js';
import { CLIENT_FACTS, type ClientId } from './clients.js';
import type { ServerEntry } from './config-text.js';

const NAME = 'savepoint';
const SLUG_LIMIT = 24;

/** What a person chooses for a connection. */
export interface Wish {
  /** The vault, absolute. */
  readonly vault: string;
  /** Which tools the client is to see; as it was, or all of them, where nothing is said. */
  readonly surface: Surface | undefined;
  /** Which agents are to be switched on, as after `--agents`; as it was where nothing is said, as the vault has it where it is empty. */
  readonly agents?: string | undefined;
  /** An entry that may only read stays so: it is to be taken out and made anew by whoever wants more. */
  readonly isReadOnly: boolean;
}

/** An entry of a client that starts this program, as it stands in the configuration. */
export interface OwnEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The vault that its arguments name. */
  readonly vault: string;
}

/** The entry for a client: the command with which it is to start the program. What an entry of before says of its own is kept. */
export function createEntry(
  client: ClientId,
  node: string,
  program: string,
  { vault, surface, agents, isReadOnly }: Wish,
  held?: Pick<OwnEntry, 'args'>,
): ServerEntry {
  const kept = without(held?.args.slice(held.args.indexOf('mcp') + 1) ?? [], 'vault');
  const options = withOption(
    withOption(kept, 'surface', surface, USUAL_SURFACE),
    'agents',
    agents,
    '',
  );
  const access = isReadOnly && !options.includes('--read-only') ? ['--read-only'] : [];
  return {
    ...(CLIENT_FACTS[client].hasType && { type: 'stdio' }),
    command: node,
    args: [program, 'mcp', '--vault', vault, ...options, ...access],
  };
}

/** The arguments with an option as it is wished, if it is; its usual value is left out. */
function withOption(
  args: string[],
  option: string,
  value: string | undefined,
  usual?: string,
): string[] {
  if (value === undefined) return args;
  return [...without(args, option), ...(value === usual ? [] : [`--${option}`, value])];
}

/** The arguments less an option and its value. */
function without(args: readonly string[], option: string): string[] {
  return args.filter(
    (arg, at) =>
      arg !== `--${option}` && args[at - 1] !== `--${option}` && !arg.startsWith(`--${option}=`),
  );
}

/** The entries among a client's servers that start this program for some vault. */
export function ownEntries(servers: Readonly<Record<string, unknown>>): OwnEntry[] {
  return Object.entries(servers).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const { command, args, env } = value as { command?: unknown; args?: unknown; env?: unknown };
    if (typeof command !== 'string' || !isTexts(args)) return [];
    const vault = args.includes('mcp') ? optionOf(args, 'vault') : undefined;
    const isOwn =
      name === NAME ||
      name.startsWith(`${NAME}-`) ||
      args.some((arg) => /\bsavepoint\b/i.test(arg));
    return vault !== undefined && isOwn ? [{ name, command, args, env: textsOf(env), vault }] : [];
  });
}

/** The value of an option among the arguments of a command. */
export function optionOf(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(`--${option}`);
  return at >= 0
    ? args[at + 1]
    : args.find((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3);
}

/** A name that no server of the client has: the first vault gets the plain one, others are told apart by theirs. */
export function freeName(
  { path, crypto }: Pick<NodeModules, 'path' | 'crypto'>,
  taken: ReadonlySet<string>,
  vault: string,
): string {
  if (!taken.has(NAME)) return NAME;
  const slug = path
    .basename(vault)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LIMIT)
    .replace(/^-+|-+$/g, '');
  // Clients allow these letters only; a vault of another script, or a second one of the same name, is told apart by where it is.
  const mark = crypto.createHash('sha256').update(vault).digest('hex').slice(0, 6);
  return (
    [slug, `${slug}-${mark}`]
      .map((end) => `${NAME}-${end.replace(/^-/, '')}`)
      .find((name) => !taken.has(name) && name !== `${NAME}-`) ?? `${NAME}-${mark}`
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
