/*
 * Agents in a page, where there is no Node: the script of agents-in-page.ts. The sessions, turns,
 * changes and the plugin's UI are the real ones. The programs run in the test's process, or in the
 * page (busy-agent.ts).
 */

import type { App } from 'obsidian';
import type { ChatAgentFailure } from '../../src/acp/chat-agent-failure.js';
import { createChatAgentPaths } from '../../src/acp/chat-agent-paths.js';
import type { ChatAgentProcess } from '../../src/acp/chat-agent-process.js';
import { ChatAgentSession } from '../../src/acp/chat-agent-session.js';
import {
  ChangeTracker,
  type ChatAgentChange,
  type ChangeStore,
  type UndoResult,
} from '../../src/acp/changes/change-tracker.js';
import { knownChatAgents, type ChatAgent } from '../../src/acp/known-chat-agents.js';
import { diffOf } from '../../src/acp/line-diff.js';
import { MODE_ID } from '../../src/acp/session-settings.js';
import type { TurnEvent } from '../../src/chat/turn.js';
import type { ChatAgentList } from '../../src/obsidian/chat-agents/chat-agent-list.js';
import type {
  ChatAgentService,
  ChatAgentTurnRequest,
  RunningChatAgent,
} from '../../src/obsidian/chat-agents/chat-agent-service.js';
import type { ChatService } from '../../src/obsidian/chat/chat-service.js';
import { yieldToHost } from '../../src/obsidian/host/browser-ports.js';
import type { Savepoint } from '../../src/obsidian/savepoint.js';
import { createStore, type WritableStore } from '../../src/obsidian/store.js';
import { isEqualBytes } from '../../src/platform/bytes/bytes.js';
import { Scheduler } from '../../src/platform/scheduler.js';
import { replaceVaultFile } from '../../src/plugin/replace-vault-file.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { startBusyAgent } from './busy-agent.js';

/** The test's side: programs, by a number. */
export interface AgentPrograms {
  readonly startProgram: (command: string) => Promise<number>;
  readonly writeToProgram: (id: number, text: string) => Promise<void>;
  readonly endProgram: (id: number) => Promise<void>;
}

/** The page's side. */
export interface PageAgentsApi {
  /** Replaces the plugin's chat by one with agents. */
  install(options: InstallOptions): Promise<void>;
  /** Adds the first known agent, as the settings do. */
  addFirst(): void;
  receive(id: number, text: string): void;
}

export interface InstallOptions {
  /** Absolute path of the folder in which the agents run. */
  readonly vault: string;
  /** Commands of the agents that are not installed. */
  readonly missing: readonly string[];
  /** False if the panel finds that the agents have not started the memory server. */
  readonly hasMemory: boolean;
  /** The arguments of Node for the memory server, which the agents start only if it is given. */
  readonly memoryServer?: readonly string[] | undefined;
  /** True if the agent runs in the page and sends many updates. */
  readonly isBusy: boolean;
}

declare global {
  interface Window extends AgentPrograms {
    __agents: PageAgentsApi;
  }
}

/** The parts of the plugin that `install` reaches into. */
interface PluginParts {
  readonly chatAgents: ChatAgentList;
  readonly sessions: { readonly chat: WritableStore<ChatService | undefined> };
}

const receivers = new Map<number, (chunk: Uint8Array) => void>();

async function startRemote({ command }: ChatAgent): Promise<ChatAgentProcess> {
  const id = await window.startProgram(command);
  return {
    listen: (onData) => receivers.set(id, onData),
    pause: () => undefined,
    resume: () => undefined,
    write: (text) => window.writeToProgram(id, text),
    lastOutput: () => '',
    end: () => window.endProgram(id),
  };
}

/** Contents and changes, kept until the page is closed. */
function createMemoryStore(): ChangeStore {
  const contents: Uint8Array[] = [];
  const changes = new Map<string, readonly ChatAgentChange[]>();
  return {
    put(content) {
      const known = contents.findIndex((each) => isEqualBytes(each, content));
      return Promise.resolve(String(known < 0 ? contents.push(content) - 1 : known));
    },
    get: (hash) => Promise.resolve(contents[Number(hash)]),
    saveChanges(id, list) {
      changes.set(id, list);
      return Promise.resolve();
    },
    loadChanges: (id) => Promise.resolve(changes.get(id) ?? []),
  };
}

class PageAgents implements ChatAgentService {
  readonly revision = createStore(0);
  readonly #sessions = new Map<string, ChatAgentSession>();
  /** The agent of each session, by the conversation's id. */
  readonly #agents = new Map<string, string>();
  readonly #scheduler: Scheduler;
  readonly #tracker: ChangeTracker;

  constructor(
    private readonly app: App,
    private readonly savepoint: Savepoint,
    private readonly list: ChatAgentList,
    private readonly options: InstallOptions,
  ) {
    const { vault } = app;
    const notes = () => vault.getMarkdownFiles();
    const read = async (path: string) => {
      const file = vault.getFileByPath(path);
      return file ? new Uint8Array(await vault.readBinary(file)) : undefined;
    };
    this.#scheduler = new Scheduler(savepoint.clock, yieldToHost);
    this.#tracker = new ChangeTracker(
      {
        list: () =>
          Promise.resolve(
            notes().map(({ path, stat }) => ({ path, stamp: `${stat.size}-${stat.mtime}` })),
          ),
        isTracked: (path) => path.endsWith('.md'),
        read,
        ownWrites: () => undefined,
        replace: (path, current, changed) => replaceVaultFile(app, path, current, changed),
      },
      createMemoryStore(),
      savepoint.clock,
      this.#scheduler,
      () => this.#notify(),
    );
  }

  find() {
    const { missing } = this.options;
    return Promise.resolve(
      knownChatAgents().map((agent) => ({
        agent,
        program: missing.includes(agent.command) ? undefined : `/usr/bin/${agent.command}`,
      })),
    );
  }

  async verify(agent: ChatAgent): Promise<void> {
    await (await this.#start(agent)).close();
  }

  async *run(request: ChatAgentTurnRequest): AsyncGenerator<TurnEvent> {
    const { agentId, conversationId, path, signal, approve } = request;
    const agent = this.list.entries.get().find(({ id }) => id === agentId);
    if (!agent) throw new Error(`${agentId} has not been added`);
    if (this.#agents.get(conversationId) !== agentId) {
      await this.#sessions.get(conversationId)?.close();
      this.#sessions.set(conversationId, await this.#start(agent));
      this.#agents.set(conversationId, agentId);
    }
    const session = this.#sessions.get(conversationId)!;
    const turnId = path.at(-1)?.id ?? '';
    const parts = path.at(-1)?.parts ?? [];
    await this.#tracker.begin(conversationId, turnId);
    yield* session.prompt({
      text: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
      images: [],
      signal,
      approve,
      describe: (failure: ChatAgentFailure) => failure.details,
    });
    await this.#tracker.end(turnId);
    this.#notify();
  }

  running(conversationId: string): RunningChatAgent | undefined {
    const session = this.#sessions.get(conversationId);
    if (!session) return undefined;
    const { settings, commands, contextLimit } = session;
    const mode = settings.find(({ id }) => id === MODE_ID)?.value;
    return { settings, commands, mode, contextLimit, hasMemory: this.options.hasMemory };
  }

  async changeSetting(conversationId: string, id: string, value: string): Promise<void> {
    await this.#sessions.get(conversationId)?.change(id, value);
  }

  loadChanges(conversationId: string): Promise<void> {
    return this.#tracker.load(conversationId);
  }

  changes(conversationId: string): readonly ChatAgentChange[] {
    return this.#tracker.changes(conversationId);
  }

  async diff(change: ChatAgentChange) {
    const texts = await this.#tracker.texts(change);
    if (texts === 'bytes') return undefined;
    return texts && diffOf(change.path, texts.before, texts.after);
  }

  undo(conversationId: string, changes: readonly ChatAgentChange[]): Promise<UndoResult> {
    return this.#tracker.undo(conversationId, changes);
  }

  async #start(agent: ChatAgent): Promise<ChatAgentSession> {
    const { vault, isBusy, memoryServer = [] } = this.options;
    const { clock, toolkit } = this.savepoint;
    const resolve = (folder: string, file: string) =>
      file.startsWith('/') ? file : `${folder}/${file}`;
    const paths = createChatAgentPaths({
      vault,
      protectedFolders: ['.obsidian', 'Savepoint'],
      resolve,
      followLinks: (folder, file) => Promise.resolve(file === '.' ? folder : resolve(folder, file)),
    });
    const session = new ChatAgentSession({
      agent,
      process: isBusy ? startBusyAgent() : await startRemote(agent),
      vault,
      paths,
      memoryServer: { command: 'node', args: memoryServer },
      previousId: undefined,
      toolNames: allTools(toolkit).map(({ tool }) => tool.name),
      version: '0.0.0',
      clock,
      scheduler: this.#scheduler,
      writeFile: async (file, text) => {
        await replaceVaultFile(this.app, file, undefined, new TextEncoder().encode(text));
        await this.#tracker.observe(file);
      },
      keepFile: (file) => this.#tracker.keep(file),
      onForbiddenCall: () => undefined,
      onChange: () => this.#notify(),
      report(error) {
        throw error;
      },
    });
    await session.open();
    return session;
  }

  #notify(): void {
    this.revision.set(this.revision.get() + 1);
  }
}

function pluginParts(): PluginParts {
  const { app } = window.__host.host as unknown as {
    app: { plugins: { plugins: Record<string, PluginParts> } };
  };
  const plugin = app.plugins.plugins['savepoint'];
  if (!plugin) throw new Error('The plugin is not loaded');
  return plugin;
}

window.__agents = {
  async install(options) {
    const { app } = window.__host.host as unknown as { app: App };
    const { chatAgents, sessions } = pluginParts();
    while (!sessions.chat.get()) await yieldToHost();
    const chat = sessions.chat.get()!;
    const { savepoint, models, capture } = chat;
    const Chat = chat.constructor as typeof ChatService;
    const replaced = new Chat({
      savepoint,
      models,
      capture,
      conversations: savepoint.conversations,
      chatAgents: new PageAgents(app, savepoint, chatAgents, options),
      changeSettings: (change) => chat.changeSettings(change),
    });
    await chat.close();
    sessions.chat.set(replaced);
  },
  addFirst() {
    const { id, title, command, args } = knownChatAgents()[0]!;
    pluginParts().chatAgents.putFirst({ id, title, command, args });
  },
  receive: (id, text) => receivers.get(id)?.(new TextEncoder().encode(text)),
};
