import { compareStamps } from '../event.js';
import { entityOf, registerOf, type Memory } from '../memory.js';
import { pathMoves } from '../moves/path-moves.js';
import { mapEntries, mapGet } from '../persistent-map.js';
import { traceOf, type Trace } from '../trace.js';

/** Returns the pinned traces of a workspace, newest first. Unlike other traces, none is retired. */
export function pinnedTraces(memory: Memory, workspaceId: string): Trace[] {
  const index = mapGet(memory.pins, workspaceId);
  const ids = index ? [...mapEntries(index)].flatMap(([, list]) => list) : [];
  return ids
    .map((id) => entityOf(memory, id))
    .filter((entity) => registerOf(entity, '/isArchived') !== true)
    .flatMap(({ created }) => created ?? [])
    .sort((a, b) => compareStamps(b, a))
    .flatMap((event) => traceOf(event, pathMoves(memory)) ?? []);
}
