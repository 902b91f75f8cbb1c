import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ChatAgentFailure } from '../../../src/acp/chat-agent-failure.js';
import { createChatAgentPaths } from '../../../src/acp/chat-agent-paths.js';
import { ChatAgentSession } from '../../../src/acp/chat-agent-session.js';
import type { ChatAgentSessionOptions } from '../../../src/acp/session-options.js';
import type { ChatAgentCall } from '../../../src/acp/chat-agent-turn.js';
import type { SentImage } from '../../../src/model/message.js';
import type { TurnEvent, TurnStep } from '../../../src/chat/turn.js';
import { startChatAgentProgram } from '../../../src/node/chat-agents/chat-agent-program.js';
import { createNodeClock } from '../../../src/node/ports/host-ports.js';
import { followLinks } from '../../../src/node/ports/real-paths.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { node } from '../folders.js';

const SCRIPTED_AGENT = fileURLToPath(new URL('../../fakes/scripted-agent.mjs', import.meta.url));

/** The agent does not start the memory server. */
export const NO_MEMORY = ['no-memory'];

/** Starts the scripted agent in a folder, and ends it after the test. */
async function startScripted(cwd: string, ...quirks: string[]) {
  const agent = await startChatAgentProgram(
    { ...node, process },
    {
      command: process.execPath,
      args: [SCRIPTED_AGENT, ...quirks],
      cwd,
      env: { ...process.env, SCRIPTED_AGENT_JOURNAL: path.join(cwd, 'journal.jsonl') },
      platform: process.platform,
    },
  );
  onTestFinished(() => agent.end());
  return agent;
}

/** Creates a session with the scripted agent, which is not open yet. */
export async function createSession(
  vault: string,
  quirks: readonly string[] = [],
  options: Partial<ChatAgentSessionOptions> = {},
): Promise<ChatAgentSession> {
  return new ChatAgentSession({
    agent: { id: 'claude-code', title: 'Claude Code', command: 'claude-agent-acp', args: [] },
    process: await startScripted(vault, ...quirks),
    vault,
    paths: createChatAgentPaths({
      vault,
      protectedFolders: ['.obsidian', 'Savepoint'],
      resolve: (folder, file) => path.resolve(folder, file),
      followLinks: (folder, file) =>
        followLinks(node, path.isAbsolute(file) ? file : `${folder}/${file}`),
    }),
    memoryServer: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] },
    previousId: undefined,
    toolNames: ['createState', 'loadState'],
    version: '0.0.0',
    clock: createNodeClock(node.timers),
    scheduler: NOOP_SCHEDULER,
    writeFile: (file, text) => node.fs.writeFile(path.join(vault, file), text),
    keepFile: () => Promise.resolve(true),
    onForbiddenCall: () => undefined,
    onChange: () => undefined,
    report(error) {
      throw error;
    },
    ...options,
  });
}

export interface Turn {
  readonly events: TurnEvent[];
  readonly steps: TurnStep[];
  readonly text: string;
  readonly asked: ChatAgentCall[];
}

interface PromptControl {
  readonly images?: readonly SentImage[];
  readonly signal?: AbortSignal;
  readonly approve?: (call: ChatAgentCall) => Promise<boolean>;
  readonly onEvent?: (event: TurnEvent) => void;
}

/**
 * Sends the actions to the scripted agent and collects its turn. Approves everything by default.
 */
export async function prompt(
  session: ChatAgentSession,
  actions: readonly string[],
  control: PromptControl = {},
): Promise<Turn> {
  const { signal = new AbortController().signal } = control;
  const turn: Turn = { events: [], steps: [], text: '', asked: [] };
  let text = '';
  for await (const event of session.prompt({
    text: actions.map((action) => `do: ${action}`).join('\n'),
    images: control.images ?? [],
    signal,
    approve(call) {
      turn.asked.push(structuredClone(call));
      return control.approve?.(call) ?? Promise.resolve(true);
    },
    describe: ({ kind, details }: ChatAgentFailure) => `${kind}: ${details}`,
  })) {
    turn.events.push(event);
    control.onEvent?.(event);
    if (event.type === 'step') turn.steps.push(event.step);
    if (event.type === 'text') text += event.text;
  }
  return { ...turn, text };
}
