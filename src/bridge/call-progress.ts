import type { ServerContext } from '@modelcontextprotocol/server';
import type { Answer } from '../toolkit/answer.js';

const PROGRESS_INTERVAL_MS = 1000;

interface ProgressOptions {
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
  readonly report: (error: unknown) => void;
}

/** Says what a cancelled call has done, as a clause; undefined if it had no effect. */
export function cancelledEffect({ success, data }: Answer): string | undefined {
  if (success) return 'it had already taken effect';
  const { results = [] } = (data ?? {}) as { readonly results?: readonly Answer[] };
  const done = results.filter((result) => result.success).length;
  return done === 0
    ? undefined
    : `${done} of its ${results.length} calls had already been made; the others were not`;
}

/** Keeps a client that asked for progress from timing out. Returns a function that stops it. */
export function reportProgress(
  { _meta, notify }: ServerContext['mcpReq'],
  { after, report }: ProgressOptions,
): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  let stop = after(PROGRESS_INTERVAL_MS, send);
  function send(): void {
    progress++;
    const params = { progressToken, progress, message: `Running for ${progress} s` };
    notify({ method: 'notifications/progress', params }).catch(report);
    stop = after(PROGRESS_INTERVAL_MS, send);
  }
  return () => stop();
}
