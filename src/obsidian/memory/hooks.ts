import {
  compareFiles,
  type ComparedState,
  type FileComparison,
} from '../../agents/shared/file-changes.js';
import type { Named } from '../../model/lookup.js';
import { isWithin, toVaultPath } from '../../model/paths.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { TraceEntry } from '../../storage/index.js';
import { runSliced, runToEnd } from '../../platform/run-sliced.js';
import { Scheduler } from '../../platform/scheduler.js';
import type { TAbstractFile } from 'obsidian';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { yieldToHost } from '../host/browser-ports.js';
import { faultText, report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { useStore } from '../ui/use-store.js';
import { createCallReader, type CallReader } from './call-reader.js';
import { readLibrary, type Library } from '../library/library.js';
import { timelineSteps, type TimelineEntry } from './timeline.js';

/** Returns the memory as lists; undefined until first read, then the last lists during reads. */
export function useLibrary(savepoint: Savepoint): Library | undefined {
  const memory = useStore(savepoint.memory);
  return useAsync(
    () => readLibrary(memory, new Scheduler(savepoint.clock, yieldToHost)),
    [savepoint, memory],
  ).value;
}

/** Returns the time in milliseconds since 1970, updated every half minute. */
export function useNow({ clock }: Savepoint): number {
  const [now, setNow] = useState(clock.now());
  useEffect(() => clock.after(CLOCK_INTERVAL_MS, () => setNow(clock.now())), [clock, now]);
  return now;
}

const CLOCK_INTERVAL_MS = 30_000;

/** Returns the positions of each workspace's traces, newest first. */
export function useTraceEntries(
  savepoint: Savepoint,
  workspaceIds: readonly string[],
): AsyncValue<readonly (readonly TraceEntry[])[]> {
  const version = useLogVersion(savepoint, 'traces');
  const { log } = savepoint.services;
  return useAsync(
    () => Promise.all(workspaceIds.map((id) => log.traceEntries(id))),
    [savepoint, version, workspaceIds.join('\n')],
  );
}

/** Returns a workspace's timeline. Its calls follow once their positions have been read. */
export function useTimeline(
  savepoint: Savepoint,
  workspaceId: string,
  states: readonly Named<State>[],
  records: readonly ProjectRecord[],
) {
  const { value: [entries] = [], error } = useTraceEntries(savepoint, [workspaceId]);
  const first = useMemo(
    () => runToEnd(timelineSteps<TraceEntry>({ states, records, entries: [] })),
    [states, records],
  );
  const whole = useAsync(
    async () =>
      entries &&
      runSliced(timelineSteps({ states, records, entries }), {
        scheduler: new Scheduler(savepoint.clock, yieldToHost),
      }),
    [states, records, entries],
  );
  // The last timeline stays while a newer one is made, but a record has only one row.
  const moments = useMemo(() => {
    if (records.length === 0 && whole.value === undefined) return first;
    const byId = new Map(records.map((record) => [record.id, record]));
    return (whole.value ?? first).flatMap((moment): TimelineEntry<TraceEntry>[] => {
      if (moment.kind === 'closed')
        return [{ ...moment, records: moment.records.flatMap(({ id }) => byId.get(id) ?? []) }];
      if (moment.kind !== 'record') return [moment];
      const record = byId.get(moment.record.id);
      return record ? [{ ...moment, record }] : [];
    });
  }, [whole.value, first, records]);
  return { moments, error };
}

/** Returns a number that changes when a part of the log does, throttled. */
export function useLogVersion(savepoint: Savepoint, part: 'traces' | 'chat'): number {
  const { services, clock } = savepoint;
  const [version, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const stop = services.log.onChange((change) => {
      if (change[part]) cancel ??= clock.after(VERSION_THROTTLE_MS, tell);
    });
    const tell = () => {
      cancel = undefined;
      again(undefined);
    };
    return () => {
      stop();
      cancel?.();
    };
  }, [services, clock, part]);
  return version;
}

const VERSION_THROTTLE_MS = 500;

/** Returns the keys of the rows that the user has toggled, and a function that toggles a row. */
export function useToggledKeys(): [ReadonlySet<string>, (key: string) => void] {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const next = new Set(keys);
    if (!next.delete(key)) next.add(key);
    setKeys(next);
  };
  return [keys, toggle];
}

export function useCallReader({ services: { log } }: Savepoint): CallReader<TraceEntry> {
  const [, again] = useReducer((count: number) => count + 1, 0);
  return useMemo(
    () =>
      createCallReader({
        read: (entries: readonly TraceEntry[]) => log.readTraces(entries),
        wasRead: () => again(undefined),
        failed: report,
      }),
    [log],
  );
}

/** Compares a state's files with the vault and follows the vault; undefined until they are read. */
export function useFileComparison(
  savepoint: Savepoint,
  state: ComparedState,
): FileComparison | undefined {
  const { activeFiles, createdAt, files } = state;
  const version = useFilesVersion(savepoint, activeFiles);
  return useAsync(
    () => compareFiles(savepoint.services, state),
    [savepoint, version, createdAt, files, activeFiles.join('\n')],
  ).value;
}

/** Returns a number that changes when one of these files or its folder changes, debounced. */
function useFilesVersion({ app: { vault }, clock }: Savepoint, paths: readonly string[]): number {
  const [version, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const watched = paths.flatMap((path) => toVaultPath(path) ?? []);
    const changed = (file: TAbstractFile, oldPath = file.path) => {
      if (!watched.some((path) => isWithin(path, file.path) || isWithin(path, oldPath))) return;
      cancel?.();
      cancel = clock.after(VAULT_DEBOUNCE_MS, () => again(undefined));
    };
    const events = [
      vault.on('create', (file) => changed(file)),
      vault.on('modify', (file) => changed(file)),
      vault.on('delete', (file) => changed(file)),
      vault.on('rename', changed),
    ];
    return () => {
      cancel?.();
      for (const event of events) vault.offref(event);
    };
  }, [vault, clock, paths.join('\n')]);
  return version;
}

const VAULT_DEBOUNCE_MS = 200;

export interface AsyncValue<T> {
  /** The last result. */
  readonly value: T | undefined;
  /** Error message if the current task failed. */
  readonly error: string | undefined;
}

/** Runs a task when its dependencies change. Returns the last value until the new one arrives. */
export function useAsync<T>(task: () => Promise<T>, dependsOn: readonly unknown[]): AsyncValue<T> {
  const [later, setLater] = useState<AsyncValue<T>>({ value: undefined, error: undefined });
  useEffect(() => {
    let isWanted = true;
    task().then(
      (value) => {
        if (isWanted) setLater({ value, error: undefined });
      },
      (error: unknown) => {
        const words = faultText(error);
        if (isWanted) setLater(({ value }) => ({ value, error: words }));
      },
    );
    return () => {
      isWanted = false;
    };
  }, dependsOn);
  return later;
}
