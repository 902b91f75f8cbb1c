import { createToolkit } from '../../src/agents/index.js';
import { createFileNoteSource } from '../../src/indexing/notes/note-source.js';
import {
  createSearchService,
  DESKTOP_LIMITS,
  type SearchLimits,
} from '../../src/indexing/search-service.js';
import type { Services } from '../../src/agents/services.js';
import { traceData } from '../../src/model/trace.js';
import {
  createEmbedderSource,
  type EmbedderSource,
} from '../../src/search/vectors/embedder-source.js';
import type { DeviceAccess } from '../../src/platform/device-access.js';
import type { Blobs } from '../../src/platform/blobs.js';
import type { Files } from '../../src/platform/files.js';
import type { FileWatch } from '../../src/storage/change-feed.js';
import type { Identities } from '../../src/storage/write/writer-identity.js';
import type { ForgetStore } from '../../src/storage/forget/forgets.js';
import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import type { Answer } from '../../src/toolkit/answer.js';
import { callTool, type CallRequest } from '../../src/toolkit/call-tool.js';
import type { Toolkit } from '../../src/toolkit/toolkit.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
  type TestClock,
} from './deterministic.js';
import { createMemoryFiles, type MemoryFiles } from './memory-files.js';
import { packedTable } from './packed-table.js';

export interface TestVault {
  readonly toolkit: Toolkit<Services>;
  readonly log: Log;
  readonly files: MemoryFiles;
  readonly clock: TestClock;
  /** Reports to the host: unexpected errors, and traces that could not be saved. */
  readonly reports: unknown[];
  /** Resolves once the traces of all previous calls are saved or refused. */
  idle(): Promise<unknown>;
  call(
    tool: string,
    params?: unknown,
    options?: Partial<Omit<CallRequest, 'tool' | 'params'>> & { session?: string },
  ): Promise<Answer>;
  /** Makes a call that must succeed, and returns its data. */
  data(
    tool: string,
    params?: unknown,
    options?: Parameters<TestVault['call']>[2],
  ): Promise<unknown>;
  /** Makes a call that must fail, and returns its error. */
  error(tool: string, params?: unknown, options?: { session?: string }): Promise<string>;
}

export interface TestVaultOptions {
  files?: MemoryFiles;
  /** Wraps the files that the toolkit uses. */
  wrap?(files: Files): Files;
  /** Notifies the search of changed notes. By default, the search scans for changes. */
  readonly watchNotes?: FileWatch;
  clock?: TestClock;
  identities?: Identities;
  seed?: number;
  /** Decisions about what was forgotten. By default, nothing is destroyed. */
  forgetStore?: ForgetStore;
  refuse?: Toolkit<Services>['host']['refuse'];
  /** Storage for the search indexes, which are not persisted by default. */
  blobs?: Blobs;
  /** Folders that the user has excluded. */
  excluded?: readonly string[];
  /** Maximum time that a search waits for the index. Unlimited by default. */
  maxWaitMs?: number;
  /**
   * Parts of the device; by default a program "Test" on "Laptop" without git, which reads whole
   * files.
   */
  device?: Partial<DeviceAccess>;
  limits?: SearchLimits;
  /** By default one that all tests of a file share, since opening it is slow. */
  embedder?: EmbedderSource;
}

const sharedEmbedder = createEmbedderSource(packedTable());

/**
 * Creates the whole toolkit over an in-memory vault. Two toolkits over the same files act as two
 * devices.
 */
export function createTestVault(options: TestVaultOptions = {}): TestVault {
  const clock = options.clock ?? createTestClock();
  const memoryFiles = options.files ?? createMemoryFiles(() => clock.now());
  const files = options.wrap?.(memoryFiles) ?? memoryFiles;
  const random = createTestRandom(options.seed);
  const reports: unknown[] = [];
  const log = createLog({
    files,
    root: 'Savepoint',
    clock,
    random,
    identities: options.identities ?? createMemoryIdentities(),
    app: 'test',
    device: `device-${options.seed ?? 1}`,
    ...(options.forgetStore && { forgetStore: options.forgetStore }),
    warn: (message) => reports.push(message),
  });
  const maxWaitMs = options.maxWaitMs ?? Infinity;
  const search = createSearchService({
    log,
    clock,
    random,
    embedder: options.embedder ?? sharedEmbedder,
    notes: createFileNoteSource(files, options.watchNotes),
    blobs: options.blobs,
    limits: options.limits ?? DESKTOP_LIMITS,
    maxWaitMs: { words: maxWaitMs, embeddings: maxWaitMs },
    skippedFolders: () => Promise.resolve(['Savepoint', ...(options.excluded ?? [])]),
    warn: (message) => reports.push(message),
  });
  const services: Services = {
    log,
    files,
    dataFolder: 'Savepoint',
    clock,
    random,
    search,
    device: { program: 'Test', name: () => 'Laptop', ...options.device },
  };
  let traces = 0;
  let tracing: Promise<unknown> = Promise.resolve();
  const toolkit = createToolkit({
    services,
    memory: () => log.memory(),
    refuse: options.refuse ?? (() => Promise.resolve(undefined)),
    async writeTrace(trace) {
      const kept = log.writeTrace({
        t: 'trace.new',
        e: `trace-${options.seed ?? 1}-${++traces}`,
        d: traceData(trace),
      });
      tracing = Promise.allSettled([tracing, kept]);
      await kept;
    },
    report: (error) => reports.push(error),
  });
  const call: TestVault['call'] = (tool, params, { session = 'session', ...rest } = {}) =>
    callTool(toolkit, { tool, params, defaults: { sessionId: session }, ...rest });
  return {
    toolkit,
    log,
    files: memoryFiles,
    clock,
    reports,
    call,
    idle: () => tracing,
    async data(tool, params, given) {
      const answer = await call(tool, params, given);
      if (!answer.success) throw new Error(`${tool} failed: ${JSON.stringify(answer)}`);
      return answer.data;
    },
    async error(tool, params, given) {
      const answer = await call(tool, params, given);
      if (answer.success || answer.error === undefined)
        throw new Error(`${tool} did not fail: ${JSON.stringify(answer)}`);
      return answer.error;
    },
  };
}

export const garden = {
  name: 'Garden',
  description: 'The garden',
  rootFolder: 'Garden',
  purpose: 'Plan beds',
};

/** Returns createState parameters for a state called `name`. */
export function stateNamed(
  name: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    name,
    conversationContext: 'We talked.',
    activeTask: 'Talking',
    activeFiles: [],
    nextSteps: ['Go on'],
    ...more,
  };
}
