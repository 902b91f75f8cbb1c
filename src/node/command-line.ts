import { SURFACES, type Surface } from '../bridge/mcp-server.js';

const EXPORT_FORMS = ['jsonl', 'notes'] as const;

/** `jsonl`: every line, to be imported again. `notes`: Markdown, for people. */
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'tools'; readonly json: boolean }
  | { readonly name: 'verify'; readonly vault: string; readonly json: boolean }
  | { readonly name: 'export'; readonly vault: string; readonly to: string; readonly as: ExportForm }
  | {
      readonly name: 'import';
      /** The file or folder to import. */
      readonly from: string;
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
      readonly readOnly: boolean;
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
  mcp --vault DIR [--surface full|compact] [--read-only] [--state DIR]
      Serve the tools to an MCP client over standard input and output.
  call TOOL --vault DIR [--workspace NAME] [--session ID] [--json '{...}'] [--state DIR]
      Call one tool and print its answer as one line of JSON. Without --json the
      parameters are read from standard input.
  restore NAME --vault DIR [--workspace NAME] [--state DIR]
      Take a state out of the archive. Agents cannot; people can.
  tools [--json]
      List the tools.
  verify --vault DIR [--json]
      Check that nothing in the memory is missing or damaged.
  export --vault DIR --to DIR [--as jsonl|notes]
      Copy the memory into a new folder: as lines that can be imported (jsonl,
      when nothing is said), or as Markdown notes for people.
  import FILE|DIR --vault DIR [--dry-run] [--merge] [--json]
      Add what an export as jsonl holds and the vault does not. Doing it again
      changes nothing. --merge allows the memory of another vault.
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
  tools: { json: 'flag' },
  verify: { vault: 'text', json: 'flag' },
  export: { vault: 'text', to: 'text', as: 'text' },
  import: { vault: 'text', 'dry-run': 'flag', merge: 'flag', json: 'flag' },
  install: { vault: 'text', config: 'text' },
  restore: { vault: 'text', workspace: 'text', state: 'text' },
  mcp: { vault: 'text', state: 'text', surface: 'text', 'read-only': 'flag' },
  call: { vault: 'text', state: 'text', workspace: 'text', session: 'text', json: 'text' },
};

/** Commands that take one word beside their options. */
const TAKE_A_WORD: ReadonlySet<Command['name']> = new Set(['call', 'restore', 'import']);

const ALIASES: Record<string, Command['name']> = { '--help': 'help', '-h': 'help', '--version': 'version', '-v': 'version' };

/** Reads the arguments after the program's name. Throws a `UsageError` in words. */
export function readCommand(args: readonly string[], parseArgs: typeof import('node:util').parseArgs): Command {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError('Say what to do.');
  const name = ALIASES[first] ?? first;
  if (!isCommandName(name)) throw new UsageError(`There is no command "${first}".`);
  const { values, positionals } = parse(rest, OPTIONS[name], parseArgs);
  const text = (option: string) => (typeof values[option] === 'string' ? values[option] : undefined);
  const state = text('state');
  if (positionals.length > (TAKE_A_WORD.has(name) ? 1 : 0))
    throw new UsageError(`"${positionals.at(-1)}" is one word too many for ${name}.`);
  switch (name) {
    case 'help':
    case 'version':
      return { name };
    case 'tools':
      return { name, json: values['json'] === true };
    case 'verify':
      return { name, vault: required(name, text('vault')), json: values['json'] === true };
    case 'export': {
      const to = text('to');
      if (to === undefined || to === '') throw new UsageError('export needs --to DIR, a folder that is new or empty.');
      return { name, vault: required(name, text('vault')), to, as: formOf(text('as')) };
    }
    case 'import': {
      const [from] = positionals;
      if (from === undefined || from === '') throw new UsageError('Name the file or folder to import, such as savepoint-export.jsonl.');
      const [isDryRun, mayMerge, json] = ['dry-run', 'merge', 'json'].map((option) => values[option] === true) as [
        boolean,
        boolean,
        boolean,
      ];
      return { name, from, vault: required(name, text('vault')), mayMerge, isDryRun, json };
    }
    case 'install':
      return { name, vault: required(name, text('vault')), config: text('config') };
    case 'mcp':
      return {
        name,
        vault: required(name, text('vault')),
        state,
        surface: surfaceOf(text('surface')),
        readOnly: values['read-only'] === true,
      };
    case 'restore': {
      const [stateName] = positionals;
      if (stateName === undefined) throw new UsageError('Name the state to restore, such as "Auth module progress".');
      return { name, stateName, vault: required(name, text('vault')), workspace: text('workspace'), state };
    }
    case 'call': {
      const [tool] = positionals;
      if (tool === undefined) throw new UsageError('Name the tool to call, such as listStates.');
      const [workspace, session, json] = ['workspace', 'session', 'json'].map(text);
      return { name, tool, vault: required(name, text('vault')), state, workspace, session, json };
    }
  }
}

function parse(args: string[], kinds: Record<string, OptionKind>, parseArgs: typeof import('node:util').parseArgs) {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') + '.' : 'The options cannot be read.');
  }
}

function isCommandName(name: string): name is Command['name'] {
  return Object.hasOwn(OPTIONS, name);
}

function required(command: string, vault: string | undefined): string {
  if (vault === undefined || vault === '') throw new UsageError(`${command} needs --vault DIR, the folder that holds the notes.`);
  return vault;
}

function formOf(text: string | undefined): ExportForm {
  const form = EXPORT_FORMS.find((other) => other === (text ?? 'jsonl'));
  if (!form) throw new UsageError(`There is no export as "${text}". Valid: ${EXPORT_FORMS.join(', ')}.`);
  return form;
}

function surfaceOf(text: string | undefined): Surface {
  const surface = SURFACES.find((other) => other === (text ?? 'full'));
  if (!surface) throw new UsageError(`There is no surface "${text}". Valid: ${SURFACES.join(', ')}.`);
  return surface;
}
