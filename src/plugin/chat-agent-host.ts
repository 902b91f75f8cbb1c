import { Notice, type App } from 'obsidian';
import { ChatAgentFailure } from '../acp/chat-agent-failure.js';
import { createChatAgentPaths, type ChatAgentPaths } from '../acp/chat-agent-paths.js';
import { ChatAgentSession } from '../acp/chat-agent-session.js';
import type { MemoryServer } from '../acp/session-options.js';
import type { ChatAgentChange, UndoResult } from '../acp/changes/change-tracker.js';
import { MODE_ID } from '../acp/session-settings.js';
import { findKnownChatAgent, type ChatAgent } from '../acp/known-chat-agents.js';
import { diffOf } from '../acp/line-diff.js';
import { imagesOf } from '../chat/prompt.js';
import type { TurnEvent } from '../chat/turn.js';
import type { FileDiff } from '../model/message.js';
import { Refusal } from '../model/refusal.js';
import { visibleText } from '../model/text/visible-text.js';
import { isProgramRunning, startChatAgentProgram } from '../node/chat-agents/chat-agent-program.js';
import {
  chatAgentEnvironment,
  findChatAgents,
  findChatAgentProgram,
} from '../node/chat-agents/find-chat-agents.js';
import { findNode } from '../node/client-setup/find-node.js';
import { followLinks } from '../node/ports/real-paths.js';
import type {
  ChatAgentService,
  ChatAgentTurnRequest,
  RunningChatAgent,
} from '../obsidian/chat-agents/chat-agent-service.js';
import type { ChatAgentList } from '../obsidian/chat-agents/chat-agent-list.js';
import { yieldToHost } from '../obsidian/host/browser-ports.js';
import { report } from '../obsidian/host/logger.js';
import { text } from '../obsidian/i18n/index.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import { createStore, type Store } from '../obsidian/store.js';
import { Scheduler } from '../platform/scheduler.js';
import { allTools } from '../toolkit/toolkit.js';
import type { Toolkit } from '../toolkit/toolkit.js';
import type { Services } from '../agents/services.js';
import type { Disk } from './disk.js';
import {
  describeFailure,
  failedStep,
  firstPrompt,
  isCommand,
  protectedChange,
  sentText,
} from './chat-agent-texts.js';
import { loadSessionId, saveSessionId } from './chat-agent-session-ids.js';
import { VaultChanges } from './vault-changes.js';

export interface ChatAgentHostOptions {
  readonly app: App;
  readonly disk: Disk;
  readonly savepoint: Savepoint;
  readonly toolkit: Toolkit<Services>;
  readonly list: ChatAgentList;
  /** An absolute path. */
  readonly program: string;
  readonly version: string;
}

interface OpenChatAgent {
  readonly agentId: string;
  readonly session: ChatAgentSession;
  hasMemory: boolean;
  /** True once the session knows what came before. */
  isBriefed: boolean;
  cancelIdle: (() => void) | undefined;
}

/** An agent unused for this long is ended. The next message continues its session. */
const IDLE_MS = 15 * 60_000;
/** Agents start their MCP servers soon after a session has begun. */
const MEMORY_TIMEOUT_MS = 20_000;

/** Runs the agents of all conversations, one program for each. */
export class ChatAgentHost implements ChatAgentService {
  readonly revision: Store<number>;
  readonly #options: ChatAgentHostOptions;
  readonly #revision = createStore(0);
  readonly #scheduler: Scheduler;
  readonly #paths: ChatAgentPaths;
  readonly #open = new Map<string, OpenChatAgent>();
  readonly #changes: VaultChanges;

  constructor(options: ChatAgentHostOptions) {
    const { app, disk, savepoint } = options;
    const { path } = disk.node;
    this.revision = this.#revision;
    this.#options = options;
    this.#scheduler = new Scheduler(savepoint.clock, yieldToHost);
    this.#paths = createChatAgentPaths({
      vault: disk.vault,
      protectedFolders: [app.vault.configDir, savepoint.services.dataFolder],
      resolve: (vault, each) => path.resolve(vault, each),
      // Joined without being normalized: `..` after a link leads to the parent of its target.
      followLinks: (vault, each) =>
        followLinks(disk.node, path.isAbsolute(each) ? each : `${vault}${path.sep}${each}`),
    });
    this.#changes = new VaultChanges(options, this.#scheduler, () => this.#notify());
  }

  find() {
    const { node } = this.#options.disk;
    return findChatAgents(node, this.#hostEnvironment());
  }

  async verify(agent: ChatAgent): Promise<void> {
    const { random } = this.#options.savepoint.services;
    const id = `verify-${[...random.bytes(4)].join('')}`;
    try {
      const session = await this.#start(agent, id, '', undefined);
      await session.close();
    } catch (error) {
      throw new Refusal(describeFailure(agent, error), { cause: error });
    }
  }

  async *run(request: ChatAgentTurnRequest): AsyncGenerator<TurnEvent> {
    const { agentId, conversationId, path, signal, approve } = request;
    const { savepoint } = this.#options;
    const agent = this.#options.list.entries.get().find(({ id }) => id === agentId);
    const turnId = path.at(-1)?.id ?? '';
    if (!agent) {
      yield failedStep(text.chatAgents.notAdded(findKnownChatAgent(agentId)?.title ?? agentId));
      return;
    }
    try {
      const tracker = await this.#changes.open();
      const open = await this.#openAgent(agent, request);
      if (signal.aborted) {
        yield { type: 'step', step: { parts: [], end: 'stopped', usage: undefined } };
        return;
      }
      const images = path.slice(-1).flatMap(imagesOf);
      if (images.length > 0 && !open.session.takesImages)
        throw new Refusal(text.chat.failures.noImages(agent.title));
      await tracker.begin(conversationId, turnId);
      const endWatch = this.#changes.watchProtected(tracker, { conversationId, turnId }, (file) => {
        new Notice(protectedChange(agent.title, file, savepoint.services.dataFolder), 0);
      });
      try {
        yield* open.session.prompt({
          text: await this.#promptText(request, open),
          images,
          signal,
          describe: (failure) => describeFailure(agent, failure),
          approve: async (call) => {
            for (const file of call.paths) {
              const place = await this.#paths.locate(file);
              if ('inner' in place) tracker.announce(turnId, place.inner);
            }
            return approve(call);
          },
        });
      } finally {
        await tracker.end(turnId);
        endWatch();
        this.#watchIdle(conversationId, open);
      }
    } catch (error) {
      yield failedStep(describeFailure(agent, error));
    }
    this.#notify();
  }

  running(conversationId: string): RunningChatAgent | undefined {
    const open = this.#open.get(conversationId);
    if (!open?.session.isOpen) return undefined;
    const { settings, commands, contextLimit } = open.session;
    const mode = settings.find(({ id }) => id === MODE_ID)?.value;
    return { settings, commands, mode, contextLimit, hasMemory: open.hasMemory };
  }

  async changeSetting(conversationId: string, id: string, value: string): Promise<void> {
    const open = this.#open.get(conversationId);
    const agent = this.#options.list.entries.get().find((each) => each.id === open?.agentId);
    if (!open || !agent) return;
    try {
      await open.session.change(id, value);
    } catch (error) {
      throw new Refusal(describeFailure(agent, error), { cause: error });
    }
  }

  async loadChanges(conversationId: string): Promise<void> {
    await (await this.#changes.open()).load(conversationId);
    this.#notify();
  }

  changes(conversationId: string): readonly ChatAgentChange[] {
    return this.#changes.opened?.changes(conversationId) ?? [];
  }

  async diff(change: ChatAgentChange): Promise<FileDiff | undefined> {
    const texts = await (await this.#changes.open()).texts(change);
    if (texts === 'bytes') return { path: change.path, lines: [], isCut: true };
    return texts && diffOf(change.path, texts.before, texts.after);
  }

  async undo(conversationId: string, changes: readonly ChatAgentChange[]): Promise<UndoResult> {
    return (await this.#changes.open()).undo(conversationId, changes);
  }

  /** Ends all agents. Resolves when no process is left. */
  async close(): Promise<void> {
    this.#changes.close();
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { cancelIdle } of open) cancelIdle?.();
    await Promise.all(open.map(({ session }) => session.close()));
  }

  async #openAgent(agent: ChatAgent, request: ChatAgentTurnRequest): Promise<OpenChatAgent> {
    const { conversationId, workspaceId, signal } = request;
    const { app } = this.#options;
    const known = this.#open.get(conversationId);
    known?.cancelIdle?.();
    if (known?.agentId === agent.id && known.session.isOpen) return known;
    this.#open.delete(conversationId);
    await known?.session.close();
    const previous = loadSessionId(app, conversationId, agent.id);
    const session = await this.#start(agent, conversationId, workspaceId, previous, signal);
    const open: OpenChatAgent = {
      agentId: agent.id,
      session,
      hasMemory: true,
      isBriefed: session.isResumed,
      cancelIdle: undefined,
    };
    this.#open.set(conversationId, open);
    saveSessionId(app, conversationId, agent.id, session.id);
    this.#options.toolkit.sessions.enterWorkspace(conversationId, workspaceId);
    this.#options.savepoint.clock.after(MEMORY_TIMEOUT_MS, () => {
      void this.#checkMemory(conversationId, open).catch(report);
    });
    return open;
  }

  async #start(
    agent: ChatAgent,
    conversationId: string,
    workspaceId: string,
    previousId: string | undefined,
    signal?: AbortSignal,
  ): Promise<ChatAgentSession> {
    const { disk, savepoint, toolkit, version } = this.#options;
    const { node, vault } = disk;
    const host = this.#hostEnvironment();
    const command = await findChatAgentProgram(node, host, agent.command);
    if (command === undefined) throw new ChatAgentFailure('missing', agent.command);
    const known = findKnownChatAgent(agent.id);
    const env = {
      ...(await chatAgentEnvironment(node, host)),
      ...known?.env?.(this.#paths.protectedFolders),
    };
    const memoryServer = await this.#memoryServer(conversationId, workspaceId);
    const process = await startChatAgentProgram(node, {
      command,
      args: agent.args,
      cwd: vault,
      env,
      platform: host.platform,
    });
    const session = new ChatAgentSession({
      agent,
      process,
      vault,
      paths: this.#paths,
      memoryServer,
      previousId,
      toolNames: allTools(toolkit).map(({ tool }) => tool.name),
      version,
      clock: savepoint.clock,
      scheduler: this.#scheduler,
      writeFile: (file, written) => this.#changes.write(file, written),
      keepFile: (file) => this.#changes.keep(file),
      onForbiddenCall: (file, stage) => {
        void this.#changes.followForbidden(file, stage).catch(report);
        if (stage === 'writing')
          new Notice(text.chatAgents.wroteElsewhere(agent.title, visibleText(file)), 0);
      },
      onChange: () => this.#notify(),
      report,
    });
    const stop = () => void session.close().catch(report);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await session.open();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async #memoryServer(conversationId: string, workspaceId: string): Promise<MemoryServer> {
    const { disk, program } = this.#options;
    const { env } = disk.node.process;
    const state = env['SAVEPOINT_STATE'];
    return {
      command: await findNode(disk.node, this.#hostEnvironment()),
      args: [
        program,
        'mcp',
        '--vault',
        disk.vault,
        '--session',
        conversationId,
        ...(workspaceId === '' ? [] : ['--workspace', workspaceId]),
        ...(state === undefined ? [] : ['--state', state]),
      ],
    };
  }

  /** Returns the user's message. The first one of a session carries what the agent should know. */
  async #promptText(request: ChatAgentTurnRequest, open: OpenChatAgent): Promise<string> {
    if (open.isBriefed || isCommand(request)) return sentText(request.path.slice(-1));
    open.isBriefed = true;
    return firstPrompt(this.#options.savepoint, request);
  }

  async #checkMemory(conversationId: string, open: OpenChatAgent): Promise<void> {
    const { node } = this.#options.disk;
    if (this.#open.get(conversationId) !== open || !open.session.isOpen) return;
    open.hasMemory = await isProgramRunning(node, `--session ${conversationId}`);
    this.#notify();
  }

  #watchIdle(conversationId: string, open: OpenChatAgent): void {
    open.cancelIdle = this.#options.savepoint.clock.after(IDLE_MS, () => {
      this.#open.delete(conversationId);
      void open.session.close().catch(report);
    });
  }

  #hostEnvironment() {
    const { node } = this.#options.disk;
    const { env, platform, execPath } = node.process;
    if (env['FLATPAK_ID'] !== undefined) throw new Refusal(text.chatAgents.inFlatpak);
    return { env, platform, execPath, home: node.os.homedir() };
  }

  #notify(): void {
    this.#revision.set(this.#revision.get() + 1);
  }
}
