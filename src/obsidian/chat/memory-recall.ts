import {
  encodeRecallSteps,
  readRecall,
  type RecallIndex,
} from '../../brief/recall/recall-index.js';
import { recall, type RecallItem } from '../../brief/recall/recall.js';
import { recallSourceSteps } from '../../brief/recall/sources.js';
import { fittingLines, TOLD_TOKENS, toldLine } from '../../brief/recall/told-text.js';
import { entityOf } from '../../model/memory.js';
import { stateOf } from '../../model/state.js';
import { runSliced } from '../../platform/run-sliced.js';
import { Scheduler } from '../../platform/scheduler.js';
import { trustOf } from '../../storage/index.js';
import type {
  CapturedConversation,
  ConversationCheckpoints,
} from '../checkpoints/conversation-checkpoints.js';
import { yieldToHost } from '../host/browser-ports.js';
import type { Savepoint } from '../savepoint.js';

/** The newest ones are told of. */
const MAX_SESSIONS = 500;
/** A longer message is matched by its beginning. */
const MAX_MATCHED_CHARS = 1000;
/** Sessions change often: they are read again after this many times the time that it took. */
const REST_FACTOR = 20;

interface BuiltIndex {
  readonly index: Promise<RecallIndex>;
  /** The values that it was built from, compared by identity. */
  readonly from: readonly unknown[];
  /** See `Savepoint.callsAdded`. */
  readonly calls: number;
  /** Milliseconds since 1970 until which it is used if only sessions have changed. */
  until: number;
}

/** Finds what the memory says about messages of the chat. Reads the memory for the first one. */
export class MemoryRecall {
  readonly #savepoint: Savepoint;
  readonly #checkpoints: ConversationCheckpoints;
  readonly #scheduler: Scheduler;
  readonly #closing = new AbortController();
  #built: BuiltIndex | undefined;

  constructor(savepoint: Savepoint, checkpoints: ConversationCheckpoints) {
    this.#savepoint = savepoint;
    this.#checkpoints = checkpoints;
    this.#scheduler = new Scheduler(savepoint.clock, yieldToHost);
  }

  /**
   * Returns what is told with a message, as lines: nothing that the conversation has been told or
   * has said itself, and nothing if it is not captured or this is closed meanwhile. `attached`:
   * ids of the message's states.
   */
  async linesFor(
    message: string,
    { conversation, path }: CapturedConversation,
    attached: readonly string[],
  ): Promise<string[]> {
    if (message === '' || this.#checkpoints.obstacle(conversation)) return [];
    const { id: session, workspaceId } = conversation;
    const index = await this.#index(workspaceId).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) throw error;
    });
    if (!index) return [];
    await this.#scheduler.yieldIfDue();
    const items = recall(message.slice(0, MAX_MATCHED_CHARS), index, { session });
    if (items.length === 0) return [];
    const memory = this.#savepoint.memory.get();
    const fresh = new Map<RecallItem, string>();
    for (const item of items)
      if (
        !attached.includes(item.id) &&
        stateOf(entityOf(memory, item.id))?.savedBy?.session !== session
      )
        fresh.set(item, toldLine(item));
    for (const { parts } of path) {
      await this.#scheduler.yieldIfDue();
      const said = JSON.stringify(parts);
      const isSaid = (each: string) => said.includes(JSON.stringify(each).slice(1, -1));
      for (const [item, line] of fresh)
        if ([item.id, item.text, ...told([line])].some(isSaid)) fresh.delete(item);
    }
    return told([...fresh.values()]);
  }

  /** Stops building an index. */
  close(): void {
    this.#closing.abort();
  }

  async #index(workspaceId: string): Promise<RecallIndex> {
    const { memory, services, callsAdded, deviceStore, clock } = this.#savepoint;
    const { log, search } = services;
    const { rarityOf } = search;
    const known = await deviceStore.load();
    const forgotten = log.forgetting.known().length;
    const confirmed = [...known.confirmed.keys()].join();
    const from = [workspaceId, memory.get(), rarityOf, forgotten, confirmed];
    const calls = callsAdded.get();
    const last = this.#built;
    const isCurrent =
      last?.from.every((each, position) => each === from[position]) === true &&
      (last.calls === calls || clock.now() < last.until);
    if (isCurrent) return last.index;
    const build = async () => {
      const isTrusted = (writer: string) => trustOf(known, writer) !== 'unknown';
      const traces = await log.recentCheckpoints(MAX_SESSIONS, isTrusted);
      const slices = { scheduler: this.#scheduler, signal: this.#closing.signal };
      const sources = recallSourceSteps(memory.get(), workspaceId, traces, isTrusted);
      const steps = encodeRecallSteps(await runSliced(sources, slices), rarityOf);
      return readRecall(await runSliced(steps, slices))!;
    };
    const since = clock.now();
    const index = build();
    const built: BuiltIndex = { index, from, calls, until: Infinity };
    this.#built = built;
    index.then(
      () => (built.until = clock.now() + REST_FACTOR * (clock.now() - since)),
      () => (this.#built = undefined),
    );
    return index;
  }
}

function told(lines: readonly string[]): string[] {
  return fittingLines(lines, TOLD_TOKENS.prompt);
}
