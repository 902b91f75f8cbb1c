import { isJsonObject, type Json, type JsonObject, type LogEvent } from '../../model/event.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { LogLine } from '../log-lines.js';

/** A text to look for. A short one counts only as a whole, since it is a part of many others. */
export interface Probe {
  /** In comparable form, with quotes around one that counts only as a whole. */
  readonly form: string;
  readonly isWhole: boolean;
}

/** Texts of fewer letters and digits are in too many places to be looked for inside others. */
const MIN_PART_LENGTH = 14;
const MIN_WHOLE_LENGTH = 3;
/** A trace may hold only the beginning of a text. */
const PROBE_LENGTH = 50;
const EXCERPT_BEFORE = 20;
const EXCERPT_LENGTH = 80;

/** Fields that people and models write, by whether a short one is worth looking for. */
const TEXT_FIELDS: ReadonlyMap<string, boolean> = new Map([
  ['name', true],
  ['title', true],
  ['body', true],
  ['description', false],
  ['conversationContext', false],
  ['activeTask', false],
  ['nextSteps', false],
  ['decisions', false],
  ['questions', false],
  ['input', false],
  ['outcome', false],
]);

/** Fields of a checkpoint that people and models write. Others are ids, paths, dates and words. */
const CHECKPOINT_FIELDS = ['turns', 'failed', 'passed', 'todos'];
/** Fields in these lists. */
const CHECKPOINT_TEXTS = ['message', 'answer', 'command', 'error', 'text'];

/** Returns the beginnings of texts, including short ones. */
export function probesOf(texts: readonly string[]): Probe[] {
  return texts.flatMap((text) => probesOfText({ text, isShortUsed: true }));
}

/** Returns the beginnings of the texts that people and models wrote in a line. */
export function probesIn({ event: { d } }: Pick<LogLine, 'event'>): Probe[] {
  const checkpoint = d['checkpoint'];
  const texts = isJsonObject(checkpoint) ? checkpointTexts(checkpoint) : [];
  const probes = texts.map((text) => ({ text, isShortUsed: false }));
  for (const [key, value] of Object.entries(d)) {
    const isShortUsed = TEXT_FIELDS.get(key.replace(/^\//, ''));
    if (isShortUsed !== undefined)
      for (const text of textsOf(value)) probes.push({ text, isShortUsed });
  }
  return probes.flatMap(probesOfText);
}

function probesOfText({ text, isShortUsed }: { text: string; isShortUsed: boolean }): Probe[] {
  const form = comparable(text);
  if (form.length >= MIN_PART_LENGTH)
    return [{ form: form.slice(0, PROBE_LENGTH), isWhole: false }];
  const isUsed = isShortUsed && form.length >= MIN_WHOLE_LENGTH;
  return isUsed ? [{ form: `"${form}"`, isWhole: true }] : [];
}

function checkpointTexts(checkpoint: JsonObject): string[] {
  const items = CHECKPOINT_FIELDS.flatMap((key) => {
    const list = checkpoint[key];
    return Array.isArray(list) ? list : [];
  });
  return items.flatMap((item) =>
    isJsonObject(item)
      ? CHECKPOINT_TEXTS.flatMap((key) => textsOf(item[key] ?? null))
      : textsOf(item),
  );
}

/** Returns an excerpt around one of the texts in an event; undefined if it holds none. */
export function mentionIn(
  { d, t }: Pick<LogEvent, 'd' | 't'>,
  probes: readonly Probe[],
): string | undefined {
  for (const text of textsOf(d)) {
    // a text as a whole is found like one in JSON
    const form = `"${comparable(text)}"`;
    for (const probe of probes) {
      const at = form.indexOf(probe.form);
      if (at >= 0) return excerptOf(text, placeOf(text, probe.isWhole ? at : at - 1));
      // a conversation's title may be the beginning of the text
      const title = t === 'conv.new' ? form.slice(1, -1) : '';
      if (title.length >= MIN_PART_LENGTH && probe.form.startsWith(title))
        return excerptOf(text, 0);
    }
  }
  return undefined;
}

/** Returns a test for texts that contain one which people or models wrote in the events. */
export function textFinder(events: readonly LogEvent[]): (text: string) => boolean {
  let probes: readonly Probe[] | undefined;
  return (text) => {
    probes ??= events.flatMap((event) => probesIn({ event }));
    return mentionIn({ t: '', d: { text } }, probes) !== undefined;
  };
}

/** Returns true if a value repeats the beginning of a long text in one of the lines. */
export function repeatsTextOf(lines: readonly LogLine[], value: Json): boolean {
  const probes = lines.flatMap(probesIn).filter(({ isWhole }) => !isWhole);
  return mentionIn({ t: '', d: { value } }, probes) !== undefined;
}

/**
 * Returns a text as it is compared: its letters, digits, pictures and straight quotes, without
 * case, in one normal form. So white space, Markdown and the escapes of JSON make no difference,
 * also if JSON is in a text in JSON.
 */
function comparable(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-f]{4})|[bfnrt])/giu, (_, code: string | undefined) =>
      code === undefined ? '' : String.fromCharCode(parseInt(code, 16)),
    )
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{So}"]+/gu, '');
}

/** Returns the place in a text of one in its comparable form, exact to the word. */
function placeOf(text: string, formPlace: number): number {
  let left = formPlace;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}\p{So}"\\]+/gu)) {
    const { length } = comparable(word);
    if (left < length) return index + Math.min(left, word.length - 1);
    left -= length;
  }
  return 0;
}

function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - EXCERPT_BEFORE);
  const to = from + EXCERPT_LENGTH;
  const shown = text.slice(from, to).replace(/\s+/gu, ' ').trim();
  return visibleText(`${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`);
}

function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
