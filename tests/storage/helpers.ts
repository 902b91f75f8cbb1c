import type { Draft, LogEvent } from '../../src/model/event.js';
import { joinBytes } from '../../src/platform/bytes/bytes.js';
import type { Files } from '../../src/platform/files.js';
import { type LogOptions } from '../../src/storage/log.js';
import { createLog, type Log } from '../../src/storage/vault-log.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import type { ForgetDecisions } from '../../src/storage/forget/forget-decisions.js';
import type { ForgetStore } from '../../src/storage/forget/forgets.js';
import type { Copies, CopyHead, VaultRecord } from '../../src/storage/copies/copies.js';
import type { LastLine } from '../../src/storage/format/watermark.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
} from '../fakes/deterministic.js';
import { workspaceDraft } from '../fakes/events.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { watchFiles } from '../fakes/watched-files.js';

export const ROOT = 'Savepoint';

let seeds = 0;

/**
 * Creates a vault in memory. All logs opened on it share its files and clock. Other options default
 * to new objects for each log.
 */
export function createVault() {
  const clock = createTestClock();
  const files = createMemoryFiles(() => clock.now());
  const warnings: string[] = [];
  const watched = watchFiles(files);
  const open = (options: Partial<LogOptions> = {}): Log =>
    createLog({
      files: watched,
      root: ROOT,
      identities: createMemoryIdentities(),
      clock,
      random: createTestRandom(++seeds),
      app: 'savepoint/test',
      device: 'test',
      warn: (message: string) => void warnings.push(message),
      ...options,
    });
  return { files, watched, clock, warnings, open };
}

/** An in-memory implementation of `Copies`. Each simulated device has its own. */
export function createMemoryCopies(): Copies & {
  record(): VaultRecord | undefined;
  clearRecord(): void;
  clear(): void;
} {
  const lines = { own: new Map<string, Uint8Array>(), other: new Map<string, Uint8Array>() };
  let record: VaultRecord | undefined;
  const lacking = new Map<string, LastLine>();
  const read = (id: string) =>
    joinBytes([...lines.own, ...lines.other].flatMap(([of, bytes]) => (of === id ? [bytes] : [])));
  return {
    add(id, added, origin) {
      const before = lines[origin].get(id) ?? new Uint8Array();
      lines[origin].set(id, joinBytes([before, added]));
      return Promise.resolve();
    },
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
    read: (id) => Promise.resolve(read(id)),
    rewrite(id, change) {
      for (const each of [lines.own, lines.other]) {
        const before = each.get(id);
        if (before) each.set(id, change(before));
      }
      return Promise.resolve();
    },
    heads(id) {
      const heads = new Map<string, CopyHead>();
      for (const { event } of parseSegment(read(id)).lines)
        if (event.n >= (heads.get(event.w)?.n ?? 0)) heads.set(event.w, { n: event.n, c: event.c });
      return Promise.resolve(heads);
    },
    loadRecord: () => Promise.resolve(record),
    updateRecord: (change) => Promise.resolve(void (record = change(record))),
    setLacking: (writer, last) =>
      Promise.resolve(void (last ? lacking.set(writer, last) : lacking.delete(writer))),
    lacking: () => Promise.resolve(new Map(lacking)),
    record: () => record,
    clearRecord: () => void (record = undefined),
    clear() {
      lines.own.clear();
      lines.other.clear();
      record = undefined;
    },
  };
}

/** An in-memory implementation of `ForgetStore`. Each simulated device has its own. */
export function createMemoryForgetStore(): ForgetStore & { decisions(): ForgetDecisions } {
  let decisions: ForgetDecisions = {};
  return {
    decisions: () => decisions,
    load: () => Promise.resolve(decisions),
    update: (change) => Promise.resolve(void (decisions = change(decisions))),
  };
}

/** Writes drafts as one write. */
export function put(log: Log, ...drafts: Draft[]): Promise<unknown> {
  return log.write(() => ({ drafts, answer: true }));
}

/** Writes a workspace whose line is `padding` bytes longer than necessary. */
export function putWorkspace(log: Log, name: string, padding = 0): Promise<unknown> {
  return put(log, workspaceDraft(name, `ws-${name}`, { purpose: 'x'.repeat(padding) }));
}

/** Returns the segments of a lane with their content, by path. */
export async function segmentsIn(
  files: Files,
  folder = `${ROOT}/core`,
): Promise<{ path: string; bytes: Uint8Array; events: LogEvent[] }[]> {
  const entries = (await files.list(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.map(async ({ name, kind }) => {
      const path = `${folder}/${name}`;
      if (kind === 'folder') return segmentsIn(files, path);
      const bytes = (await files.read(path)) ?? new Uint8Array();
      const { lines, problems } = parseSegment(bytes);
      if (problems.length > 0)
        throw new Error(`${path} has lines that are not events: ${JSON.stringify(problems)}`);
      return [{ path, bytes, events: lines.map(({ event }) => event) }];
    }),
  );
  return found.flat();
}

/** Returns all events of a lane. */
export async function eventsIn(files: Files, folder?: string): Promise<LogEvent[]> {
  return (await segmentsIn(files, folder)).flatMap(({ events }) => events);
}

/** Joins the types of events with spaces. */
export function typesOf(events: readonly LogEvent[]): string {
  return events.map(({ t }) => t).join(' ');
}
