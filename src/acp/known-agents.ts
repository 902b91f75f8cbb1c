import type { JsonObject } from '../model/event.js';

/** A program that speaks the Agent Client Protocol, as the user has added it on this device. */
export interface AgentEntry {
  readonly id: string;
  readonly title: string;
  /** Name or absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
}

/** An agent with its installation and its permission settings. */
export interface KnownAgent extends AgentEntry {
  /**
   * Shell command that installs the tested version; undefined if the agent has its own installer.
   */
  readonly install: string | undefined;
  /** Page that describes the installation. */
  readonly homepage: string;
  /**
   * Id of the mode in which the agent asks before it writes; undefined if it starts in that mode.
   */
  readonly askingMode?: string;
  /** Returns environment variables that make the agent ask, and deny it the folders. */
  readonly env?: (folders: readonly string[]) => Readonly<Record<string, string>>;
  /**
   * Returns the `_meta` of `session/new` that denies the agent the folders, which are relative to
   * its working directory.
   */
  readonly meta?: (folders: readonly string[]) => JsonObject;
  /** True if the agent may use free models of its vendor's cloud without asking. */
  readonly hasFreeCloud?: boolean;
}

/**
 * The agents that were tried. Newer Node is needed for some, and npm installs an outdated version
 * on older Node without a version.
 */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp@0.101.0',
    homepage: 'https://github.com/agentclientprotocol/claude-agent-acp',
    askingMode: 'default',
    meta: claudeMeta,
  },
  {
    id: 'codex',
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/codex-acp@2.6.0',
    homepage: 'https://github.com/agentclientprotocol/codex-acp',
    askingMode: 'read-only',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    install: 'npm install -g @google/gemini-cli@0.61.0',
    homepage: 'https://github.com/google-gemini/gemini-cli',
  },
  {
    id: 'opencode',
    title: 'opencode',
    command: 'opencode',
    args: ['acp'],
    install: 'npm install -g opencode-ai@1.18.33',
    homepage: 'https://opencode.ai',
    env: openCodeEnv,
    hasFreeCloud: true,
  },
  {
    id: 'goose',
    title: 'Goose',
    command: 'goose',
    args: ['acp'],
    install: undefined,
    homepage: 'https://block.github.io/goose',
  },
];

export function findKnownAgent(id: string): KnownAgent | undefined {
  return KNOWN_AGENTS.find((agent) => agent.id === id);
}

/**
 * Returns the agent that a typed command starts. If it is a known one, it gets that one's id, and
 * with it its permission settings. Undefined if nothing was typed.
 */
export function agentFromCommand(typed: string): AgentEntry | undefined {
  const [command = '', ...args] = typed.trim().split(/\s+/u);
  if (command === '') return undefined;
  const name = command.split(/[\\/]/u).at(-1) ?? command;
  const program = name.replace(/\.(?:exe|cmd)$/iu, '');
  const known = KNOWN_AGENTS.find(
    (agent) => agent.command === program && agent.args.every((arg) => args.includes(arg)),
  );
  const { id = `custom-${typed.trim()}`, title = name } = known ?? {};
  return { id, title, command, args };
}

function claudeMeta(folders: readonly string[]): JsonObject {
  const deny = folders.flatMap((folder) => [`Edit(${folder}/**)`, `Write(${folder}/**)`]);
  return {
    claudeCode: { options: { disallowedTools: deny, settings: { permissions: { deny } } } },
  };
}

function openCodeEnv(folders: readonly string[]): Record<string, string> {
  // The last matching rule wins.
  const denied = folders.map((folder) => [`*/${folder}/*`, 'deny']);
  const edit = Object.fromEntries([['*', 'ask'], ...denied]) as Record<string, string>;
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { edit, bash: 'ask' } }) };
}
