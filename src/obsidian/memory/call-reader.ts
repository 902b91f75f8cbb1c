import type { Trace } from '../../model/trace.js';
import type { Calls, Dated } from './timeline.js';

/** So many stretches of calls are kept once they have been read. */
const KEPT = 500;

/** Reads the calls of those stretches that are looked at, and no others. */
export interface CallReader<T extends Dated> {
  /** Another one each time more has been read. */
  version(): number;
  /** The calls of a stretch, newest first; undefined until they have been read. */
  tracesOf(calls: Calls<T>): readonly Trace[] | undefined;
  /** Has them read, where that has not been done since the last of them was made. */
  want(calls: Calls<T>): void;
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
    { readonly count: number; readonly traces: readonly Trace[] | undefined }
  >();

  let version = 0;

  async function readNow({ key, entries }: Calls<T>): Promise<void> {
    const before = held.get(key)?.traces;
    held.set(key, { count: entries.length, traces: before });
    try {
      held.set(key, { count: entries.length, traces: await read(entries) });
      const [oldest] = held.keys();
      if (held.size > KEPT && oldest !== undefined) held.delete(oldest);
      version++;
      wasRead();
    } catch (error) {
      held.set(key, { count: 0, traces: before }); // the next to want it tries again
      failed(error);
    }
  }

  return {
    version: () => version,
    tracesOf: ({ key }) => held.get(key)?.traces,
    want(calls) {
      if (held.get(calls.key)?.count !== calls.entries.length) void readNow(calls);
    },
  };
}
