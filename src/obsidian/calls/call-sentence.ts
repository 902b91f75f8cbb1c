import type { MessagePart } from '../../model/message.js';
import { clip } from '../../model/refusal.js';
import { visibleText } from '../../model/text/visible-text.js';
import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { Trace } from '../../model/trace.js';
import { parseJson, textAt } from '../../model/text/json-fields.js';
import { text } from '../i18n/index.js';
import { labelOf } from './labels.js';

/** Sentence about a call, such as `Saved state Garden begun`, with an emphasized subject. */
export interface CallSentence {
  readonly before: string;
  readonly subject: string;
  readonly after: string;
}

const MAX_SUBJECT_CHARS = 60;
/** Parameters that may be the subject of a call, the most telling first. */
const SUBJECT_PARAMS = ['name', 'title', 'query', 'path'];

/** Returns the sentence about a successful call; undefined for a tool without a sentence. */
export function callSentence(tool: string, subject: string): CallSentence | undefined {
  const pattern = Object.hasOwn(text.calls.sentences, tool)
    ? text.calls.sentences[tool]
    : undefined;
  if (pattern === undefined) return undefined;
  const [before = '', after] = pattern.split('{}');
  if (after === undefined || subject === '')
    return { before: pattern.replace(' {}', ''), subject: '', after: '' };
  return { before, subject: clip(subject.replace(/\s+/gu, ' ').trim(), MAX_SUBJECT_CHARS), after };
}

/** Returns in words what a user asks for by running a tool, such as `Save state: Beds`. */
export function requestParts(tool: string, params: JsonObject): MessagePart[] {
  const names: Readonly<Record<string, string>> = text.commands.names;
  const name = names[tool === 'createState' ? 'saveState' : tool] ?? labelOf(tool);
  return [{ type: 'text', text: actionText(name, subjectOf(params)) }];
}

/** Returns a call's action and subject, such as `Save state: Plan`. */
export function actionText(title: string, subject: string): string {
  return subject === ''
    ? title
    : text.connections.approvals.action(title, clip(subject, MAX_SUBJECT_CHARS));
}

/** Returns the subject in a call's parameters; `''` if none. */
export function subjectOf(params: Json): string {
  return clip(wholeSubject(params).value, MAX_SUBJECT_CHARS);
}

/** Returns the parameter that is a call's subject, as given; `''` if none. */
export function wholeSubject(params: Json): { readonly name: string; readonly value: string } {
  const given = isJsonObject(params) ? params : {};
  const name = SUBJECT_PARAMS.find((each) => textAt(given, each) !== '') ?? '';
  return { name, value: textAt(given, name) };
}

/** Returns a sentence as plain text, with the subject in quotation marks. */
export function sentenceText({ before, subject, after }: CallSentence): string {
  return subject === '' ? before : `${before}${text.calls.quoted(subject)}${after}`;
}

/** Returns the subject in a trace's parameters, JSON that may be truncated; `''` if none. */
export function subjectIn(input: string): string {
  const params = parseJson(input);
  if (params !== undefined) return wholeSubject(params).value;
  for (const name of SUBJECT_PARAMS) {
    const [, quoted] = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`, 'u').exec(input) ?? [];
    const subject = parseJson(quoted ?? '');
    if (typeof subject === 'string') return subject;
  }
  return '';
}

/** Returns a recorded call's title: its sentence, or the tool's name if it has none or failed. */
export function callTitle({
  tool,
  input,
  isSuccess,
}: Pick<Trace, 'tool' | 'input' | 'isSuccess'>): string {
  const sentence = isSuccess ? callSentence(tool, subjectIn(input)) : undefined;
  if (sentence) return sentenceText(sentence);
  const name = visibleText(labelOf(tool));
  return isSuccess ? name : text.calls.failed(name);
}
