import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { createChatAgentPaths } from '../../src/acp/chat-agent-paths.js';
import { ChatAgentSession } from '../../src/acp/chat-agent-session.js';
import { findKnownChatAgent, type KnownChatAgent } from '../../src/acp/known-chat-agents.js';
import { startChatAgentProgram } from '../../src/node/chat-agents/chat-agent-program.js';
import { createNodeClock } from '../../src/node/ports/host-ports.js';
import { followLinks } from '../../src/node/ports/real-paths.js';
import { NOOP_SCHEDULER } from '../../src/platform/scheduler.js';
import { PROGRAM } from '../fakes/program.js';
import { node } from '../node/folders.js';
import { versionOf } from './install-client.js';
import type { Step } from './model-server.js';
import { REAL_CLIENTS, type ClientHome, type RealClient } from './real-clients.js';

/** An agent of the list in src/acp/known-chat-agents.ts, with what the tests know about it. */
export interface RealAgent {
  readonly id: KnownChatAgent['id'];
  /** The client whose settings and variables the agent shares. */
  readonly client: RealClient['id'];
  /** A call of the agent's own tool that writes a file. */
  readonly write: (file: string, text: string) => Step;
  /** A call of the agent's own tool that only our approval allows, and that creates the file. */
  readonly shell: (file: string) => Step;
  /** Why the agent asks nobody before a call of our tools; undefined if it asks. */
  readonly asksNotForMemory?: string;
  /** Mode of a new session of an agent for which the plugin selects none. */
  readonly firstMode?: string;
  /**
   * Status of a call that would write to a protected folder: `denied` by our answer, or `failed` by
   * the agent's own rules.
   */
  readonly refusal: 'denied' | 'failed';
  /**
   * Why the agent cannot continue a session in the minute in which it began; undefined if it can.
   * It gets a new session then.
   */
  readonly forgetsWithinMinute?: string;
  /** The words about a missing login; undefined if the agent starts without one. */
  readonly login?: RegExp;
  /** Variables that are added to those of the client. */
  readonly env?: Readonly<Record<string, string>>;
}

const PROTECTED_FOLDERS = ['.obsidian', 'Savepoint'];
const TOOL_NAMES = ['createState', 'loadState', 'listStates'];

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    id: 'claude-code',
    client: 'claude-code',
    refusal: 'failed',
    login: /login/,
    env: {
      // which would use up the answers of the next turn
      CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
      ENABLE_TOOL_SEARCH: 'true', // the tools of the memory must be there nevertheless
    },
    write: (file_path, content) => ({ tool: 'Write', args: { file_path, content } }),
    shell: (file) => ({ tool: 'Bash', args: { command: `echo x > '${file}'`, description: 'x' } }),
  },
  {
    id: 'codex',
    client: 'codex',
    refusal: 'denied',
    login: /login/,
    // Without a model that it knows, it offers its patch tool only as a command.
    write: (file, text) => ({
      tool: 'exec_command',
      args: {
        cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\nEND`,
      },
    }),
    shell: (file) => ({
      tool: 'exec_command',
      args: {
        cmd: `echo x > '${file}'`,
        sandbox_permissions: 'require_escalated',
        justification: 'Write the file',
      },
    }),
    asksNotForMemory: 'It calls the tools of MCP servers in every mode.',
  },
  {
    id: 'gemini',
    client: 'gemini',
    firstMode: 'default',
    refusal: 'denied',
    login: /API key/,
    forgetsWithinMinute:
      'It names the file of a session by the minute, and empties it when it starts again in the same one.',
    env: { GEMINI_MODEL: 'gemini-2.5-flash' }, // otherwise it asks another model which one to use
    write: (file_path, content) => ({ tool: 'write_file', args: { file_path, content } }),
    shell: (file) => ({
      tool: 'run_shell_command',
      args: { command: `echo x > '${file}'`, description: 'x' },
    }),
  },
  {
    id: 'opencode',
    client: 'opencode',
    firstMode: 'build',
    refusal: 'failed',
    write: (filePath, content) => ({ tool: 'write', args: { filePath, content } }),
    shell: (file) => ({ tool: 'bash', args: { command: `echo x > '${file}'`, description: 'x' } }),
    asksNotForMemory: 'Its permissions cover its own tools.',
  },
];

/** Returns the package and version that the known agent's command installs, as the tests do. */
export function packageOf({ id }: RealAgent): { npmPackage: string; version: string } {
  const [, npmPackage, version] =
    /install -g (\S+)@([\d.]+)$/.exec(findKnownChatAgent(id)?.install ?? '') ?? [];
  if (npmPackage === undefined || version === undefined) throw new Error(`${id} has no package`);
  const tested = versionOf(npmPackage);
  if (version !== tested)
    throw new Error(`${id} is tested in ${tested}, and offered in ${version}`);
  return { npmPackage, version };
}

export function clientOf({ client }: RealAgent): RealClient {
  const found = REAL_CLIENTS.find(({ id }) => id === client);
  if (!found) throw new Error(`${client} is not among the real clients`);
  return found;
}

/** Writes the settings by which the agent finds the model server. */
export function configureAgent(home: string, client: RealClient, modelUrl: string): void {
  const files: Partial<Record<RealClient['id'], string>> = {
    'claude-code': '.claude.json',
    codex: '.codex/config.toml',
    gemini: '.gemini/settings.json',
    opencode: '.config/opencode/opencode.json',
  };
  const name = files[client.id];
  if (name === undefined) throw new Error(`${client.id} is no agent of the chat.`);
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, client.id === 'codex' ? '' : '{}');
  client.configure?.(home, modelUrl);
}

export interface OpenAgent {
  readonly session: ChatAgentSession;
  /** Errors that the session has reported. */
  readonly reported: unknown[];
}

/** Starts the agent in the vault as the plugin does, and opens a session. */
export async function openAgent(
  agent: RealAgent,
  bin: string,
  home: ClientHome,
  previousId?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<OpenAgent> {
  const known = findKnownChatAgent(agent.id);
  if (!known) throw new Error(`${agent.id} is not known`);
  const { vault } = home;
  const reported: unknown[] = [];
  const process = await startChatAgentProgram(
    { ...node, process: globalThis.process },
    {
      command: path.join(bin, known.command),
      args: known.args,
      cwd: vault,
      env: { ...home.env, PWD: vault, ...agent.env, ...known.env?.(PROTECTED_FOLDERS), ...env },
      platform: globalThis.process.platform,
    },
  );
  const session = new ChatAgentSession({
    agent: known,
    process,
    vault,
    paths: createChatAgentPaths({
      vault,
      protectedFolders: PROTECTED_FOLDERS,
      resolve: (folder, file) => path.resolve(folder, file),
      followLinks: (folder, file) =>
        followLinks(node, path.isAbsolute(file) ? file : `${folder}/${file}`),
    }),
    memoryServer: {
      command: globalThis.process.execPath,
      args: [
        PROGRAM,
        'mcp',
        '--vault',
        vault,
        '--session',
        `conversation-${agent.id}`,
        '--state',
        path.join(vault, '../state'),
      ],
    },
    previousId,
    toolNames: TOOL_NAMES,
    version: '0.0.0',
    clock: createNodeClock(node.timers),
    scheduler: NOOP_SCHEDULER,
    writeFile: (file, text) => node.fs.writeFile(path.join(vault, file), text),
    keepFile: () => Promise.resolve(true),
    onForbiddenCall: () => undefined,
    onChange: () => undefined,
    report: (error) => reported.push(error),
  });
  try {
    await session.open();
  } catch (error) {
    await session.close();
    throw error;
  }
  return { session, reported };
}

/**
 * Returns the command lines of the running programs that have the folder in their arguments or
 * environment.
 */
export function programsWith(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', 'e', '-o', 'pid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder) && !line.includes('ps -A'))
    .map((line) => line.slice(0, 200));
}
