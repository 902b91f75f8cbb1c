import type { App } from 'obsidian';
import { openToolkit } from '../agents/open.js';
import {
  createSearchService,
  type SearchService,
  type SearchServiceOptions,
} from '../indexing/search-service.js';
import type { Services } from '../agents/services.js';
import type { JsonObject } from '../model/event.js';
import { workspaceById, workspaceOfNote } from '../model/lookup.js';
import { DEFAULT_WORKSPACE, emptyMemory, type Memory } from '../model/memory.js';
import { Refusal } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import type { Conversations } from '../chat/conversations.js';
import { createConversations } from '../chat/log-conversations.js';
import type { Blobs } from '../platform/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { DeviceAccess } from '../platform/device-access.js';
import type { Files } from '../platform/files.js';
import { createEntityId, type Random } from '../platform/random.js';
import {
  createLog,
  isOpenRequest,
  type DecidedForget,
  type DeviceStore,
  type Log,
  type LogOptions,
} from '../storage/index.js';
import type { Answer } from '../toolkit/answer.js';
import { callTool } from '../toolkit/call-tool.js';
import type { Toolkit } from '../toolkit/toolkit.js';
import { createSentTexts, type SentTexts } from './host/sent-texts.js';
import { toolsetsOff, type Settings } from './settings-schema.js';
import { CurrentWorkspace } from './current-workspace.js';
import { showWork, type LongWork, type LongWorks } from './long-work.js';
import { createStore, type Store } from './store.js';
import { text } from './i18n/index.js';

/** Progress of reading the memory after the app has started. */
export type MemoryStatus =
  | { readonly phase: 'waiting' | 'reading' | 'ready' }
  | { readonly phase: 'failed'; readonly error: string };

/** The memory of the vault while the plugin runs, for commands, views and settings. */
export type Savepoint = Pick<SavepointService, keyof SavepointService>;

export interface SavepointOptions extends Pick<
  LogOptions,
  | 'identities'
  | 'copies'
  | 'cache'
  | 'cachedLanes'
  | 'device'
  | 'app'
  | 'yieldToHost'
  | 'watch'
  | 'onNewerVersion'
  | 'forgetStore'
  | 'keptHashes'
  | 'onDestroy'
> {
  readonly obsidian: App;
  /** The parts of search that depend on the device. */
  readonly search: Pick<
    SearchServiceOptions,
    'notes' | 'embedder' | 'limits' | 'yieldToHostWhenIdle'
  > & { readonly blobs: Blobs };
  /** A change of the data folder has no effect. */
  readonly settings: Store<Settings>;
  readonly deviceStore: DeviceStore;
  readonly files: Files;
  readonly deviceAccess: DeviceAccess;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (error: unknown) => void;
}

const BYTES_PER_MB = 1024 * 1024;
const READY_TIMEOUT_MS = 30_000;
const MAX_SEARCH_WAIT_MS = { words: 2000, embeddings: 0 };

/** The log, the search indexes and the tools of one data folder. */
export class SavepointService {
  readonly app: App;
  readonly services: Services;
  readonly deviceStore: DeviceStore;
  readonly sentTexts: SentTexts;
  readonly toolkit: Toolkit<Services>;
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly #memoryStatus = createStore<MemoryStatus>({ phase: 'waiting' });
  readonly memoryStatus: Store<MemoryStatus> = this.#memoryStatus;
  readonly #memory = createStore<Memory>(emptyMemory);
  /** The memory as last read; empty until it has been read once. */
  readonly memory: Store<Memory> = this.#memory;
  readonly #callsAdded = createStore(0);
  /** Number of times since the start that any device or program added tool calls to the log. */
  readonly callsAdded: Store<number> = this.#callsAdded;
  readonly #forgetRequests = createStore<readonly DecidedForget[]>([]);
  /** Events of other devices that forget something, as long as this one's user can refuse. */
  readonly forgetRequests: Store<readonly DecidedForget[]> = this.#forgetRequests;
  readonly work: LongWorks = createStore<readonly LongWork[]>([]);
  /** The id of the current workspace: that of the view in focus, otherwise the device's. */
  readonly workspaceId: Store<string>;
  /** Id of this device's workspace, current while no view with a workspace has the focus. */
  readonly deviceWorkspaceId: Store<string>;
  /** The toolkit for the user's own actions, for which no toolset is switched off. */
  readonly #userToolkit: Toolkit<Services>;
  readonly #untracedToolkit: Toolkit<Services>;
  readonly #currentWorkspace: CurrentWorkspace;
  readonly #log: Log;
  readonly #search: SearchService;
  readonly #settings: Store<Settings>;
  readonly #report: (error: unknown) => void;
  readonly #sessionId: string;
  readonly #unsubscribe: () => void;
  #refreshing: Promise<void> | undefined;

  constructor(options: SavepointOptions) {
    const { obsidian, settings, files, clock, random, report } = options;
    const { dataFolder, defaultWorkspace } = settings.get();
    const log = openLog(options, async (removals) => {
      await search.clearIndex();
      await this.sentTexts.remove(() => true);
      await options.onDestroy?.(removals);
      const { removeNotes } = await import('../transfer/mirror/remove-notes.js');
      await removeNotes(files, dataFolder, removals);
    });
    const search = createSearchService({
      log,
      clock,
      random,
      yieldToHost: options.yieldToHost,
      warn: report,
      ...options.search,
      maxWaitMs: MAX_SEARCH_WAIT_MS,
      skippedFolders: () => Promise.resolve([dataFolder, ...settings.get().excludedFolders]),
    });
    search.onProgress(() => {
      const { done, total } = search.progress() ?? { done: 0, total: 0 };
      showWork(this.work, text.general.indexing, done < total ? done / total : undefined);
    });
    this.app = obsidian;
    this.clock = clock;
    this.deviceStore = options.deviceStore;
    this.sentTexts = createSentTexts(options.search.blobs, clock);
    const { deviceAccess: device, copies } = options;
    this.services = { log, files, dataFolder, clock, random, search, device, copies };
    this.toolkit = openToolkit({
      services: this.services,
      report,
      memory: this.readMemory,
      isReadOnly: false,
      refuse: () => Promise.resolve(undefined),
      excludedFolders: () => settings.get().excludedFolders,
      disabledToolsets: () => toolsetsOff(settings.get()),
    });
    const host: Toolkit<Services>['host'] = {
      ...this.toolkit.host,
      disabledToolsets: () => [],
      refuse: () => Promise.resolve(undefined),
    };
    this.#userToolkit = { ...this.toolkit, host };
    const untraced = { ...host, writeTrace: () => Promise.resolve() };
    this.#untracedToolkit = { ...this.toolkit, host: untraced };
    this.conversations = createConversations(log, random);
    this.#currentWorkspace = new CurrentWorkspace(obsidian, this.memory, defaultWorkspace);
    this.workspaceId = this.#currentWorkspace.id;
    this.deviceWorkspaceId = this.#currentWorkspace.deviceId;
    this.#log = log;
    this.#search = search;
    this.#settings = settings;
    this.#report = report;
    this.#sessionId = createEntityId(random);
    this.#unsubscribe = settings.subscribe(() => search.rescan());
  }

  get settings(): Settings {
    return this.#settings.get();
  }

  /** Reads the memory. `memoryStatus` reports errors; another call tries again. */
  async start(): Promise<void> {
    const { phase } = this.memoryStatus.get();
    if (phase === 'reading' || phase === 'ready') return;
    this.#memoryStatus.set({ phase: 'reading' });
    try {
      this.#memory.set(await this.#log.memory());
      this.#updateRequests();
      this.#memoryStatus.set({ phase: 'ready' });
      this.#search.start();
      this.#log.onChange((change) => {
        if (change.memory) this.refresh().catch(this.#report);
        if (change.traces) this.#callsAdded.set(this.callsAdded.get() + 1);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) this.#report(error);
      this.#memoryStatus.set({
        phase: 'failed',
        error: error instanceof Refusal ? error.message : text.general.fault,
      });
    }
  }

  /** Resolves once the memory is read. Rejects with a `Refusal` on failure and after 30 seconds. */
  whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        unsubscribe();
        cancel();
        settle();
      };
      const check = () => {
        const status = this.memoryStatus.get();
        if (status.phase === 'ready') finish(resolve);
        else if (status.phase === 'failed') finish(() => reject(new Refusal(status.error)));
      };
      const unsubscribe = this.memoryStatus.subscribe(check);
      const cancel = this.clock.after(READY_TIMEOUT_MS, () =>
        finish(() =>
          reject(
            new Refusal(
              'Savepoint is still loading the memory of this vault. Nothing was done; try again in a minute.',
            ),
          ),
        ),
      );
      check();
    });
  }

  /** Resolves with the up-to-date memory; first waits until the memory has been read once. */
  readonly readMemory = async (): Promise<Memory> => {
    await this.whenReady();
    return this.#log.memory();
  };

  /** Updates `memory`. Calls in the same task share one read, which starts after all of them. */
  async refresh(): Promise<void> {
    if (this.memoryStatus.get().phase !== 'ready') return;
    this.#refreshing ??= Promise.resolve().then(async () => {
      this.#refreshing = undefined;
      this.#memory.set(await this.#log.memory());
      this.#updateRequests();
    });
    await this.#refreshing;
  }

  workspace(): Workspace {
    return workspaceById(this.memory.get(), this.workspaceId.get());
  }

  /** Returns the workspace of the note that is open, else the current one. */
  workspaceOfOpenNote(): Workspace {
    const path = this.app.workspace.getActiveFile()?.path;
    return workspaceOfNote(this.memory.get(), path) ?? this.workspace();
  }

  /** Moves this device to a workspace, which becomes the current one. */
  enterWorkspace(id: string): void {
    this.#currentWorkspace.enter(id);
  }

  /** Sets the workspace of the view in focus; undefined if it has none. */
  focusWorkspace(id: string | undefined): void {
    this.#currentWorkspace.focus(id);
  }

  /** Calls a tool as the user, by default in the current workspace; untraced without a session. */
  async call(
    tool: string,
    params: JsonObject,
    workspaceId?: string,
    sessionId?: string,
  ): Promise<Answer> {
    const defaults = {
      sessionId: sessionId ?? this.#sessionId,
      workspaceId: workspaceId ?? (await this.#currentWorkspaceId()),
    };
    const toolkit = sessionId === undefined ? this.#untracedToolkit : this.#userToolkit;
    const answer = await callTool(toolkit, { tool, params, defaults });
    await this.refresh().catch(this.#report); // callers look at the memory next
    return answer;
  }

  /** See `Log.releaseWriters`. */
  releaseWriters(): Promise<void> {
    return this.#log.releaseWriters();
  }

  async close(): Promise<void> {
    for (const { stop } of this.work.get()) stop?.('closed');
    this.#unsubscribe();
    this.#currentWorkspace.close();
    await this.#search.close().finally(() => this.#log.close());
  }

  #updateRequests(): void {
    const open = this.#log.forgetting.known().filter(isOpenRequest);
    const keysOf = (forgets: readonly DecidedForget[]) => forgets.map(({ key }) => key).join();
    if (keysOf(open) !== keysOf(this.forgetRequests.get())) this.#forgetRequests.set(open);
  }

  async #currentWorkspaceId(): Promise<string> {
    return this.whenReady()
      .then(() => this.workspace().id)
      .catch(() => DEFAULT_WORKSPACE);
  }
}

function openLog(options: SavepointOptions, onDestroy: NonNullable<LogOptions['onDestroy']>): Log {
  const { settings, report: warn } = options;
  return createLog({
    ...options,
    root: settings.get().dataFolder,
    warn,
    program: 'app',
    onDestroy,
    traceLimits: {
      get days() {
        return settings.get().traceDays;
      },
      get bytes() {
        return settings.get().traceMegabytes * BYTES_PER_MB;
      },
    },
  });
}
