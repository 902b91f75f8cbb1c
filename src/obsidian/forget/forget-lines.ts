import type { App } from 'obsidian';
import type { ChatConversation } from '../../chat/conversations.js';
import { sessionDraft } from '../../capture/checkpoint-trace.js';
import { compareStamps, SESSION_TYPE, turnKey, type Json } from '../../model/event.js';
import { readCheckpoint, type Turn } from '../../model/text/checkpoint.js';
import { createEntityId } from '../../platform/random.js';
import { Scheduler } from '../../platform/scheduler.js';
import {
  memoryOf,
  planForget,
  readForgotten,
  readLogLines,
  repeatsTextOf,
  type DecidedForget,
  type DestroyReport,
  type ForgetKind,
  type ForgetPlan,
  type LogItem,
} from '../../storage/index.js';
import { yieldToHost } from '../host/browser-ports.js';
import { text } from '../i18n/index.js';
import { decisionsIn } from '../memory/verify/verify-parts.js';
import { dropDrafts, emptyDraft, saveDraft } from '../host/composer-drafts.js';
import { dropStateDrafts } from '../host/state-drafts.js';
import type { Savepoint } from '../savepoint.js';

export interface ForgetTarget {
  readonly kind: ForgetKind;
  /** Id of the entity, or `ref` of the trace. */
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  /** The app of a session; empty for a conversation in the app itself. */
  readonly client?: string;
  /** Id of the message of a session that alone is forgotten. */
  readonly turn?: string;
  /** Stops what might still write about it. */
  readonly prepare?: () => Promise<void>;
  /** Called once it is forgotten. */
  readonly done?: (() => void) | undefined;
}

/** Changes of the user to a plan. */
export interface ForgetChoice {
  /** Types of items that stay although they are linked to it. */
  readonly kept: Set<string>;
  /** Ids of the related items that are forgotten, too. */
  readonly added: Set<string>;
}

/** Finds everything that holds the text of an item. Throws a `Refusal` if it is gone. */
export async function readPlan(
  { services: { files, dataFolder, log }, clock }: Savepoint,
  { kind, id, workspaceId, client }: ForgetTarget,
): Promise<ForgetPlan> {
  // with the lines that the user refused to forget
  const decisions = await decisionsIn(log);
  const scheduler = new Scheduler(clock, yieldToHost);
  const choiceOf = (key: string) => decisions[key]?.choice;
  const { lines } = await readLogLines(files, dataFolder, scheduler, choiceOf);
  return planForget(lines, memoryOf(lines), { kind, name: id, workspaceId, client });
}

/** Forgets an item with everything that holds its text by now, except what the user keeps. */
export async function forgetTarget(
  savepoint: Savepoint,
  target: ForgetTarget,
  { kept, added }: ForgetChoice,
): Promise<DestroyReport> {
  await target.prepare?.();
  await savepoint.releaseWriters(); // writes the calls that are still waiting
  const { items, linesOf, kept: drafts } = await readPlan(savepoint, target);
  const lines = items
    .filter(({ type, isPart }) => isPart || !kept.has(type))
    .flatMap((item) => item.lines);
  const { forgetting } = savepoint.services.log;
  const conversations = await savepoint.conversations.list();
  const all = [...new Set([...lines, ...linesOf(added)])];
  const { turn } = target;
  if (turn !== undefined) return forgetTurn(savepoint, target, turn, all);
  const report = await forgetting.forget(all, true, drafts);
  dropTyped(savepoint.app, target, conversations, (typed) => repeatsTextOf(all, typed));
  await savepoint.refresh();
  return report;
}

/** Forgets all versions of a session, and writes the newest again without what was forgotten. */
async function forgetTurn(
  savepoint: Savepoint,
  { id: sessionId, workspaceId, client }: ForgetTarget,
  id: string,
  lines: ForgetPlan['lines'],
): Promise<DestroyReport> {
  const { log, random } = savepoint.services;
  const versions = lines.map(({ event }) => event).filter(({ t }) => t === SESSION_TYPE);
  const newest = readCheckpoint(versions.sort(compareStamps).at(-1)?.d['checkpoint']);
  const key = turnKey(client, sessionId, id);
  const report = await log.forgetting.forget(lines, true, [], [key]);
  if (newest) {
    const isKept = (turn: Turn) => turn.id !== id;
    const rest = { ...newest, turns: newest.turns.filter(isKept) };
    const entity = createEntityId(random);
    await log.writeTrace(sessionDraft(entity, { workspaceId, sessionId, client }, rest, entity));
  }
  await savepoint.refresh();
  return report;
}

/** Removes what was typed and not sent or saved, in a deleted conversation or with its text. */
function dropTyped(
  app: App,
  { kind, id }: ForgetTarget,
  conversations: readonly Pick<ChatConversation, 'id'>[],
  isForgotten: (typed: Json) => boolean,
): void {
  if (kind === 'conversation') saveDraft(app, id, emptyDraft);
  const ids = conversations.map((each) => each.id);
  dropDrafts(app, ids, isForgotten);
  dropStateDrafts(app, (draft, place) => isForgotten(draft) || place === id);
}

/** Returns what each event would remove from this device, if the vault or the copies have it. */
export function readForgottenItems(
  { services: { files, dataFolder: root, copies }, clock }: Savepoint,
  forgets: readonly DecidedForget[],
): Promise<ReadonlyMap<string, readonly LogItem[]>> {
  const keys = new Set(forgets.map(({ key }) => key));
  return readForgotten({ files, root, copies }, keys, new Scheduler(clock, yieldToHost));
}

/** Returns one text for each named item, and one for each type of the others. */
export function itemTexts(items: readonly LogItem[]): string[] {
  const named: Readonly<Record<string, ((name: string) => string) | undefined>> = text.forget.named;
  const texts = items.flatMap(({ type, title }) => named[type]?.(title) ?? []);
  const others = items.filter(({ type }) => !named[type]);
  return [...texts, ...typeTexts(others).map(([, label]) => label)];
}

/** Returns a text for each type of the items, with their number. */
export function typeTexts(items: readonly LogItem[]): [type: string, label: string][] {
  const kinds: Readonly<Record<string, ((count: number) => string) | undefined>> =
    text.forget.kinds;
  const counts = new Map<string, number>();
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => [type, (kinds[type] ?? text.forget.other)(count)]);
}

const MAX_SHOWN_FILES = 5;

/** Adds to a message which files could not be rewritten yet, or still have the text. */
export function withRest(message: string, { waiting, remaining }: DestroyReport): string {
  const parts = [message];
  if (waiting.length > 0) parts.push(text.forget.waiting(waiting.length));
  const shown = remaining.slice(0, MAX_SHOWN_FILES).join(', ');
  if (remaining.length > 0) parts.push(text.forget.remaining(remaining.length, shown));
  return parts.join(' ');
}
