import { findApp } from '../apps/index.js';
import type { TypedMessage } from '../apps/ai-app.js';
import { ActivityRecorder, NO_ACTIVITY, type Activity } from '../apps/transcripts/activity.js';
import type { JsonObject } from '../model/event.js';
import { parseJsonObject, textAt } from '../model/text/json-fields.js';
import type { Interval } from './consent.js';

export interface TranscriptLine {
  readonly text: string;
  /** Byte offset after the line; undefined if it is in another file. */
  readonly end?: number;
}

interface Entry {
  readonly value: JsonObject;
  readonly typed: TypedMessage | undefined;
  /** Folder in which the client worked; empty if unknown. */
  readonly folder: string;
  /** Milliseconds since 1970; undefined if unknown. */
  readonly at: number | undefined;
  readonly end: number | undefined;
}

/** A parsed transcript, before rules for capture are applied. */
export interface Transcript {
  readonly app: string;
  readonly entries: readonly Entry[];
  /** True if there are lines, but none of them is JSON. */
  readonly hasNoJson: boolean;
  /** Folders that entries name, in the order of their first entries. */
  readonly folders: readonly string[];
  /** True if a program leads the session, not a person. */
  readonly isUnattended: boolean;
  /** Version of the app; empty if unknown. */
  readonly version: string;
}

export interface CaptureRules {
  /** Returns true if a folder belongs to the session's project. */
  readonly isOwn: (folder: string) => boolean;
  /** Returns the times at which a folder is not captured. */
  readonly gaps: (folder: string) => readonly Interval[];
  /** Returns when an entry without a time happened, by the byte offset after it. */
  readonly timesOf: (end: number | undefined) => Interval;
}

/** What a client tells a hook about the turn that was the last one then. */
export interface TurnHints {
  readonly prompt: string;
  readonly answer: string;
  /** Size of the transcript then, in bytes; infinite if unknown. */
  readonly size: number;
  /** Ends when the hook was called. */
  readonly time: Interval;
}

const NO_HINTS: TurnHints = {
  prompt: '',
  answer: '',
  size: Infinity,
  time: { from: 0, to: Infinity },
};

export interface TranscriptReading {
  readonly activity: Activity;
  /** True if any entry was understood, captured or not. */
  readonly isUnderstood: boolean;
}

const EVERYTHING: CaptureRules = {
  isOwn: () => true,
  gaps: () => [],
  timesOf: () => ({ from: 0, to: 0 }),
};

/** Skips lines that are no JSON objects; reads a document of several lines as a whole. */
export function parseTranscript(app: string, lines: readonly TranscriptLine[]): Transcript {
  const format = findApp('hooks', app)?.hooks.transcript;
  const ends = new Map<JsonObject, number | undefined>();
  const parsed = lines.map(({ text }) => parseJsonObject(text));
  const budget = { attempts: MAX_ATTEMPTS };
  for (const [at, { text, end }] of lines.entries())
    for (const value of parsed[at] ? [parsed[at]] : joinedRecords(text, budget))
      ends.set(value, end);
  const isDocument = ends.size === 0 && lines[0]?.text.trimStart().startsWith('{') === true;
  const whole = isDocument ? parseJsonObject(lines.map(({ text }) => text).join('\n')) : undefined;
  const values = whole ? [whole] : [...ends.keys()];
  const entries = (format?.entriesIn?.(values) ?? values).map((value): Entry => {
    const at = Date.parse(textAt(value, 'timestamp'));
    return {
      value,
      typed: format?.typedIn(value),
      folder: textAt(value, 'cwd'),
      at: Number.isFinite(at) ? at : undefined,
      end: ends.get(value),
    };
  });
  const folders = new Set(entries.map(({ folder }) => folder));
  folders.delete('');
  const versions = values.map((value) => format?.versionIn?.(value) ?? '');
  return {
    app,
    entries,
    hasNoJson: values.length === 0 && lines.length > 0,
    folders: [...folders],
    isUnattended: values.some((value) => format?.isUnattended?.(value) === true),
    version: versions.findLast((version) => version !== '') ?? '',
  };
}

/** Where a record may begin: after another one, or after one that was cut. */
const RECORD = /(^|\}\s*)\{(?=\s*")|\{(?="(?:type|uuid|parentUuid|timestamp|id|\$set)")/g;
/** How often pieces of lines may be tried to be read. */
const MAX_ATTEMPTS = 5000;

/** Returns the records on a line that has several without a break. The first may be cut. */
function joinedRecords(line: string, budget: { attempts: number }): JsonObject[] {
  const at = [...line.matchAll(RECORD)].map(({ index, 1: before = '' }) => index + before.length);
  const found: JsonObject[] = [];
  for (let from = 0; from < at.length;) {
    let to = from + 1;
    let value: JsonObject | undefined;
    for (; !value && to <= at.length && budget.attempts > 0; to++, budget.attempts--)
      value = parseJsonObject(line.slice(at[from], at[to]));
    if (value) found.push(value);
    from = value ? to - 1 : from + 1;
  }
  return found;
}

/**
 * Returns the activity in own entries, without turns during which something was not to be captured.
 * Skips entries of unknown kinds, so an unknown version of an app yields less, never an error. If
 * nothing is understood, `before` is what is known.
 */
export function readActivity(
  { app, entries }: Transcript,
  rules = EVERYTHING,
  hints = NO_HINTS,
  before = NO_ACTIVITY,
): TranscriptReading {
  const format = findApp('hooks', app)?.hooks.transcript;
  const readEntry = ({ typed, value, folder }: Entry, recorder: ActivityRecorder) => {
    recorder.folder = folder;
    if (typed) recorder.setMessage(typed.text, { id: typed.id, isPart: typed.isQueued === true });
    format?.readEntry(value, recorder);
  };
  const probe = new ActivityRecorder();
  const isUnderstood = entries.some((entry) => {
    readEntry(entry, probe);
    return probe.count > 0;
  });
  let recorder = new ActivityRecorder(isUnderstood ? NO_ACTIVITY : before);
  // The client may have gone on since it called the hook.
  const last = entries.findLast(({ at, end = 0 }) =>
    at === undefined ? end <= hints.size : at <= hints.time.to,
  );
  for (const turn of turnsOf(entries)) {
    const earlier = recorder.activity();
    const times: { folder: string; time: Interval }[] = [];
    const note = (folder: string, time: Interval) => times.push({ folder, time });
    const addHints = () => {
      const { count } = recorder;
      if (!turn.some(({ typed }) => typed)) recorder.setMessage(hints.prompt);
      if (!recorder.activity().isFinished) recorder.setAnswer(hints.answer);
      if (recorder.count > count) note('', hints.time);
    };
    for (const entry of turn) {
      const isOwn = entry.folder === '' || rules.isOwn(entry.folder);
      // What was done elsewhere, or in a folder that is gone, is part of the turn's time.
      const reader = isOwn ? recorder : probe;
      const { count } = reader;
      readEntry(entry, reader);
      if (reader.count > count) note(isOwn ? entry.folder : '', timeOf(entry, rules));
      if (entry === last) addHints();
    }
    if (entries.length === 0) addHints();
    if (isLeftOut(times, rules)) recorder = new ActivityRecorder(earlier);
  }
  return { activity: recorder.activity(), isUnderstood };
}

/** Splits entries into turns; those before the first message are a turn of their own. */
function turnsOf(entries: readonly Entry[]): Entry[][] {
  let turn: Entry[] = [];
  let isOpen = false;
  const turns = [turn];
  let last = '';
  for (const entry of entries) {
    const { typed } = entry;
    const isRepeated = isOpen && typed?.text === last;
    if (typed && typed.isQueued !== true && !isRepeated) {
      turn = [];
      turns.push(turn);
      isOpen = true;
      last = typed.text;
    } else if (!typed) isOpen = false;
    turn.push(entry);
  }
  return turns;
}

function timeOf({ at, end }: Entry, rules: CaptureRules): Interval {
  return at === undefined ? rules.timesOf(end) : { from: at, to: at };
}

/** Returns true if the time of a turn, from its first to its last part, overlaps a gap. */
function isLeftOut(
  parts: readonly { readonly folder: string; readonly time: Interval }[],
  rules: CaptureRules,
): boolean {
  const from = parts.reduce((first, { time }) => Math.min(first, time.from), Infinity);
  const to = parts.reduce((last, { time }) => Math.max(last, time.to), -Infinity);
  const folders = new Set(parts.map(({ folder }) => folder));
  return [...folders].some((folder) =>
    rules.gaps(folder).some((gap) => gap.from <= to && from < gap.to),
  );
}
