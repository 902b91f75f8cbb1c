import type { TraceEntry } from '../../storage/index.js';
import type { MemoryType } from './memory-documents.js';

const TRACE_SEGMENT: MemoryType = 'trace';

export function itemKey(type: MemoryType, workspaceId: string, id: string): string {
  return `${workspaceId}/${type}/${id}`;
}

export function traceKey(workspaceId: string, { path, from }: TraceEntry): string {
  return `${workspaceId}/${TRACE_SEGMENT}/${path}/${from}`;
}

/** Returns the file of a call and the offset at which it begins; undefined for other keys. */
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

export function createKeyFilter(
  types: readonly MemoryType[],
  workspaceIds: readonly string[],
): (key: string) => boolean {
  const prefixes = new Set(types.flatMap((type) => workspaceIds.map((id) => `${id}/${type}/`)));
  return (key) => prefixes.has(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
}

export function workspaceIdIn(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

export function isTraceKey(key: string): boolean {
  return key.startsWith(`/${TRACE_SEGMENT}/`, key.indexOf('/'));
}
