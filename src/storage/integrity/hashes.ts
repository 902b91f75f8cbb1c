import { joinBytes } from '../../platform/bytes/bytes.js';
import { sha256 } from '../../platform/sha256.js';
import type { LogEvent } from '../../model/event.js';
import { apply, emptyMemory, entityOf } from '../../model/memory.js';
import { stateOf, stateText } from '../../model/state.js';
import { isSequenceNumber, NEWLINE } from '../format/line.js';
import type { LogLine } from '../read/log-lines.js';
import type { VerifyProblem } from './verify-report.js';

/**
 * Returns the seals that do not match the lines which they sealed. These are found by number in any
 * file, since they may have been healed, imported or renamed. A seal is not checked if one of its
 * lines is missing or two have the same number, which is reported separately.
 */
export async function brokenSeals(lines: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  const seals = lines.filter(({ event: { v, t } }) => v === 1 && t === 'log.seal');
  const byWriter = linesByNumber(lines, new Set(seals.map(({ event }) => event.w)));
  for (const { event, path, from } of seals) {
    const { count, sha256: expected } = event.d;
    const isPossible = isSequenceNumber(count) && count < event.n;
    const sealed = isPossible && linesBetween(byWriter.get(event.w)!, event.n - count, event.n);
    if (sealed === false || (sealed && (await hashOf(sealed)) !== expected))
      found.push({ kind: 'seal', path, from });
  }
  return found;
}

function hashOf(lines: readonly Uint8Array[]): Promise<string> {
  return sha256(joinBytes(lines.flatMap((line) => [line, NEWLINE])));
}

/** One writer's lines by number; null if two lines have the same number. */
type NumberedLines = Map<number, Uint8Array | null>;

function linesByNumber(
  lines: readonly LogLine[],
  writers: ReadonlySet<string>,
): Map<string, NumberedLines> {
  const byWriter = new Map(
    [...writers].map((writer) => [writer, new Map<number, Uint8Array | null>()]),
  );
  for (const { event, bytes } of lines) {
    const numbered = byWriter.get(event.w);
    numbered?.set(event.n, numbered.has(event.n) ? null : bytes);
  }
  return byWriter;
}

/**
 * Returns the lines from number `from` up to but excluding `end`; undefined if a number is missing
 * or has two lines.
 */
function linesBetween(
  numbered: NumberedLines,
  from: number,
  end: number,
): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  for (let n = from; n < end; n++) {
    const line = numbered.get(n);
    if (!line) return undefined;
    found.push(line);
  }
  return found;
}

/** Returns the states that do not match their hash. */
export async function brokenStates(events: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  for (const { event, path, from } of events) {
    if (event.t === 'state.new' && !(await isStateWhole(event)))
      found.push({ kind: 'content', path, from });
  }
  return found;
}

async function isStateWhole(event: LogEvent): Promise<boolean> {
  const state = stateOf(entityOf(apply(emptyMemory, event), event.e));
  return state !== undefined && (await sha256(stateText(state))) === state.sha;
}
