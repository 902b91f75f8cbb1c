import type { Trace } from '../../model/trace.js';
import type { CallGroup, Dated } from './timeline.js';

/** Maximum number of call groups kept in memory. */
const MAX_CACHED_GROUPS = 500;

/** Reads the calls of the groups that are shown, and no others. */
export interface CallReader<T extends Dated> {
  /** Changes each time more calls have been read. */
  version(): number;
  /** Returns a group's calls, newest first; undefined until they are read. */
  tracesOf(calls: CallGroup<T>): readonly Trace[] | undefined;
  /** Requests a group's calls, unless they have been read already. */
  want(calls: CallGroup<T>): void;
}

interface CallReaderOptions<T> {
  readonly read: (entries: readonly T[]) => Promise<Trace[]>;
  readonly wasRead: () => void;
  readonly failed: (error: unknown) => void;
}

export function createCallReader<T extends Dated>({
  read,
  wasRead,
  failed,
}: CallReaderOptions<T>): CallReader<T> {
  const held = new Map<
    string,
    { readonly entries: readonly T[]; readonly traces: readonly Trace[] | undefined }
  >();

  let version = 0;

  async function readNow({ key, entries }: CallGroup<T>): Promise<void> {
    const before = held.get(key)?.traces;
    held.set(key, { entries, traces: before });
    try {
      held.set(key, { entries, traces: await read(entries) });
      const [oldest] = held.keys();
      if (held.size > MAX_CACHED_GROUPS && oldest !== undefined) held.delete(oldest);
      version++;
      wasRead();
    } catch (error) {
      held.set(key, { entries: [], traces: before }); // the next request retries
      failed(error);
    }
  }

  return {
    version: () => version,
    tracesOf: ({ key }) => held.get(key)?.traces,
    want(calls) {
      const { key, entries } = calls;
      const known = held.get(key)?.entries;
      // a new version of a session replaces an earlier one
      const isKnown = known?.length === entries.length && known.at(0)?.h === entries.at(0)?.h;
      if (!isKnown) void readNow(calls);
    },
  };
}
