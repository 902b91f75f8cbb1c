import type { Interval } from '../../capture/consent.js';
import { NO_ACTIVITY, type Activity } from '../../apps/transcripts/activity.js';
import { turnKey } from '../../model/event.js';
import type { WrittenLine } from '../../platform/device-access.js';
import type { SessionProcess } from './client-process.js';

/** The state of a session when a hook was called. */
export interface SessionMark {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Size of the transcript then, in bytes. */
  readonly size: number;
  readonly isPrivate: boolean;
}

/** Record of a session of an AI app on this device. */
export interface CapturedSession {
  readonly client: string;
  /** The client's id of the session. */
  readonly id: string;
  /** Path of the transcript; empty if the client has not named one. */
  readonly transcript: string;
  readonly folder: string;
  /** In the order of their times. */
  readonly marks: readonly SessionMark[];
  /** Changes with the transcript from which the activity is known. */
  readonly stamp: string;
  readonly activity: Activity;
  /** True if a program leads the session, and no person. */
  readonly isUnattended: boolean;
  /** When the activity was last seen to change, in milliseconds since the epoch. */
  readonly changedAt: number;
  /** Id of the workspace's newest state when the session started. */
  readonly fromState?: string;
  /** Ids of messages that were forgotten. */
  readonly forgotten?: readonly string[];
  /** The last version in the log: its id, a hash of it, its size, and when it was written. */
  readonly written?: {
    readonly id: string;
    readonly hash: string;
    readonly at: number;
    readonly bytes: number;
    /** Of all versions of that day. */
    readonly bytesOfDay: number;
    readonly line: WrittenLine;
  };
  /** True if the session has ended, or another one has started after it. */
  readonly isSealed: boolean;
  /** True if the client has said that the session has ended. */
  readonly hasEnded: boolean;
  readonly process?: SessionProcess | undefined;
}

export interface SessionStart {
  /** The client's id of the session. */
  readonly session: string;
  readonly transcript: string;
  /** The folder in which the client works. */
  readonly folder: string;
  readonly process?: SessionProcess | undefined;
}

export function newSession(
  client: string,
  { session: id, transcript, folder, process }: SessionStart,
): CapturedSession {
  const known = { client, id, transcript, folder, process, activity: NO_ACTIVITY };
  const changedAt = Date.now();
  return {
    ...known,
    marks: [],
    stamp: '',
    isUnattended: false,
    changedAt,
    isSealed: false,
    hasEnded: false,
  };
}

const MAX_MARKS = 200;

/** Adds a mark. Hooks may be called at the same time. */
export function withMark<S extends Pick<CapturedSession, 'marks'>>(
  session: S,
  mark: SessionMark,
): S {
  const marks = [...session.marks, mark].sort((a, b) => a.at - b.at);
  const isNeeded = ({ isPrivate }: SessionMark, index: number) =>
    marks.length - index < MAX_MARKS || isPrivate !== marks[index - 1]?.isPrivate;
  return { ...session, marks: marks.filter(isNeeded) };
}

export function privateTimes({ marks }: Pick<CapturedSession, 'marks'>): Interval[] {
  return marks.flatMap(({ at, isPrivate }, index) => {
    if (!isPrivate) return [];
    // what was before the first hook was no other than what came after it
    const from = index === 0 ? -Infinity : at;
    return [{ from, to: marks[index + 1]?.at ?? Infinity }];
  });
}

/** Returns when the part that ends at this byte (undefined if unknown) was written. */
export function timesOf(
  { marks }: Pick<CapturedSession, 'marks'>,
  end: number | undefined,
  createdAt: number,
  now: number,
): Interval {
  if (end === undefined) return { from: createdAt, to: now };
  const next = marks.findIndex(({ size }) => size >= end);
  const last = next < 0 ? marks.at(-1) : marks[next - 1];
  return { from: last?.at ?? createdAt, to: marks[next]?.at ?? now };
}

/** Returns a session without the messages that `forgotten` names (`turnKey`), for good. */
export function withoutForgotten<S extends CapturedSession>(
  session: S,
  forgotten: ReadonlySet<string>,
): S {
  const { client, id, activity } = session;
  const isForgotten = (turn: { readonly id: string }) =>
    forgotten.has(turnKey(client, id, turn.id));
  const ids = activity.turns.filter(isForgotten).map((turn) => turn.id);
  if (ids.length === 0) return session;
  const turns = activity.turns.filter((turn) => !isForgotten(turn));
  const all = [...new Set([...(session.forgotten ?? []), ...ids])];
  return { ...session, forgotten: all, activity: { ...activity, turns } };
}
