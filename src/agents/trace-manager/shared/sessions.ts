import * as z from 'zod';
import { compareText, type JsonObject } from '../../../model/event.js';
import { stateHeads, type Named } from '../../../model/lookup.js';
import { displayName } from '../../../apps/index.js';
import { clip } from '../../../model/refusal.js';
import type { State } from '../../../model/state.js';
import { taskOf } from '../../../model/text/checkpoint.js';
import type { Trace } from '../../../model/trace.js';
import { renameParams } from '../../../toolkit/action-aliases.js';
import type { ActionAlias, Fail, Failures, ToolCall } from '../../../toolkit/define-tool.js';
import type { Services } from '../../services.js';
import { readEntries, timestampOf, type TimelineItem } from './timeline-page.js';

/** A session's work in one workspace, derived from traces and states; it is not stored. */
export interface SessionRecord {
  readonly id: string;
  /** Oldest first. */
  readonly calls: readonly (Trace & { readonly h: string })[];
  /** The live states that it saved, oldest first. */
  readonly states: readonly Named<State>[];
}

/** Maximum number of traces, and of states, that are read to find the sessions of a workspace. */
export const MAX_SCANNED_ENTRIES = 5000;
const READ_BATCH_SIZE = 64;
const MAX_CANDIDATES = 10;
const MAX_STATES_LISTED = 10;
const MAX_TASK_LENGTH = 160;

export const sessionFailures = {
  sessionNotFound: {
    error: 'Session "{session}" has made no calls in this workspace.',
    advice: 'Use listSessions to see the sessions.',
  },
  sessionAmbiguous: {
    error: 'Session "{session}" is ambiguous: {sessions}.',
    advice: 'Use one of these ids.',
  },
} as const satisfies Failures;

/** Facts about a session that lists show. */
export const sessionFacts = {
  session: z.string(),
  task: z.string().optional(),
  client: z.string().optional(),
  firstCall: z.string(),
  lastCall: z.string(),
  calls: z.number(),
  failed: z.number().optional(),
  states: z.array(z.string()).optional().describe('The newest 10 that it saved'),
  totalStates: z.number().optional(),
};

/** Returns an alias that takes the session as `session_id`. */
export function sessionIdAlias(action: string): ActionAlias {
  const convert = (params: JsonObject) => renameParams(params, { session_id: 'session' });
  return { action, when: { session_id: undefined }, convert };
}

/** Returns the latest first. `isTruncated` means that there may be more sessions or calls. */
export async function readSessions(
  { services: { log, search }, memory }: Pick<ToolCall<Services>, 'memory' | 'services'>,
  workspaceId: string,
): Promise<{ readonly sessions: readonly SessionRecord[]; readonly isTruncated: boolean }> {
  const { scheduler } = search.access;
  const sessions = new Map<string, { calls: (Trace & { h: string })[]; states: Named<State>[] }>();
  const sessionOf = (id: string) => {
    const session = sessions.get(id) ?? { calls: [], states: [] };
    sessions.set(id, session);
    return session;
  };
  const entries = await log.traceEntries(workspaceId);
  const newest = entries.slice(0, MAX_SCANNED_ENTRIES).reverse();
  for (let from = 0; from < newest.length; from += READ_BATCH_SIZE) {
    await scheduler.yieldIfDue();
    for (const [{ h }, trace] of await readEntries(log, newest.slice(from, from + READ_BATCH_SIZE)))
      sessionOf(trace.sessionId).calls.push({ ...trace, h });
  }
  const heads = stateHeads(memory, workspaceId).filter(({ isArchived }) => !isArchived);
  for (const head of heads.slice(0, MAX_SCANNED_ENTRIES).reverse()) {
    await scheduler.yieldIfDue();
    const state = head.read();
    if (state?.item.savedBy) sessionOf(state.item.savedBy.session).states.push(state);
  }
  const found = [...sessions].map(([id, session]) => ({ id, ...session }));
  found.sort((a, b) => compareText(lastStampOf(b), lastStampOf(a)));
  const isTruncated = Math.max(entries.length, heads.length) > MAX_SCANNED_ENTRIES;
  return { sessions: found, isTruncated };
}

/** Returns the session with this id, or the only one whose id starts with it, or fails the call. */
export function requireSession(
  sessions: readonly SessionRecord[],
  typed: string,
  fail: Fail<typeof sessionFailures>,
): SessionRecord {
  const exact = sessions.find(({ id }) => id === typed);
  if (exact) return exact;
  const matches = sessions.filter(({ id }) => id.startsWith(typed));
  const [match] = matches;
  if (!match) return fail('sessionNotFound', { session: clip(typed) });
  if (matches.length > 1)
    return fail('sessionAmbiguous', {
      session: clip(typed),
      sessions: matches
        .slice(0, MAX_CANDIDATES)
        .map(({ id }) => `"${id}"`)
        .join(', '),
    });
  return match;
}

/** Returns the times of the first and last call or state. */
export function spanOf({ calls, states }: SessionRecord): {
  readonly first: string;
  readonly last: string;
} {
  const times = [
    calls[0]?.createdAt,
    calls.at(-1)?.createdAt,
    states[0]?.item.createdAt,
    states.at(-1)?.item.createdAt,
  ].filter((time) => time !== undefined);
  times.sort(compareText);
  return { first: times[0] ?? '', last: times.at(-1) ?? '' };
}

/** Returns the hybrid clock stamp of the last call or state. */
function lastStampOf({ calls, states }: SessionRecord): string {
  const [call, state] = [calls.at(-1)?.h ?? '', states.at(-1)];
  const saved = state === undefined ? '' : timestampOf(state);
  return call > saved ? call : saved;
}

/** Undefined for calls made in the app itself. */
export function clientOf({ calls, states }: SessionRecord): string | undefined {
  const client = calls.findLast((call) => call.client)?.client;
  const title = displayName(client ?? states.at(-1)?.item.savedBy?.client);
  return title === '' ? undefined : title;
}

export function toSessionFacts(session: SessionRecord) {
  const { first, last } = spanOf(session);
  const { id, calls: all, states } = session;
  const client = clientOf(session);
  const calls = all.filter(({ checkpoint }) => !checkpoint);
  const captured = all.findLast(({ checkpoint }) => checkpoint)?.checkpoint;
  const task = captured && clip(taskOf(captured), MAX_TASK_LENGTH);
  const failed = calls.filter(({ isSuccess }) => !isSuccess).length;
  const newest = [...states].reverse().slice(0, MAX_STATES_LISTED);
  return {
    session: id,
    ...(task && { task }),
    ...(client !== undefined && { client }),
    firstCall: first,
    lastCall: last,
    calls: calls.length,
    ...(failed > 0 && { failed }),
    ...(states.length > 0 && { states: newest.map(({ displayName }) => displayName) }),
    ...(states.length > newest.length && { totalStates: states.length }),
  };
}

/** Newest first. */
export function itemsOf({ calls, states }: SessionRecord): TimelineItem[] {
  const items: TimelineItem[] = [
    ...calls.map((trace) => ({ h: trace.h, trace })),
    ...states.map((state) => ({ h: timestampOf(state), state })),
  ];
  return items.sort((a, b) => compareText(b.h, a.h));
}
