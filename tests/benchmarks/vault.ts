import * as crypto from 'node:crypto';
import * as callbackFs from 'node:fs';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as timers from 'node:timers';
import { createToolkit } from '../../src/agents/index.js';
import { createFileNoteSource } from '../../src/indexing/notes/note-source.js';
import { createSearchService, DESKTOP_LIMITS } from '../../src/indexing/search-service.js';
import type { Services } from '../../src/agents/services.js';
import { traceData } from '../../src/model/trace.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { createFolderDevice } from '../../src/node/provenance/folder-device.js';
import { createNodeClock, createNodeRandom } from '../../src/node/ports/host-ports.js';
import { FolderCopies } from '../../src/node/ports/folder-copies.js';
import { createFolderIdentities } from '../../src/node/ports/state-folder.js';
import { createEntityId } from '../../src/platform/random.js';
import { createLog } from '../../src/storage/vault-log.js';
import type { Answer } from '../../src/toolkit/answer.js';
import { callTool } from '../../src/toolkit/call-tool.js';
import { stateParams } from './lib.js';

/** Folders of src that a call in an open vault runs. */
export const TOOLKIT: readonly string[] = [
  'src/agents',
  'src/apps',
  'src/brief',
  'src/indexing',
  'src/markdown',
  'src/model',
  'src/node',
  'src/platform',
  'src/redaction',
  'src/search',
  'src/storage',
  'src/toolkit',
];

/** Node's modules, as the program has them. */
export const node = { fs, callbackFs, path, os, timers, crypto, process };

export interface OpenVault {
  readonly services: Services;
  readonly call: (tool: string, params: Record<string, unknown>) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Opens the toolkit over a folder, as the headless program does. */
export function openVault(vault: string, state: string): OpenVault {
  const files = createFolderFiles(node, vault);
  const clock = createNodeClock(timers);
  const random = createNodeRandom(crypto);
  const report = (problem: unknown) => {
    throw problem instanceof Error ? problem : new Error(String(problem));
  };
  const identities = createFolderIdentities(node, state);
  const copies = new FolderCopies(node, {
    stateFolder: state,
    deviceFolder: path.join(state, 'copies'),
    vault,
  });
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
    device: createFolderDevice(node, vault, {
      program: 'bench',
      name: () => 'bench',
    }),
  };
  const toolkit = createToolkit({
    services,
    memory: () => log.memory(),
    refuse: () => Promise.resolve(undefined),
    async writeTrace(trace) {
      await log.writeTrace({ t: 'trace.new', e: createEntityId(random), d: traceData(trace) });
    },
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
