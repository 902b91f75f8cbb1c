import * as crypto from 'node:crypto';
import * as callbackFs from 'node:fs';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as timers from 'node:timers';
import { createToolkit } from '../src/agents/index.js';
import { createFileNoteSource } from '../src/indexing/notes/note-source.js';
import { createSearchService, DESKTOP_LIMITS } from '../src/indexing/search-service.js';
import type { Services } from '../src/agents/services.js';
import { traceData } from '../src/model/trace.js';
import { createFolderFiles } from '../src/node/ports/folder-files.js';
import { createFolderDevice } from '../src/node/provenance/folder-device.js';
import { createNodeClock, createNodeRandom } from '../src/node/ports/host-ports.js';
import { createFolderCopies } from '../src/node/ports/folder-copies.js';
import { createFolderIdentities } from '../src/node/ports/state-folder.js';
import { createEntityId } from '../src/platform/random.js';
import { createLog } from '../src/storage/vault-log.js';
import type { Answer } from '../src/toolkit/answer.js';
import { callTool } from '../src/toolkit/call-tool.js';

/** A measurement, such as a ratio or a time, with an optional upper or lower bound. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly limit?: number;
  readonly least?: number;
  readonly unit?: string;
  /** True for a part of the summary, whose text must be clear without the question. */
  readonly isHighlighted?: boolean;
  /** The curve of the growth chart that the figure is a point of, and the size at that point. */
  readonly curve?: { readonly name: string; readonly size: number };
}

export interface OpenVault {
  readonly services: Services;
  readonly call: (tool: string, params: Record<string, unknown>) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Opens the toolkit over a folder, as the headless program does. */
export function openVault(vault: string, state: string): OpenVault {
  const files = createFolderFiles({ fs, path, crypto, timers }, vault);
  const clock = createNodeClock(timers);
  const random = createNodeRandom(crypto);
  const report = (problem: unknown) => {
    throw problem instanceof Error ? problem : new Error(String(problem));
  };
  const identities = createFolderIdentities({ fs, path, crypto }, state);
  const copies = createFolderCopies(
    { fs, path, crypto, timers },
    { stateFolder: state, deviceFolder: path.join(state, 'copies'), vault },
  );
  const log = createLog({
    files,
    root: 'Savepoint',
    identities,
    copies,
    clock,
    random,
    app: 'bench',
    device: 'bench',
    warn: report,
  });
  const search = createSearchService({
    log,
    notes: createFileNoteSource(files),
    clock,
    random,
    warn: report,
    limits: DESKTOP_LIMITS,
    maxWaitMs: { words: Infinity, embeddings: 0 },
    skippedFolders: () => Promise.resolve(['Savepoint']),
  });
  const services: Services = {
    log,
    files,
    dataFolder: 'Savepoint',
    clock,
    random,
    search,
    device: createFolderDevice({ fs, callbackFs, path, os, crypto, process }, vault, {
      program: 'bench',
      name: () => 'bench',
    }),
  };
  const toolkit = createToolkit({
    services,
    memory: () => log.memory(),
    refuse: () => Promise.resolve(undefined),
    writeTrace: (trace) =>
      log.writeTrace({ t: 'trace.new', e: createEntityId(random), d: traceData(trace) }),
    report,
  });
  return {
    services,
    async call(tool, params) {
      const answer = await callTool(toolkit, { tool, params, defaults: { sessionId: 'bench' } });
      if (!answer.success) throw new Error(answer.error);
      return answer;
    },
    close: () => log.close(),
  };
}

/** Runs a task with a temporary folder. */
export async function inFolder<T>(
  task: (folder: string) => Promise<T>,
  within = os.tmpdir(),
): Promise<T> {
  const folder = await fs.mkdtemp(path.join(within, 'savepoint-bench-'));
  try {
    return await task(folder);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

/** Returns the duration of a task in milliseconds. */
export async function timeOf(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

/** Saves `count` states of ordinary size. */
export async function fillWithStates(vault: string, state: string, count: number): Promise<void> {
  const { call, close } = openVault(vault, state);
  for (let at = 0; at < count; at += 500) {
    const some = Array.from({ length: Math.min(500, count - at) }, (_, index) =>
      call('createState', stateParams(`State ${at + index}`)),
    );
    await Promise.all(some);
  }
  await close();
}

/** Collects garbage, so a round does not pay for the previous one. */
export function collectGarbage(): void {
  if (!gc) throw new Error('Run this with --expose-gc, as npm run bench does');
  gc();
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Returns the exponent k of cost = c * size^k, fitted in log space: 0 is constant, 1 is linear. */
export function fittedExponent(
  points: readonly { readonly size: number; readonly cost: number }[],
): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return slope / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** A state of ordinary size, about 600 bytes. */
export function stateParams(name: string): Record<string, unknown> {
  return {
    name,
    conversationContext:
      'We decided on JWT tokens for auth, set up the basic structure, and agreed to keep refresh tokens in an httpOnly cookie. '.repeat(
        2,
      ),
    activeTask: 'Implementing token refresh logic',
    activeFiles: ['src/auth/jwt.ts', 'src/auth/middleware.ts'],
    nextSteps: ['Add refresh token endpoint', 'Test token expiration', 'Add logout flow'],
    tags: ['auth', 'in-progress'],
  };
}
