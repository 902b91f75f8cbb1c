import { findChangedFiles, type FileChange } from '../../agents/shared/file-changes.js';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { TraceEntry } from '../../storage/log.js';
import { Scheduler } from '../../platform/scheduler.js';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { faultText } from '../actions.js';
import { yieldToHost } from '../host/browser-ports.js';
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { useStore } from '../ui/use-store.js';
import { createCallReader, type CallReader } from './call-reader.js';
import { readLibrary, type Library } from './library.js';
import { timelineInSlices, timelineOf } from './timeline.js';

/** The memory as lists; undefined until it has been read once. While a newer one is read the last one stays. */
export function useLibrary(savepoint: Savepoint): Library | undefined {
  const memory = useStore(savepoint.memory);
  return useLater(
    () => readLibrary(memory, new Scheduler(savepoint.clock, yieldToHost)),
    [savepoint, memory],
  ).value;
}

/** The time, read again every half minute, in milliseconds since 1970. */
export function useNow({ clock }: Savepoint): number {
  const [now, setNow] = useState(clock.now());
  useEffect(() => clock.after(HALF_MINUTE, () => setNow(clock.now())), [clock, now]);
  return now;
}

const HALF_MINUTE = 30_000;

/** Where the traces of each of these workspaces stand, newest first. */
export function useTraceEntries(
  savepoint: Savepoint,
  workspaceIds: readonly string[],
): Later<readonly (readonly TraceEntry[])[]> {
  const version = useTracesVersion(savepoint);
  const { log } = savepoint.services;
  return useLater(
    () => Promise.all(workspaceIds.map((id) => log.traceEntries(id))),
    [savepoint, version, workspaceIds.join('\n')],
  );
}

/** The timeline of a workspace: at once of its states, and with the calls as soon as these have been read. */
export function useTimeline(
  savepoint: Savepoint,
  workspaceId: string,
  states: readonly Named<State>[],
) {
  const { value: [entries] = [], error } = useTraceEntries(savepoint, [workspaceId]);
  const first = useMemo(() => timelineOf<TraceEntry>(states, []), [states]);
  const whole = useLater(
    async () =>
      entries && timelineInSlices(states, entries, new Scheduler(savepoint.clock, yieldToHost)),
    [states, entries],
  );
  return { moments: whole.value ?? first, error };
}

/** Changes when tool calls have come; many of them at once count once. */
export function useTracesVersion({ services: { log }, clock }: Savepoint): number {
  const [version, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const stop = log.onChange(({ traces }) => {
      if (traces) cancel ??= clock.after(GATHERING, tell);
    });
    const tell = () => {
      cancel = undefined;
      again(undefined);
    };
    return () => {
      stop();
      cancel?.();
    };
  }, [log, clock]);
  return version;
}

const GATHERING = 500;

/** The keys of expanded rows, and how to toggle one. */
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

/** Which of the files are gone or were changed after `since` (an ISO date-time), as the vault is now. */
export function useFileChanges(
  savepoint: Savepoint,
  paths: readonly string[],
  since: string,
): readonly FileChange[] {
  const version = useVaultVersion(savepoint);
  const look = () => findChangedFiles(savepoint.services.files, paths, Date.parse(since));
  return useLater(look, [savepoint, version, since, paths.join('\n')]).value ?? [];
}

/** Changes whenever a file of the vault does; what belongs together counts once. */
function useVaultVersion({ app: { vault }, clock }: Savepoint): number {
  const [version, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const changed = () => {
      cancel?.();
      cancel = clock.after(QUIET, () => again(undefined));
    };
    const events = [
      vault.on('create', changed),
      vault.on('modify', changed),
      vault.on('delete', changed),
      vault.on('rename', changed),
    ];
    return () => {
      cancel?.();
      for (const event of events) vault.offref(event);
    };
  }, [vault, clock]);
  return version;
}

const QUIET = 200;

export interface Later<T> {
  /** The last that was found. */
  readonly value: T | undefined;
  /** Why the present one cannot be had, in words. */
  readonly error: string | undefined;
}

/** What a task comes to; it is run again when what it depends on changes, and the last value stays until it has a new one. */
export function useLater<T>(task: () => Promise<T>, dependsOn: readonly unknown[]): Later<T> {
  const [later, setLater] = useState<Later<T>>({ value: undefined, error: undefined });
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
