import type { State } from '../../model/state.js';
import type { TraceEntry } from '../../storage/log.js';

const STATE_SEGMENT = 'state';
const TRACE_SEGMENT = 'trace';

/** Returns a state's key in the index. */
export function stateKey({ workspaceId, id }: Pick<State, 'workspaceId' | 'id'>): string {
  return `${workspaceId}/${STATE_SEGMENT}/${id}`;
}

/** Returns a call's key in the index. */
export function traceKey(workspaceId: string, { path, from }: TraceEntry): string {
  return `${workspaceId}/${TRACE_SEGMENT}/${path}/${from}`;
}

/**
 * Parses the key of a call into its file and the offset at which it begins; undefined for any other
 * key.
 */
export function parseTraceKey(
  workspaceId: string,
  key: string,
): { path: string; from: number } | undefined {
  const prefix = `${workspaceId}/${TRACE_SEGMENT}/`;
  const end = key.lastIndexOf('/');
  return key.startsWith(prefix) && end >= prefix.length
    ? { path: key.slice(prefix.length, end), from: Number(key.slice(end + 1)) }
    : undefined;
}

/** Returns a filter for the keys of the states, or of the calls, of these workspaces. */
export function createKeyFilter(
  type: typeof STATE_SEGMENT | typeof TRACE_SEGMENT,
  workspaceIds: readonly string[],
): (key: string) => boolean {
  const prefixes = new Set(workspaceIds.map((id) => `${id}/${type}/`));
  const length = type.length + 2;
  return (key) => prefixes.has(key.slice(0, key.indexOf('/') + length));
}

export function workspaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

export function isStateKey(key: string): boolean {
  return key.startsWith(`/${STATE_SEGMENT}/`, key.indexOf('/'));
}
