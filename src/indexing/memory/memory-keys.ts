import type { State } from '../../model/state.js';
import type { TraceEntry } from '../../storage/log.js';

const STATE_MARK = 'state';
const TRACE_MARK = 'trace';

/** A state's key in the index. */
export function stateKey({ workspaceId, id }: State): string {
  return keyOfState(workspaceId, id);
}

export function keyOfState(workspaceId: string, id: string): string {
  return `${workspaceId}/${STATE_MARK}/${id}`;
}

/** A call's key in the index. */
export function traceKey(workspaceId: string, { path, from }: TraceEntry): string {
  return `${workspaceId}/${TRACE_MARK}/${path}/${from}`;
}

/** Where the call of a key stands; undefined where it is the key of something else. */
export function placeOfTrace(
  workspaceId: string,
  key: string,
): { path: string; from: number } | undefined {
  const start = `${workspaceId}/${TRACE_MARK}/`;
  const end = key.lastIndexOf('/');
  return key.startsWith(start) && end >= start.length
    ? { path: key.slice(start.length, end), from: Number(key.slice(end + 1)) }
    : undefined;
}

/** Tells the keys of a workspace's states, or of its calls. */
export function isMemoryOf(
  type: typeof STATE_MARK | typeof TRACE_MARK,
  workspaceId: string,
): (key: string) => boolean {
  const start = `${workspaceId}/${type}/`;
  return (key) => key.startsWith(start);
}

export function workspaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

export function isStateKey(key: string): boolean {
  return key.startsWith(`/${STATE_MARK}/`, key.indexOf('/'));
}
