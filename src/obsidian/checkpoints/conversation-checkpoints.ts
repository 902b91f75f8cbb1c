import * as z from 'zod';
import { buildCheckpoint } from '../../capture/build-checkpoint.js';
import { CHECKPOINT_INTERVAL_MS, sessionDraft } from '../../capture/checkpoint-trace.js';
import { conversationActivitySteps, withoutGaps } from '../../capture/conversation-activity.js';
import type { ChatConversation } from '../../chat/conversations.js';
import { stateHeads, workspaceById } from '../../model/lookup.js';
import type { Message } from '../../model/message.js';
import { isEmptyCheckpoint, type Checkpoint } from '../../model/text/checkpoint.js';
import { Mutex } from '../../platform/mutex.js';
import { createEntityId } from '../../platform/random.js';
import { runSliced } from '../../platform/run-sliced.js';
import { Scheduler } from '../../platform/scheduler.js';
import { createFolderRedactor } from '../../redaction/index.js';
import { yieldToHost } from '../host/browser-ports.js';
import type { Savepoint } from '../savepoint.js';
import { captureObstacle, type CaptureObstacle, type DeviceCapture } from './device-capture.js';

/** A conversation, and the messages of the branch that is shown, from the first to the last. */
export interface CapturedConversation {
  readonly conversation: Pick<ChatConversation, 'id' | 'workspaceId' | 'isPrivate'>;
  readonly path: readonly Message[];
}

const PENDING_KEY = 'savepoint-uncaptured';
const pendingShape = z.array(z.string());

/**
 * Writes checkpoints of chat conversations: after a turn, at most every ten minutes, and when one
 * is left. Ids of conversations changed since are on the device, so that a crash loses none.
 */
export class ConversationCheckpoints {
  readonly #savepoint: Savepoint;
  readonly #capture: DeviceCapture;
  /** Ids of the conversations that have changed since their last checkpoint. */
  readonly #pending = new Set<string>();
  readonly #writtenAt = new Map<string, number>();
  readonly #mutex = new Mutex();
  readonly #scheduler: Scheduler;
  /** Conversations that an earlier process has left without a checkpoint. */
  #left: readonly string[];

  constructor(
    savepoint: Savepoint,
    capture: DeviceCapture,
    scheduler = new Scheduler(savepoint.clock, yieldToHost),
  ) {
    this.#savepoint = savepoint;
    this.#capture = capture;
    this.#scheduler = scheduler;
    const stored = pendingShape.safeParse(savepoint.app.loadLocalStorage(PENDING_KEY));
    this.#left = stored.success ? stored.data : [];
  }

  /** Returns why a conversation is not captured; undefined if it is. */
  obstacle({
    workspaceId,
    isPrivate,
  }: CapturedConversation['conversation']): CaptureObstacle | undefined {
    const { memory, settings, clock } = this.#savepoint;
    const { rootFolder } = workspaceById(memory.get(), workspaceId);
    const { excludedFolders } = settings;
    return captureObstacle(this.#capture, {
      rootFolder,
      isPrivate,
      excludedFolders,
      now: clock.now(),
    });
  }

  /** Notes that a conversation changes, so that its checkpoint is written even after a crash. */
  turnBegan(id: string | undefined): void {
    if (id === undefined) return;
    this.#pending.add(id);
    this.#storePending();
  }

  /** Writes a checkpoint if the conversation's last one is old enough. */
  turnEnded(captured: CapturedConversation): Promise<void> {
    const { id } = captured.conversation;
    return this.#mutex.run(async () => {
      await this.#capture.read();
      if (this.obstacle(captured.conversation)) return;
      this.#pending.add(id);
      this.#storePending();
      const last = this.#writtenAt.get(id);
      const isEarly =
        last !== undefined && this.#savepoint.clock.now() - last < CHECKPOINT_INTERVAL_MS;
      if (!isEarly) await this.#seal(captured);
    });
  }

  /** Writes a checkpoint if the conversation has changed since its last one. */
  seal(captured: CapturedConversation): Promise<void> {
    return this.#mutex.run(() => this.#seal(captured));
  }

  /** Writes no checkpoint of what was said in a conversation until now. */
  discard(id: string): Promise<void> {
    return this.#mutex.run(() => {
      this.#pending.delete(id);
      this.#left = this.#left.filter((each) => each !== id);
      this.#storePending();
      return Promise.resolve();
    });
  }

  async #seal(
    { conversation, path }: CapturedConversation,
    client?: Checkpoint['client'],
  ): Promise<void> {
    const { id } = conversation;
    if (!this.#pending.delete(id)) return;
    await this.#capture.read();
    if (!this.obstacle(conversation) && !this.#isSaved(conversation, path))
      await this.#write(conversation, path, client);
    this.#storePending();
  }

  /** Writes the checkpoints of conversations that an earlier process has left without one. */
  sealLeft(
    conversations: readonly ChatConversation[],
    pathOf: (id: string) => Promise<readonly Message[]>,
  ): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#left.length === 0) return;
      const left = this.#left;
      this.#left = [];
      for (const id of left) {
        const conversation = conversations.find((each) => each.id === id);
        if (!conversation || this.#pending.has(id)) continue;
        this.#pending.add(id);
        await this.#seal({ conversation, path: await pathOf(id) }, 'gone');
      }
      this.#storePending();
    });
  }

  /** Returns true if a state has been saved in the conversation since the user's last message. */
  #isSaved({ id, workspaceId }: CapturedConversation['conversation'], path: readonly Message[]) {
    const askedAt = path.findLast(({ role }) => role === 'user')?.createdAt ?? '';
    const [newest] = stateHeads(this.#savepoint.memory.get(), workspaceId);
    const state = newest?.read()?.item;
    return state?.savedBy?.session === id && state.createdAt >= askedAt;
  }

  async #write(
    conversation: CapturedConversation['conversation'],
    path: readonly Message[],
    client: Checkpoint['client'],
  ): Promise<void> {
    const checkpoint = await this.#checkpointOf(path, client);
    // the user may have objected meanwhile
    if (isEmptyCheckpoint(checkpoint) || this.obstacle(conversation)) return;
    const { id, workspaceId } = conversation;
    const { clock, services } = this.#savepoint;
    const { log, random } = services;
    const key = `checkpoint-${id}-${path.at(-1)?.id ?? ''}`;
    const origin = { workspaceId, sessionId: id };
    await log.writeTrace(sessionDraft(createEntityId(random), origin, checkpoint, key));
    this.#writtenAt.set(id, clock.now());
  }

  async #checkpointOf(path: readonly Message[], client: Checkpoint['client']): Promise<Checkpoint> {
    const { vault, settings } = this.#capture;
    const { excludedFolders } = this.#savepoint.settings;
    // a time at which the vault was excluded, or everything was paused
    const gaps = settings.get().gaps?.filter(({ kind, of }) => kind === 'pause' || of === vault);
    const folders = {
      project: [],
      working: vault,
      vault: [vault],
      home: '',
      roots: [],
      excluded: excludedFolders.map((folder) => (folder === '' ? vault : `${vault}/${folder}`)),
    };
    const fromState = path[0]?.parts.find((part) => part.type === 'data')?.stateId;
    const changedAt = path.at(-1)?.createdAt;
    const facts = { client, changedAt, fromState };
    await this.#scheduler.yieldNow(); // drawing the last message is a task of its own
    const steps = conversationActivitySteps(withoutGaps(path, gaps ?? []));
    const activity = await runSliced(steps, { scheduler: this.#scheduler });
    const built = buildCheckpoint(activity, folders, facts);
    const hide = createFolderRedactor(excludedFolders);
    const { turns, failed, passed } = built;
    return {
      ...built,
      turns: turns.map((turn) => ({
        ...turn,
        message: hide(turn.message),
        answer: hide(turn.answer),
      })),
      failed: failed.map(({ command, error }) => ({ command: hide(command), error: hide(error) })),
      passed: passed.map(hide),
    };
  }

  #storePending(): void {
    const ids = [...this.#left, ...this.#pending];
    this.#savepoint.app.saveLocalStorage(PENDING_KEY, ids.length > 0 ? ids : null);
  }
}
