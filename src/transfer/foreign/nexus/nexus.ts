import { NOOP_SCHEDULER, type Scheduler } from '../../../platform/scheduler.js';
import {
  addLeftOut,
  type ForeignFile,
  type ForeignMemory,
  type ReadStats,
} from '../foreign-memory.js';
import { CHAT_EVENTS, readNexusChats } from './nexus-chat.js';
import { readNexusEvents, type NexusEvent } from './nexus-events.js';
import { readNexusStates } from './nexus-states.js';
import { readNexusTasks } from './nexus-tasks.js';
import { readNexusTraces } from './nexus-traces.js';
import { placeholderWorkspaces, readNexusWorkspaces } from './nexus-workspaces.js';

/** Reads shards, copies of shards, and unsharded files of older versions, in any order. */
export async function readNexus(
  files: readonly ForeignFile[],
  excludedFolders: readonly string[],
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<ForeignMemory> {
  const events = await readNexusEvents(files, stats, scheduler);
  const streams = new Map<StreamKind, NexusEvent[]>(STREAM_KINDS.map((kind) => [kind, []]));
  for (const event of events) streams.get(streamKindOf(event.type))!.push(event);
  const of = (kind: StreamKind) => streams.get(kind)!;
  addLeftOut(stats, 'sessions', of('session').length);
  addLeftOut(stats, 'unknown', of('unknown').length);
  const states = await readNexusStates(of('state'), stats, scheduler);
  const records = readNexusTasks(of('task'), stats);
  const traces = await readNexusTraces(of('trace'), excludedFolders, stats, scheduler);
  const { conversations, messages } = await readNexusChats(of('chat'), stats, scheduler);
  const known = readNexusWorkspaces(of('workspace'), stats);
  const owned = [
    ...states,
    ...records,
    ...traces,
    ...conversations.flatMap(({ workspace, at, location }) =>
      workspace === undefined ? [] : [{ workspace, at, location }],
    ),
  ];
  return {
    workspaces: [...known, ...placeholderWorkspaces(known, owned)],
    states,
    records,
    traces,
    conversations,
    messages,
  };
}

const STREAM_KINDS = ['workspace', 'session', 'state', 'trace', 'chat', 'task', 'unknown'] as const;
type StreamKind = (typeof STREAM_KINDS)[number];

function streamKindOf(type: string): StreamKind {
  if (CHAT_EVENTS.includes(type)) return 'chat';
  const first = type.split('_')[0];
  if (first === 'project') return 'task';
  return STREAM_KINDS.find((kind) => kind === first) ?? 'unknown';
}
