import type { App } from 'obsidian';
import { openToolset } from '../agents/open.js';
import { createSearchService, type SearchServiceOptions } from '../indexing/search-service.js';
import type { Services } from '../agents/services.js';
import type { JsonObject } from '../model/event.js';
import { workspaceById } from '../model/lookup.js';
import { DEFAULT_WORKSPACE, emptyMemory, type Memory } from '../model/memory.js';
import { Refusal } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import type { Conversations } from '../chat/conversations.js';
import { createConversations } from '../chat/log-conversations.js';
import type { Clock } from '../platform/clock.js';
import type { Files } from '../platform/files.js';
import { createEntityId, type Random } from '../platform/random.js';
import { createLog, type LogOptions } from '../storage/log.js';
import type { Answer } from '../toolkit/answer.js';
import { callTool } from '../toolkit/call-tool.js';
import type { Toolset } from '../toolkit/toolset.js';
import { agentsOff, type Settings } from './settings-schema.js';
import { createStore, type Store } from './store.js';
import { text } from './i18n/index.js';

/** How far the memory has been read since the app started. */
export type MemoryStatus =
  | { readonly phase: 'waiting' | 'reading' | 'ready' }
  | { readonly phase: 'failed'; readonly error: string };

/** The memory of the vault while the plugin runs: what commands, views and settings work with. */
export interface Savepoint {
  readonly app: App;
  readonly services: Services;
  readonly toolset: Toolset<Services>;
  readonly conversations: Conversations;
  /** What the person has chosen, as it is now. */
  readonly settings: Settings;
  readonly memoryStatus: Store<MemoryStatus>;
  /** The memory as it was last read; the empty one until then. */
  readonly memory: Store<Memory>;
  /** The memory as it lies in the folder now; waits until it can be read. */
  readonly readMemory: () => Promise<Memory>;
  /** The id of the workspace that this device is in. */
  readonly workspaceId: Store<string>;
  /** How often tool calls have been added since the start, by whomever. */
  readonly callsAdded: Store<number>;
  readonly clock: Clock;
  /** Begins to read. What fails is told by `reading`; calling it again tries again. */
  start(): Promise<void>;
  /** Resolves once the memory has been read. Throws a `Refusal` where it cannot be, or is not within 30 seconds. */
  whenReady(): Promise<void>;
  /** Reads what has come since, and tells those who follow `memory`. */
  refresh(): Promise<void>;
  /** The workspace that this device is in. */
  workspace(): Workspace;
  enterWorkspace(id: string): void;
  /** Calls a tool as the person at this device, in the given workspace (by id), else in the one that the device is in. */
  call(tool: string, params: JsonObject, workspaceId?: string): Promise<Answer>;
  close(): Promise<void>;
}

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
  | 'metNewer'
> {
  readonly obsidian: App;
  /** What this device brings to the search. */
  readonly search: Pick<
    SearchServiceOptions,
    'notes' | 'blobs' | 'meaning' | 'limits' | 'yieldToHostWhenIdle'
  >;
  /** The data folder among them stays what it was at first. */
  readonly settings: Store<Settings>;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (error: unknown) => void;
}

const MEGABYTE = 1024 * 1024;
const READY_LIMIT = 30_000;
/** How long a search waits for notes to be found by their words, and by what they mean, in milliseconds. */
const SEARCH_PATIENCE = { words: 2000, meaning: 0 };
const WORKSPACE_KEY = 'savepoint-workspace';

export function createSavepoint(options: SavepointOptions): Savepoint {
  const { obsidian, settings, files, clock, random, report } = options;
  const { dataFolder, defaultWorkspace } = settings.get();
  const {
    identities,
    copies,
    cache,
    cachedLanes,
    device,
    app,
    yieldToHost,
    watch,
    onNewerVersion: metNewer,
  } = options;
  const log = createLog({
    files,
    root: dataFolder,
    clock,
    random,
    identities,
    device,
    app,
    warn: report,
    ...(copies && { copies }),
    ...(cache && { cache }),
    ...(cachedLanes && { cachedLanes }),
    ...(yieldToHost && { yieldToHost }),
    ...(watch && { watch }),
    ...(metNewer && { onNewerVersion: metNewer }),
    traceLimits: {
      get days() {
        return settings.get().traceDays;
      },
      get bytes() {
        return settings.get().traceMegabytes * MEGABYTE;
      },
    },
  });
  const search = createSearchService({
    log,
    clock,
    random,
    yieldToHost,
    warn: report,
    ...options.search,
    patience: SEARCH_PATIENCE,
    skippedFolders: () => Promise.resolve([dataFolder, ...settings.get().excludedFolders]),
  });
  const stopFollowing = settings.subscribe(() => search.lookAgain());
  const services: Services = { log, files, dataFolder, clock, random, search };
  const toolset = openToolset({
    services,
    report,
    memory: readMemory,
    isReadOnly: false,
    refuse: () => Promise.resolve(undefined),
    excludedFolders: () => settings.get().excludedFolders,
    disabledAgents: () => agentsOff(settings.get()),
  });
  const reading = createStore<MemoryStatus>({ phase: 'waiting' });
  const current = createStore<Memory>(emptyMemory);
  const callsAdded = createStore(0);
  const workspaceId = createStore(heldWorkspace() ?? defaultWorkspace);
  const sessionId = createEntityId(random);
  let refreshing: Promise<void> | undefined;

  function heldWorkspace(): string | undefined {
    const held: unknown = obsidian.loadLocalStorage(WORKSPACE_KEY);
    return typeof held === 'string' ? held : undefined;
  }

  async function readMemory(): Promise<Memory> {
    await whenReady();
    return log.memory();
  }

  async function start(): Promise<void> {
    const { phase } = reading.get();
    if (phase === 'reading' || phase === 'ready') return;
    reading.set({ phase: 'reading' });
    try {
      current.set(await log.memory());
      reading.set({ phase: 'ready' });
      search.start();
      log.onChange((change) => {
        if (change.memory) void refresh().catch(report);
        if (change.traces) callsAdded.set(callsAdded.get() + 1);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) report(error);
      reading.set({
        phase: 'failed',
        error: error instanceof Refusal ? error.message : text.general.fault,
      });
    }
  }

  function whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        const now = reading.get();
        if (now.phase === 'ready') finish(resolve);
        else if (now.phase === 'failed') finish(() => reject(new Refusal(now.error)));
      };
      const finish = (tell: () => void) => {
        unsubscribe();
        cancel();
        tell();
      };
      const unsubscribe = reading.subscribe(settle);
      const cancel = clock.after(READY_LIMIT, () =>
        finish(() =>
          reject(
            new Refusal(
              'Savepoint is still reading the memory of this vault. Nothing was done; try again in a minute.',
            ),
          ),
        ),
      );
      settle();
    });
  }

  function workspace(): Workspace {
    return workspaceById(current.get(), workspaceId.get());
  }

  /** Changes that come while it reads are in the next reading, of which one is enough for all of them. */
  async function refresh(): Promise<void> {
    if (reading.get().phase !== 'ready') return;
    refreshing ??= Promise.resolve().then(async () => {
      refreshing = undefined;
      current.set(await log.memory());
    });
    await refreshing;
  }

  return {
    get settings() {
      return settings.get();
    },
    app: obsidian,
    services,
    toolset,
    conversations: createConversations(log, random),
    memoryStatus: reading,
    memory: current,
    callsAdded,
    workspaceId,
    clock,
    start,
    whenReady,
    refresh,
    readMemory,
    workspace,
    enterWorkspace(id) {
      obsidian.saveLocalStorage(WORKSPACE_KEY, id);
      workspaceId.set(id);
    },
    async call(tool, params, inWorkspace) {
      const place =
        inWorkspace ??
        (await whenReady()
          .then(() => workspace().id)
          .catch(() => DEFAULT_WORKSPACE));
      const answer = await callTool(toolset, {
        tool,
        params,
        defaults: { sessionId, workspaceId: place },
      });
      await refresh().catch(report); // who asked for it looks at the memory next
      return answer;
    },
    async close() {
      stopFollowing();
      await search.close();
      await log.close();
    },
  };
}
