import { isJsonObject } from '../../model/event.js';
import type { Message, MessagePart } from '../../model/message.js';
import { shownCall, type PanelCall, type ShownCall, type ShownPart } from '../../chat/panel.js';
import type { Tool } from '../../toolkit/define-tool.js';
import { text } from '../i18n/index.js';
import { callSentence } from './call-sentence.js';

type KnownTool = Pick<Tool<never>, 'access' | 'action'>;

/** Returns the tool with a name; undefined for a tool that is not this program's. */
export type FindTool = (name: string) => KnownTool | undefined;

/** The kinds of an agent's calls, in the words of its protocol, that change something. */
const WRITING_KINDS: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
/** A plan is shown by itself. */
const PLAN_KIND = 'plan';

const FOLDED: ReadonlySet<PanelCall['status']> = new Set(['waiting', 'running', 'done', 'stopped']);

/** Returns true for a call that writes. `known` is its tool, if that is this program's. */
export function isWrite(call: ShownCall, known: KnownTool | undefined): boolean {
  if (known) return known.access !== 'read';
  return WRITING_KINDS.has(call.tool) || call.changes !== undefined;
}

/** Returns true for a call that is only counted: it reads, and needs no decision or attention. */
export function isFolded(part: ShownPart, find: FindTool): part is ShownCall {
  if (part.type !== 'tool' || !FOLDED.has(part.status) || part.notUndoable) return false;
  const known = find(part.tool);
  return (
    (part.title !== undefined || known !== undefined) &&
    part.tool !== PLAN_KIND &&
    !isWrite(part, known)
  );
}

/** Longer texts between calls are not remarks but part of the answer. */
const MAX_REMARK_CHARS = 300;

/** Returns true for a message between calls that has no more than folded calls and remarks. */
export function isFoldedStep({ end, parts }: Message, find: FindTool): boolean {
  return (
    end === 'tools' &&
    parts.some(({ type }) => type === 'tool') &&
    parts.every((part) => isRemark(part) || isFolded(part, find))
  );
}

function isRemark(part: MessagePart): boolean {
  return (
    part.type === 'reasoning' || (part.type === 'text' && part.text.length <= MAX_REMARK_CHARS)
  );
}

/** Groups items in a row that are folded; each of the others is a group of one. */
export function runsOf<T>(items: readonly T[], isFolded: (item: T) => boolean): T[][] {
  const runs: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    const canJoin = isFolded(item);
    if (canJoin && open) open.push(item);
    else runs.push((open = [item]));
    if (!canJoin) open = undefined;
  }
  return runs;
}

/** Returns in words what calls did, such as `Read 6 notes, searched 9 times`. */
export function foldedText(calls: readonly ShownCall[], find: FindTool): string {
  const done = new Map<string, readonly [(count: number) => string, Set<unknown>]>();
  for (const call of calls) {
    const [phrase, subject] = phraseOf(call, find(call.tool));
    const [, subjects] = done.get(phrase(1)) ?? [phrase, new Set()];
    done.set(phrase(1), [phrase, subjects.add(subject)]);
  }
  const words = [...done.values()].map(([phrase, { size }]) => phrase(size)).join(', ');
  return `${words.charAt(0).toLocaleUpperCase(text.locale)}${words.slice(1)}`;
}

/**
 * Returns the phrase of a tool's action or resource, of the tool, or of the kind of an agent's
 * call, and what it counts: calls, but a note that is read in two parts counts once.
 */
function phraseOf(call: ShownCall, known: KnownTool | undefined) {
  const { folded, within } = text.calls;
  if (call.status === 'stopped') return [folded.notRun, call] as const;
  const words = known ? [known.action?.name, known.action?.resource] : [call.tool];
  const phrases = new Map(Object.entries(folded));
  const word = words.find((each) => each !== undefined && phrases.has(each));
  const { before } = (word === undefined && callSentence(call.tool, '')) || {};
  if (before !== undefined) return [(count: number) => within(before, count), call] as const;
  if (word !== 'read') return [phrases.get(word ?? 'rest') ?? folded.rest, call] as const;
  const path = isJsonObject(call.params) ? call.params['path'] : undefined;
  return [known ? folded.readNotes : folded.read, path ?? call.title ?? call] as const;
}

/** Returns true if a later call of the turn calls the tool of a failed one again. */
export function isRetried(
  failed: ShownCall,
  path: readonly Message[],
  live: readonly PanelCall[],
): boolean {
  const parts: (ShownPart | undefined)[] = [];
  for (const message of path)
    parts.push(...(message.role === 'user' ? [undefined] : message.parts));
  parts.push(...live.map(shownCall));
  const own = parts.indexOf(failed);
  const isSame = (part?: ShownPart) => part?.type === 'tool' && part.id === failed.id;
  const after = parts.slice((own < 0 ? parts.findLastIndex(isSame) : own) + 1);
  const end = after.indexOf(undefined);
  return after
    .slice(0, end < 0 ? undefined : end)
    .some((part) => part?.type === 'tool' && part.tool === failed.tool);
}
