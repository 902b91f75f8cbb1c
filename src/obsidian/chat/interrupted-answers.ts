import type { App } from 'obsidian';
import * as z from 'zod';
import type { PanelState } from '../../chat/panel.js';
import type { Message, MessageContent } from '../../model/message.js';
import { formatModelRef, type ModelRef } from '../models/model-ref.js';
import type { Clock } from '../../platform/clock.js';

const answerShape = z.object({
  parentId: z.string(),
  text: z.string(),
  model: z.string().optional(),
});

/** The part of an answer that was shown before it was stored. */
export type PartialAnswer = z.output<typeof answerShape>;

/** A crash loses at most this much of what was shown. */
const SAVE_INTERVAL_MS = 1000;

/** Stores answers on the device while they are streamed, so that a crash does not lose them. */
export class InterruptedAnswers {
  readonly #app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>;
  readonly #clock: Clock;
  readonly #latest = new Map<string, PartialAnswer>();
  readonly #scheduled = new Map<string, () => void>();

  constructor(app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>, clock: Clock) {
    this.#app = app;
    this.#clock = clock;
  }

  /** Keeps what the panel of a conversation shows of an unfinished answer. */
  follow(
    conversationId: string | undefined,
    { live, leafId }: Pick<PanelState, 'live' | 'leafId'>,
    modelOf: () => ModelRef | undefined,
  ): void {
    if (conversationId === undefined) return;
    const words = live?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
    if (words === '' || leafId === undefined) return this.drop(conversationId);
    const ref = modelOf();
    const model = ref && { model: formatModelRef(ref) };
    this.keep(conversationId, { parentId: leafId, text: words, ...model });
  }

  /** Returns the interrupted answer, once, if its question is known and has no other answer. */
  takeUnanswered(
    conversationId: string,
    messages: ReadonlyMap<string, Message>,
  ): Pick<MessageContent, 'role' | 'parentId' | 'parts' | 'model'> | undefined {
    const left = this.take(conversationId);
    if (!left || !messages.has(left.parentId)) return undefined;
    const { parentId, text: words, model } = left;
    const isAnswered = [...messages.values()].some(
      (message) => message.role === 'assistant' && message.parentId === parentId,
    );
    if (isAnswered) return undefined;
    return {
      role: 'assistant',
      parentId,
      parts: [{ type: 'text', text: words }],
      ...(model !== undefined && { model }),
    };
  }

  /** Keeps the answer of a conversation as it is now, within a second. */
  keep(conversationId: string, answer: PartialAnswer): void {
    this.#latest.set(conversationId, answer);
    if (this.#scheduled.has(conversationId)) return;
    const cancel = this.#clock.after(SAVE_INTERVAL_MS, () => {
      this.#scheduled.delete(conversationId);
      this.#app.saveLocalStorage(
        answerKey(conversationId),
        this.#latest.get(conversationId) ?? null,
      );
    });
    this.#scheduled.set(conversationId, cancel);
  }

  /** Removes the answer, because it is stored or has failed. */
  drop(conversationId: string): void {
    if (!this.#latest.delete(conversationId)) return;
    this.#scheduled.get(conversationId)?.();
    this.#scheduled.delete(conversationId);
    this.#app.saveLocalStorage(answerKey(conversationId), null);
  }

  /** Returns the answer that a crash has interrupted, once; undefined if there is none. */
  take(conversationId: string): PartialAnswer | undefined {
    if (this.#latest.has(conversationId)) return undefined; // it is being streamed
    const kept = answerShape.safeParse(this.#app.loadLocalStorage(answerKey(conversationId)));
    if (!kept.success) return undefined;
    this.#app.saveLocalStorage(answerKey(conversationId), null);
    return kept.data;
  }
}

function answerKey(conversationId: string): string {
  return `savepoint-answer-${conversationId}`;
}
