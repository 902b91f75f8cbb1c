import { SURFACES, surfaceNamed, USUAL_SURFACE, type Surface } from '../toolkit/surfaces.js';
import { PROGRAMS, type Program } from '../transfer/foreign/foreign.js';
import { CLIENTS, type ClientId } from '../node/connect/clients.js';

const EXPORT_FORMS = ['jsonl', 'notes'] as const;

/** `jsonl`: every line, to be imported again. `notes`: Markdown, for people. */
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | {
      readonly name: 'tools';
      /** As a client sees them there; all, as they are, where absent. */
      readonly surface: Surface | undefined;
      readonly agents: string | undefined;
      readonly json: boolean;
    }
  | { readonly name: 'verify'; readonly vault: string; readonly json: boolean }
  | {
      readonly name: 'export';
      readonly vault: string;
      readonly to: string;
      readonly as: ExportForm;
    }
  | {
      readonly name: 'import';
      /** The file or folder to import. */
      readonly from: string;
      /** Whose it is; told by what is in it where absent. */
      readonly program: Program | undefined;
      readonly vault: string;
      readonly mayMerge: boolean;
      readonly isDryRun: boolean;
      readonly json: boolean;
    }
  | {
      readonly name: 'install';
      readonly vault: string;
      /** The name of the vault's settings folder; looked for where absent. */
      readonly config: string | undefined;
    }
  | {
      readonly name: 'connect';
      /** None: tell which there are. */
      readonly clients: readonly ClientId[];
      readonly vault: string;
      /** As it was, or full, where absent. */
      readonly surface: Surface | undefined;
      /** As it was where absent. */
      readonly agents: string | undefined;
      readonly isReadOnly: boolean;
      readonly isDryRun: boolean;
      readonly isUndo: boolean;
    }
  | { readonly name: 'doctor'; readonly vault: string | undefined; readonly json: boolean }
  | {
      readonly name: 'restore';
      readonly stateName: string;
      readonly vault: string;
      readonly workspace: string | undefined;
      readonly state: string | undefined;
    }
  | {
      readonly name: 'mcp';
      readonly vault: string;
      readonly state: string | undefined;
      readonly surface: Surface;
      /** The agents that are switched on for the client, by name, between commas; as is usual for the surface where absent. */
      readonly agents: string | undefined;
      readonly readOnly: boolean;
      /** The port to serve HTTP on, 0 for any that is free; standard input and output where absent. */
      readonly httpPort: number | undefined;
      readonly tokenFile: string | undefined;
    }
  | {
      readonly name: 'search';
      readonly query: string;
      readonly vault: string;
      readonly state: string | undefined;
      readonly workspace: string | undefined;
      /** Whether to search the memory, instead of the notes. */
      readonly isMemory: boolean;
      readonly folder: string | undefined;
      readonly mode: string | undefined;
      readonly limit: number | undefined;
      readonly json: boolean;
    }
  | {
      readonly name: 'call';
      readonly tool: string;
      readonly vault: string;
      readonly state: string | undefined;
      readonly workspace: string | undefined;
      readonly session: string | undefined;
      /** The parameters as JSON text; read from standard input where absent. */
      readonly json: string | undefined;
    };

export const USAGE = `Usage: savepoint <command>

  install --vault DIR [--config NAME]
      Put the plugin into the vault and enable it in Obsidian. Doing it again
      updates it. NAME is the vault's settings folder, where not .obsidian.
  connect [CLIENT...] --vault DIR [--dry-run] [--undo]
      [--surface full|compact|actions] [--agents LIST] [--read-only]
      Let a client start this program for the vault: shows the change, keeps a
      backup beside the file, writes, and proves it by running what it wrote.
      Without CLIENT it tells which are here and what would be done. CLIENT is
      claude-desktop, claude-code, cursor, vscode, codex or gemini. --undo takes
      the entry out again.
  doctor [--vault DIR] [--json]
      Prove every connected client, and say what is wrong and how to mend it.
  mcp --vault DIR [--surface full|compact|actions] [--agents LIST]
      [--read-only] [--state DIR] [--http [PORT]] [--http-token-file FILE]
      Serve the tools to an MCP client over standard input and output, or with
      --http to clients on this machine that know a token of the token file,
      which is made where it is not there yet. SURFACE is full (each tool by its
      name), compact (two tools that reach all others) or actions (one tool for
      each thing, with actions). LIST names the agents that are on beside memory
      and search, such as storage,index, or is all or none. Where it is not
      said, compact and actions have all, and full those that are on everywhere
      by the settings in Obsidian.
  call TOOL --vault DIR [--workspace NAME] [--session ID] [--json '{...}'] [--state DIR]
      Call one tool and print its answer as one line of JSON. Without --json the
      parameters are read from standard input.
  search QUERY --vault DIR [--in FOLDER] [--mode hybrid|keyword|semantic]
      [--memory] [--workspace NAME] [--limit N] [--json] [--state DIR]
      Search the notes, or with --memory what is remembered in a workspace.
  restore NAME --vault DIR [--workspace NAME] [--state DIR]
      Take a state out of the archive. Agents cannot; people can.
  tools [--surface SURFACE] [--agents LIST] [--json]
      List the tools; with a surface, as a client sees them there.
  verify --vault DIR [--json]
      Check that nothing in the memory is missing or damaged.
  export --vault DIR --to DIR [--as jsonl|notes]
      Copy the memory into a new folder: as lines that can be imported (jsonl,
      when nothing is said), or as Markdown notes for people.
  import FILE|DIR --vault DIR [--from PROGRAM] [--dry-run] [--merge] [--json]
      Add what an export as jsonl holds and the vault does not, or the memory of
      another program. Doing it again changes nothing. PROGRAM is savepoint,
      nexus, server-memory or basic-memory, and told by the files where it is
      not said. --merge allows the memory of another vault.
  help | version

--state (or SAVEPOINT_STATE) is where this device keeps what belongs to it and
not to the vault. Exit code: 0 done, 1 the answer is a failure, 2 wrong usage.
`;

/** What is wrong with how the program was called. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type OptionKind = 'text' | 'flag';

const OPTIONS: Record<Command['name'], Record<string, OptionKind>> = {
  help: {},
  version: {},
  tools: { surface: 'text', agents: 'text', json: 'flag' },
  verify: { vault: 'text', json: 'flag' },
  export: { vault: 'text', to: 'text', as: 'text' },
  import: { vault: 'text', from: 'text', 'dry-run': 'flag', merge: 'flag', json: 'flag' },
  install: { vault: 'text', config: 'text' },
  connect: {
    vault: 'text',
    surface: 'text',
    agents: 'text',
    'read-only': 'flag',
    'dry-run': 'flag',
    undo: 'flag',
  },
  doctor: { vault: 'text', json: 'flag' },
  search: {
    vault: 'text',
    state: 'text',
    workspace: 'text',
    in: 'text',
    mode: 'text',
    limit: 'text',
    memory: 'flag',
    json: 'flag',
  },
  restore: { vault: 'text', workspace: 'text', state: 'text' },
  mcp: {
    vault: 'text',
    state: 'text',
    surface: 'text',
    agents: 'text',
    'read-only': 'flag',
    http: 'text',
    'http-token-file': 'text',
  },
  call: { vault: 'text', state: 'text', workspace: 'text', session: 'text', json: 'text' },
};

/** Commands that take words beside their options, and how many. */
const WORDS_TAKEN: Partial<Record<Command['name'], number>> = {
  call: 1,
  restore: 1,
  import: 1,
  connect: Infinity,
  search: Infinity,
};

const ALIASES: Record<string, Command['name']> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** Reads the arguments after the program's name. Throws a `UsageError` in words. */
export function readCommand(
  args: readonly string[],
  parseArgs: typeof import('node:util').parseArgs,
): Command {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError('Say what to do.');
  const name = ALIASES[first] ?? first;
  if (!isCommandName(name)) throw new UsageError(`There is no command "${first}".`);
  const { values, positionals } = parse(
    name === 'mcp' ? withPort(rest) : rest,
    OPTIONS[name],
    parseArgs,
  );
  const text = (option: string) =>
    typeof values[option] === 'string' ? values[option] : undefined;
  const state = text('state');
  if (positionals.length > (WORDS_TAKEN[name] ?? 0))
    throw new UsageError(`"${positionals.at(-1)}" is one word too many for ${name}.`);
  switch (name) {
    case 'help':
    case 'version':
      return { name };
    case 'tools':
      return {
        name,
        surface: surfaceOf(text('surface')),
        agents: text('agents'),
        json: values['json'] === true,
      };
    case 'verify':
      return { name, vault: required(name, text('vault')), json: values['json'] === true };
    case 'export': {
      const to = text('to');
      if (to === undefined || to === '')
        throw new UsageError('export needs --to DIR, a folder that is new or empty.');
      return { name, vault: required(name, text('vault')), to, as: formOf(text('as')) };
    }
    case 'import': {
      const [from] = positionals;
      if (from === undefined || from === '')
        throw new UsageError('Name the file or folder to import, such as savepoint-export.jsonl.');
      const [isDryRun, mayMerge, json] = ['dry-run', 'merge', 'json'].map(
        (option) => values[option] === true,
      ) as [boolean, boolean, boolean];
      return {
        name,
        from,
        program: programOf(text('from')),
        vault: required(name, text('vault')),
        mayMerge,
        isDryRun,
        json,
      };
    }
    case 'install':
      return { name, vault: required(name, text('vault')), config: text('config') };
    case 'connect':
      return {
        name,
        clients: positionals.map(clientOf),
        vault: required(name, text('vault')),
        surface: surfaceOf(text('surface')),
        agents: text('agents'),
        isReadOnly: values['read-only'] === true,
        isDryRun: values['dry-run'] === true,
        isUndo: values['undo'] === true,
      };
    case 'doctor':
      return { name, vault: text('vault'), json: values['json'] === true };
    case 'mcp':
      return {
        name,
        vault: required(name, text('vault')),
        state,
        surface: surfaceOf(text('surface')) ?? USUAL_SURFACE,
        agents: text('agents'),
        readOnly: values['read-only'] === true,
        httpPort: portOf(text('http')),
        tokenFile: text('http-token-file'),
      };
    case 'search': {
      const query = positionals.join(' ');
      if (query.trim() === '')
        throw new UsageError('Say what to search for, such as "token refresh".');
      const [workspace, folder, mode] = ['workspace', 'in', 'mode'].map(text);
      const [isMemory, json] = ['memory', 'json'].map((option) => values[option] === true) as [
        boolean,
        boolean,
      ];
      if (isMemory && (folder !== undefined || mode !== undefined))
        throw new UsageError('--in and --mode are for notes; leave them out with --memory.');
      return {
        name,
        query,
        vault: required(name, text('vault')),
        state,
        workspace,
        folder,
        mode,
        isMemory,
        json,
        limit: limitOf(text('limit')),
      };
    }
    case 'restore': {
      const [stateName] = positionals;
      if (stateName === undefined)
        throw new UsageError('Name the state to restore, such as "Auth module progress".');
      return {
        name,
        stateName,
        vault: required(name, text('vault')),
        workspace: text('workspace'),
        state,
      };
    }
    case 'call': {
      const [tool] = positionals;
      if (tool === undefined) throw new UsageError('Name the tool to call, such as listStates.');
      const [workspace, session, json] = ['workspace', 'session', 'json'].map(text);
      return { name, tool, vault: required(name, text('vault')), state, workspace, session, json };
    }
  }
}

function parse(
  args: string[],
  kinds: Record<string, OptionKind>,
  parseArgs: typeof import('node:util').parseArgs,
) {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === 'flag' ? 'boolean' : 'string' } as const,
    ]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(
      error instanceof Error
        ? (error.message.split('. ')[0] ?? '') + '.'
        : 'The options cannot be read.',
    );
  }
}

/** `--http` needs no port after it: 0 is put there. */
function withPort(args: readonly string[]): string[] {
  return args.map((arg, at) =>
    arg === '--http' && !/^\d+$/.test(args[at + 1] ?? '') ? '--http=0' : arg,
  );
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`There is no port "${text}". Give a number from 0 to 65535, or none.`);
  return port;
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new UsageError(`"${text}" is no limit. Give a whole number from 1 to 200.`);
  return Number(text);
}

function isCommandName(name: string): name is Command['name'] {
  return Object.hasOwn(OPTIONS, name);
}

function required(command: string, vault: string | undefined): string {
  if (vault === undefined || vault === '')
    throw new UsageError(`${command} needs --vault DIR, the folder that holds the notes.`);
  return vault;
}

function formOf(text: string | undefined): ExportForm {
  const form = EXPORT_FORMS.find((other) => other === (text ?? 'jsonl'));
  if (!form)
    throw new UsageError(`There is no export as "${text}". Valid: ${EXPORT_FORMS.join(', ')}.`);
  return form;
}

function programOf(text: string | undefined): Program | undefined {
  const program = PROGRAMS.find((other) => other === text);
  if (text !== undefined && !program)
    throw new UsageError(`There is no import from "${text}". Valid: ${PROGRAMS.join(', ')}.`);
  return program;
}

function clientOf(text: string): ClientId {
  const client = CLIENTS.find((other) => other === text);
  if (!client) throw new UsageError(`There is no client "${text}". Valid: ${CLIENTS.join(', ')}.`);
  return client;
}

function surfaceOf(text: string | undefined): Surface | undefined {
  const surface = surfaceNamed(text);
  if (text !== undefined && !surface)
    throw new UsageError(`There is no surface "${text}". Valid: ${SURFACES.join(', ')}.`);
  return surface;
}
