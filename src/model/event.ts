export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Far above the depth of real data, and far below that at which recursion overflows the stack. */
export const MAX_JSON_DEPTH = 64;

/** Returns true if arrays and objects are nested at most `limit` levels deep. */
export function isWithinDepth(value: Json, limit = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return limit > 0 && Object.values(value).every((inner) => isWithinDepth(inner, limit - 1));
}

/** Position of an event in the total order of all events, which compares (h, w, n, c). */
export interface Stamp {
  /** Hybrid logical clock, `2026-11-20T04:52:58.271Z.0001`. */
  readonly h: string;
  /** Id of the writer. */
  readonly w: string;
  /** The writer's own sequence number, from 1. */
  readonly n: number;
  /** CRC-32 of the event's line, 8 hex digits. */
  readonly c: string;
}

/** One line of the log: its type `t`, the entity `e` that it is about, and its data `d`. */
export interface LogEvent extends Stamp {
  /** Version of the format. */
  readonly v: number;
  /** Hash of this writer's previous line: the first 32 hex digits of its SHA-256. */
  readonly p: string;
  readonly t: string;
  readonly e: string;
  readonly d: JsonObject;
  /**
   * The parts of a state that the fold needs. Present only if `d` is parsed on first access; such
   * an event has no idempotency key.
   */
  readonly head?: {
    readonly ws: string;
    readonly name: string;
    readonly continues?: string | undefined;
  };
}

/** An event before the log has stamped it. */
export type Draft = Pick<LogEvent, 't' | 'e' | 'd'>;

/** Type of the events that are versions of what a session leaves behind. */
export const SESSION_TYPE = 'session.new';

/** Returns what all versions of a session share; undefined for other events. */
export function sessionKey({ t, d }: Draft): string | undefined {
  return t === SESSION_TYPE ? JSON.stringify([d['client'], d['session']]) : undefined;
}

/** Returns the name by which a message of a session is forgotten, which is not its text. */
export function turnKey(client: string | undefined, session: string, turn: string): string {
  return JSON.stringify([client ?? '', session, turn]);
}

/** Property of `d` that holds the caller's idempotency key. It comes first in `d`. */
export const CALL_KEY = '/call';

/** Property of a `set` event's `d`, its last: the keys of the versions that it replaces. */
export const REPLACES_KEY = '/replaces';

/** Returns the key by which a `set` event names the event whose values it replaces. */
export function versionKey({ w, n }: Pick<Stamp, 'w' | 'n'>): string {
  return `${w}:${n}`;
}

export function compareStamps(a: Stamp, b: Stamp): number {
  return compareText(a.h, b.h) || compareText(a.w, b.w) || a.n - b.n || compareText(a.c, b.c);
}

/** Compares two events by stamp. Only forged lines share a stamp; their texts decide. */
export function compareEvents(a: LogEvent, b: LogEvent): number {
  return compareStamps(a, b) || compareText(contentOf(a), contentOf(b));
}

function contentOf({ p, t, e, d }: LogEvent): string {
  return JSON.stringify([p, t, e, d]);
}

/** Compares by UTF-16 code units: unlike a locale's collation, the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the wall-clock part of a stamp as an ISO date-time in UTC. */
export function stampTime(stamp: Stamp): string {
  return stamp.h.slice(0, 24);
}
