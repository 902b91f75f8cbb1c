import { plainLine } from '../../markdown/escape.js';
import { MAX_TITLE_LENGTH, nameProblem } from '../../model/names.js';
import { crc32, crcText } from '../../platform/crc32.js';

/** A task as its line shows it: status `open` or `done`, and the due day, an ISO date or `''`. */
export type TaskValues = readonly [title: string, status: string, due: string];

/** A line with a checkbox. */
export interface Box {
  /** Number of the line from 0. */
  readonly at: number;
  readonly raw: string;
  /** Indentation, list mark and opening bracket. */
  readonly start: string;
  readonly mark: string;
  /** Markdown of the title, as it was typed. */
  readonly text: string;
  readonly due: string;
  /** Day on which it was done; `''` for none. */
  readonly doneOn: string;
  /** Block id of its task. */
  readonly id: string | undefined;
}

const BOX = /^([ \t]*(?:[-*+]|\d{1,9}[.)]) \[)([^\]])\] (.*)$/su;
/** People also type after the id, at the end of the line, delete from it, and join lines. */
const ID = /(?:^| )\^(sp-[\w-]{0,8})/u;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/su;
const END_DAY = /(?:^| )(📅|✅) (\d{4}-\d\d-\d\d)$/u;

/** Returns the checkboxes of a note. One without an id in a code block is not a task. */
export function readBoxes(lines: readonly string[]): Box[] {
  let fence: string | undefined;
  return lines.flatMap((raw, at) => {
    const [, marks, info = ''] = FENCE.exec(raw) ?? [];
    if (fence === undefined) fence = marks;
    else if (marks?.startsWith(fence) && info.trim() === '') fence = undefined;
    const box = readBox(raw, at);
    return box && (fence === undefined || box.id !== undefined) ? [box] : [];
  });
}

function readBox(raw: string, at: number): Box | undefined {
  const [, start, mark, rest] = BOX.exec(raw) ?? [];
  if (start === undefined || mark === undefined || rest === undefined) return undefined;
  const [first = '', ...others] = rest.split(ID);
  const after = others.filter((_, index) => index % 2 === 1).map((part) => part.trim());
  const days: Record<string, string> = {};
  const texts = [first.trimEnd(), ...after].map((part) => {
    let text = part;
    for (let end = END_DAY.exec(text); end && isDay(end[2]); end = END_DAY.exec(text)) {
      days[end[1] ?? ''] = end[2] ?? '';
      text = text.slice(0, end.index);
    }
    return text;
  });
  const text = texts.filter((part) => part !== '').join(' ');
  const [due = '', doneOn = ''] = [days['📅'], days['✅']];
  return { at, raw, start, mark, text, due, doneOn, id: others[0] };
}

function isDay(day = ''): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** `unknown` is the status for a mark that means neither, such as `-` or `/`. */
export function valuesOf({ text, mark, due }: Box, unknown: string): TaskValues {
  const title = text.replace(/\\([!-/:-@[-`{-~])/gu, '$1').replace(/\s+/gu, ' ');
  return [title.trim(), { ' ': 'open', x: 'done', X: 'done' }[mark] ?? unknown, due];
}

/** Returns 8 hex digits. */
export function checksum(texts: readonly string[]): string {
  return crcText(crc32(new TextEncoder().encode(texts.join('\n'))));
}

/** Returns the values as they are read from the line that is written for them. */
export function writtenValues(values: TaskValues): TaskValues {
  const box = readBox(taskLine('', values), 0);
  return box ? valuesOf(box, '') : values;
}

/** Returns false for a text that cannot become a title and be read from a note again. */
export function isTitle(title: string): boolean {
  const [written] = writtenValues([title, 'open', '']);
  return nameProblem(title, MAX_TITLE_LENGTH) === undefined && written === title;
}

/** Returns the values of a task for words that another version replaced. */
export function editedValues(title: string): TaskValues {
  const edited = `${title} (edited)`;
  return [isTitle(edited) ? edited : title, 'open', ''];
}

/** Writes a task as Obsidian's Tasks and Dataview plugins read it, keeping what a line has. */
export function taskLine(
  id: string,
  [title, status, due]: TaskValues,
  doneOn = '',
  was?: { readonly box: Box; readonly own: TaskValues },
): string {
  const { box, own } = was ?? {};
  const isSame = own?.[1] === status;
  const day = isSame ? box?.doneOn : doneOn;
  const parts = [
    `${box?.start ?? '- ['}${isSame ? box?.mark : ({ done: 'x' }[status] ?? ' ')}]`,
    own?.[0] === title ? box?.text : plainLine(title),
    due && `📅 ${due}`,
    day && status === 'done' && `✅ ${day}`,
    id && `^${id}`,
  ];
  return parts.filter((part, at) => at < 2 || part).join(' ');
}
