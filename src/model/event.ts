/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than anybody nests, and far from where a program that walks the data would run out of stack. */
export const DEPTH_LIMIT = 64;

/** Whether arrays and objects lie in each other at most `limit` deep. */
export function isWithinDepth(value: Json, limit = DEPTH_LIMIT): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return limit > 0 && Object.values(value).every((inner) => isWithinDepth(inner, limit - 1));
}

/** Where an event stands in the one order of all events: compare by (h, w, n, c). */
export interface Stamp {
  /** Hybrid logical clock, `2026-11-20T04:52:58.271Z.0001`. */
  readonly h: string;
  /** The writer. */
  readonly w: string;
  /** The writer's own sequence number, from 1. */
  readonly n: number;
  /** CRC-32 of the event's line, 8 hex digits. */
  readonly c: string;
}

/** One line of the log. `t` says what happened, `e` to which entity, `d` carries the data. */
export interface LogEvent extends Stamp {
  readonly v: number;
  /** The `c` of this writer's event before. */
  readonly p: string;
  readonly t: string;
  readonly e: string;
  readonly d: JsonObject;
  /** Of a state's creation whose `d` has not been read yet: as much as the fold needs. It holds no idempotency key then. */
  readonly head?: { readonly ws: string; readonly name: string };
}

/** An event before the log has given it its stamp. */
export type Draft = Pick<LogEvent, 't' | 'e' | 'd'>;

/** The key inside `d` under which an event keeps its caller's idempotency key. It stands first in `d`. */
export const CALL_KEY = '/call';

export function compareStamps(a: Stamp, b: Stamp): number {
  return compareText(a.h, b.h) || compareText(a.w, b.w) || a.n - b.n || compareText(a.c, b.c);
}

/** Order by UTF-16 code units: the same on every machine, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The wall-clock part of a stamp, as an ISO date-time in UTC. */
export function stampTime(stamp: Stamp): string {
  return stamp.h.slice(0, 24);
}
