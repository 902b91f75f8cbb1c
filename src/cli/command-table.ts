import { appsWith, idsWith } from '../apps/index.js';
import { didYouMean } from '../model/names.js';
import { commandText, helpFields, overviewText } from './texts/help-texts.js';
import { OPTIONS } from './command-options.js';
import {
  clientWords,
  command,
  flag,
  oneWord,
  optionalWord,
  optionalPath,
  queryWords,
  text,
  vault,
  type Command,
} from './options.js';
import { print, printJson, printMessage } from './output.js';
import { UsageError } from './usage-error.js';

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Commands by name. Each loads its modules when it runs, so that every command starts fast. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  install: command({
    options: { vault, config: text },
    syntax: 'install --vault DIR [--config NAME]',
    help: "Install the plugin in the vault and enable it in Obsidian, or update it. NAME is the vault's settings folder, if you have renamed it.",
    load: async () => (await import('./commands/install.js')).runInstall,
  }),
  connect: command({
    words: clientWords,
    options: OPTIONS.connect,
    syntax:
      'connect [CLIENT...] --vault DIR [--dry-run] [--undo] [--hooks] [--agents-md] [--surface full|compact|actions] [--toolsets LIST] [--read-only] [--create]',
    help: `Let a client use the vault by adding this program to the client's settings. This command shows the change, backs up the file, writes it, and checks that the new entry works. Without CLIENT, it lists the installed clients and what would change. CLIENT is ${anyOf.format(idsWith('config'))}. --hooks also makes ${anyOf.format(appsWith('hooks').map(({ title }) => title))} call this program when a session starts, a turn ends, and before a compaction. --agents-md adds four lines about the memory to the AGENTS.md of the current project, and needs no --vault by itself. --undo removes the entry and the hooks, and the lines with --agents-md.`,
    load: async () => (await import('./commands/connect.js')).runConnect,
  }),
  uninstall: command({
    options: { dryRun: flag },
    syntax: 'uninstall [--dry-run]',
    help: 'Remove the entries and hooks of all AI apps on this device, for every vault, the program that they start, and the command savepoint. The memory in the vaults stays. This command backs up each file that it changes, and says what stays and where. --dry-run only shows what would be removed.',
    load: async () => (await import('./commands/install.js')).runUninstall,
  }),
  doctor: command({
    options: { vault: text, json: flag },
    syntax: 'doctor [--vault DIR] [--json]',
    help: 'Check every connected client; say what is wrong and how to fix it. Exits with 1 if something is wrong, and with 0 if nothing is connected yet.',
    load: async () => (await import('./commands/doctor.js')).runDoctor,
  }),
  link: command({
    options: OPTIONS.link,
    syntax:
      'link --workspace NAME --vault DIR [--project DIR] [--capture off|task|all] [--tell off|start|prompt|all]',
    help: "Link a project to a workspace: sessions of AI apps in the project save there, and those with Savepoint's hooks start with its brief. --capture says what is kept of them, for everybody who has the vault: task keeps the task, files, commands and the beginning of the last answer; all also keeps each message and the answers. Without it, this command asks in a terminal when the vault is new to the project. --tell says when an agent is told what the memory knows about its work, without asking: start tells it with the brief; prompt, the default, also at a prompt that it fits; all also about files that it reads and writes, commands that failed before, and in subagents. The project is the current folder by default, or the git repository that contains it, with its worktrees, but without other repositories in it, such as submodules. A clone elsewhere is recognized by its remote; run this in it to confirm that.",
    load: async () => (await import('./commands/link.js')).runLink,
  }),
  unlink: command({
    options: { project: optionalPath, state: optionalPath },
    syntax: 'unlink [--project DIR]',
    help: 'Remove the link of a project. Its sessions are no longer captured.',
    load: async () => (await import('./commands/link.js')).runUnlink,
  }),
  links: command({
    options: OPTIONS.links,
    syntax: 'links [--pause | --resume] [--exclude DIR] [--include DIR] [--json]',
    help: "List the linked projects, and say in which workspace a session in the current folder happens. --pause stops capturing for an hour on this device, and --resume ends the pause. --exclude never captures anything in a folder; --include ends that. SAVEPOINT_PRIVATE=1 in an AI app's environment makes its sessions private. What happened meanwhile is not captured later, either.",
    load: async () => (await import('./commands/link.js')).runLinks,
  }),
  hook: command({
    words: oneWord('event', 'No event given. Name the event, such as session-start.'),
    options: { client: text, background: flag },
    syntax: `hook EVENT [--client ${idsWith('hooks').join('|')}]`,
    help: 'Called by AI apps when a session starts, a turn ends, a conversation is compacted or a session ends. EVENT is session-start, turn, pre-compact or session-end. It always exits with 0.',
    load: async () => (await import('./commands/hook.js')).runHook,
  }),
  mcp: command({
    options: OPTIONS.mcp,
    syntax:
      'mcp [--vault DIR] [--surface full|compact|actions] [--toolsets LIST] [--read-only] [--create] [--state DIR] [--session ID] [--workspace NAME] [--http [PORT]] [--http-token-file FILE]',
    help: `Serve the tools to an MCP client over standard input and output. Without --vault, the vault is that of SAVEPOINT_VAULT, that of the linked project, or the only one that Obsidian lists. With --http, serve the tools to clients on this machine that send a token from the token file, which is created if it does not exist. The surface is full (each tool under its own name), compact (two tools that give access to all others) or actions (one tool per resource, with an action parameter). LIST names the toolsets to enable in addition to memory and search, such as storage,index; it can also be all or none. By default, compact and actions have all toolsets, and full has those that are set to "Always" in Obsidian's settings. ID is the session of calls that name none, and NAME the workspace in which it starts; over HTTP, neither has an effect.`,
    load: async () => (await import('./commands/mcp.js')).runMcp,
  }),
  call: command({
    words: oneWord('tool', 'No tool given. Name the tool to call, such as listStates.'),
    options: OPTIONS.call,
    syntax: `call TOOL [--vault DIR] [--workspace NAME] [--session ID] [--json '{...}'] [--create] [--state DIR]`,
    help: 'Call a tool and print its result as one line of JSON. Without --json, the parameters are read from standard input. Calls with the same session ID continue each other: a state saved after another was loaded continues it.',
    load: async () => (await import('./commands/call.js')).runCall,
  }),
  search: command({
    words: queryWords,
    options: OPTIONS.search,
    syntax:
      'search QUERY [--vault DIR] [--in FOLDER] [--mode hybrid|keyword|semantic] [--memory] [--workspace NAME] [--limit N] [--json] [--state DIR]',
    help: "Search the notes or, with --memory, a workspace's memory.",
    load: async () => (await import('./commands/search.js')).runSearch,
  }),
  brief: command({
    options: OPTIONS.brief,
    syntax:
      'brief [--vault DIR] [--workspace NAME] [--for TEXT] [--budget TOKENS] [--json] [--state DIR]',
    help: 'Print what an agent should know before it works in a workspace: interrupted work, the newest state, what is due and open, changed files and lessons. TEXT is what comes next, as a query or as paths. The default budget is 800.',
    load: async () => (await import('./commands/brief.js')).runBrief,
  }),
  restore: command({
    words: optionalWord('name'),
    options: OPTIONS.restore,
    syntax:
      'restore [NAME] [--vault DIR] [--kind state|record|conversation|workspace] [--workspace NAME] [--state DIR]',
    help: 'Restore an archived state, of whichever workspace has it unless you name one; with --kind, a record, conversation or workspace. Without NAME, list what is archived. Only users can do this, not agents.',
    load: async () => (await import('./commands/restore.js')).runRestore,
  }),
  forget: command({
    words: optionalWord('name'),
    options: OPTIONS.forget,
    syntax:
      'forget NAME --vault DIR [--kind state|record|conversation|trace|session|workspace] [--workspace NAME] [--client APP] [--also] [--dry-run] [--yes] [--agree ID] [--refuse ID] [--state DIR]',
    help: 'Remove something for good, on every device, which cannot be undone. First shows what goes with it, such as its changes and the calls that saved or loaded it, and what else contains its text, which stays unless --also is given. --dry-run only shows that. NAME is the name of a state; with --kind, the title of a record or conversation, the id of a trace or session, or the name of a workspace, which stays as it is now: forgotten is what its fields contained before. APP is the app of a session if several have one with this id. Without a terminal, it is only hidden at once, and removed after you have been told on seven days, unless --yes is given. --agree removes at once what another device has forgotten, and --refuse keeps it on this device; ID is in the report of verify, and the name of a device stands for all that it has asked.',
    load: async () => (await import('./commands/forget.js')).runForget,
  }),
  tools: command({
    options: OPTIONS.tools,
    syntax: 'tools [--surface SURFACE] [--toolsets LIST] [--json]',
    help: 'List the tools; with --surface, list them as a client sees them.',
    load: async () => (await import('./commands/tools.js')).runTools,
  }),
  verify: command({
    options: OPTIONS.verify,
    syntax:
      'verify [--vault DIR] [--state DIR] [--heal] [--recover MEMORY|FOLDER] [--dismiss WRITER|MEMORY] [--json]',
    help: 'Check that nothing in the memory is missing, damaged or forged. Exits with 1 if something is. --heal first restores what is missing and copied on this device. --recover brings back a memory whose whole folder was removed, from the copies on this device. Given a folder next to the data folder, it adds what only that has. --dismiss stops this device from reporting the events of a writer that are missing now, or a removed memory.',
    load: async () => (await import('./commands/verify.js')).runVerify,
  }),
  devices: command({
    options: OPTIONS.devices,
    syntax: 'devices [--vault DIR] [--confirm NAME] [--withdraw NAME] [--yes] [--state DIR]',
    help: 'List the devices that have written to the vault. --confirm remembers on this device that one is yours, as far as it has written here until now: it gets a further writer when a program there is killed, which has to be confirmed in turn, because anyone who can write to the vault can use its name. --withdraw takes that back. Both ask in a terminal, and need --yes elsewhere.',
    load: async () => (await import('./commands/devices.js')).runDevices,
  }),
  export: command({
    options: OPTIONS.export,
    syntax: 'export --vault DIR --to DIR [--as jsonl|notes]',
    help: 'Copy the memory into a new folder, as lines that can be imported (jsonl, the default) or as Markdown notes for people.',
    load: async () => (await import('./commands/export.js')).runExport,
  }),
  import: command({
    words: oneWord(
      'source',
      'No source given. Name the file or folder to import, such as savepoint-export.jsonl.',
    ),
    options: OPTIONS.import,
    syntax:
      'import FILE|DIR --vault DIR [--from PROGRAM] [--dry-run] [--merge] [--create] [--json]',
    help: "Import a jsonl export or another program's memory, adding what the vault does not have yet. Importing again changes nothing. PROGRAM is savepoint, nexus, server-memory or basic-memory; by default, it is detected from the files. --merge allows importing another vault's memory.",
    load: async () => (await import('./commands/import.js')).runImport,
  }),
  help: command({
    words: optionalWord('command'),
    options: { json: flag },
    syntax: 'help [COMMAND] [--json]',
    help: 'List the commands, or show how to use one. --json prints what is known about all commands.',
    load: () => (values, program) => {
      const { command: name, json } = values;
      if (json) printJson(program, helpFields(COMMANDS));
      else if (name === undefined) printMessage(program, overviewText(COMMANDS));
      else printMessage(program, commandText(commandNamed(name)));
      return Promise.resolve(0);
    },
  }),
  version: command({
    options: {},
    syntax: 'version',
    help: 'Print the version of this program.',
    load: () => (_, program) => {
      print(program, `${program.version}\n`);
      return Promise.resolve(0);
    },
  }),
};

export const ALIASES: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** Returns the command of a name. Throws a `UsageError` if there is none. */
export function commandNamed(name: string): Command {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (found) return found;
  throw new UsageError(`Unknown command "${name}".${didYouMean(name, Object.keys(COMMANDS))}`);
}
