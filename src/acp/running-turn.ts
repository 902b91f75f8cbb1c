import type { JsonObject } from '../model/event.js';
import { isJsonObject } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import { DeclinedRequest } from '../platform/rpc/json-rpc.js';
import { ChatAgentTurn, type ChatAgentCall } from './chat-agent-turn.js';
import { EventQueue } from './event-queue.js';
import { CANCELLED, permissionResult } from './permission.js';
import type { ChatAgentSessionOptions, PromptOptions, WriteStage } from './session-options.js';

/** Calls that change no files; their paths are not checked. */
const READING_KINDS = new Set(['read', 'search', 'fetch', 'think', 'execute']);

/** Calls that change the files that they name. */
const WRITING_KINDS = new Set(['edit', 'delete', 'move']);

/** Stages that a call has reached. */
const STAGES: Partial<Record<ChatAgentCall['status'], readonly WriteStage[]>> = {
  waiting: ['named'],
  running: ['named', 'writing'],
  done: ['named', 'writing', 'written'],
};

/** A turn of an agent while it runs, with what the agent asks for. */
export class RunningTurn {
  readonly turn: ChatAgentTurn;
  readonly events = new EventQueue();
  readonly #options: ChatAgentSessionOptions;
  readonly #approve: PromptOptions['approve'];
  /** Files that the user has allowed in this turn. */
  readonly #allowed = new Set<VaultPath>();
  /** Announced changes that were passed on, by stage and path, also of each call. */
  readonly #passedOn = new Set<string>();
  /** Resolves when the user stops the turn. */
  readonly #stopped: Promise<undefined>;
  #passing: Promise<void> = Promise.resolve();
  #writes = 0;

  constructor(
    options: ChatAgentSessionOptions,
    approve: PromptOptions['approve'],
    signal: AbortSignal,
  ) {
    const { toolNames, paths, clock } = options;
    this.#options = options;
    this.#approve = approve;
    this.#stopped = abortPromise(signal);
    this.turn = new ChatAgentTurn({
      toolNames,
      displayPath: (path) => paths.display(path),
      now: () => clock.now(),
    });
  }

  /** Shows a `session/update`, and passes on a change of a file that the agent announces. */
  apply(update: JsonObject): void {
    this.events.push(this.turn.apply(update));
    const call = this.turn.callOf(update);
    if (!call || !WRITING_KINDS.has(call.tool)) return;
    const { paths } = call;
    for (const stage of STAGES[call.status] ?? [])
      this.#passing = this.#passing
        .then(() => this.#passOn(call, paths, stage))
        .catch(this.#options.report);
  }

  /** Resolves when all announced changes have been passed on. */
  settle(): Promise<void> {
    return this.#passing;
  }

  async #passOn(call: ChatAgentCall, paths: readonly string[], stage: WriteStage): Promise<void> {
    for (const path of paths) {
      if (!this.#isNew(`${call.id} ${stage} ${path}`)) continue;
      const place = await this.#options.paths.locate(path);
      if ('inner' in place) {
        if (stage === 'named') await this.#keep(call, place.inner);
      } else if (this.#isNew(`${stage} ${place.shown}`))
        this.#options.onForbiddenCall(place.shown, stage);
    }
  }

  #isNew(key: string): boolean {
    const { size } = this.#passedOn;
    return this.#passedOn.add(key).size > size;
  }

  async #keep(call: ChatAgentCall, path: VaultPath): Promise<void> {
    const { keepFile, report } = this.#options;
    const isKept = await keepFile(path).catch((error: unknown) => {
      report(error);
      return false;
    });
    if (!isKept) this.events.push(this.turn.markNotUndoable(call, path));
  }

  /** Answers `session/request_permission`. */
  async requestPermission({ toolCall, options }: JsonObject): Promise<JsonObject> {
    if (!isJsonObject(toolCall)) return CANCELLED;
    const { call, events } = this.turn.requestApproval(toolCall);
    this.events.push(events);
    const isAllowed = await this.#decide(call);
    return isAllowed === undefined ? CANCELLED : permissionResult(options, isAllowed);
  }

  /** Answers `fs/write_text_file`. Asks the user unless a call with this path was allowed. */
  async writeFile({ path, content }: JsonObject): Promise<JsonObject> {
    if (typeof path !== 'string' || typeof content !== 'string')
      throw new DeclinedRequest('Missing path or content.');
    const { paths, writeFile } = this.#options;
    const place = await paths.locate(path);
    if ('problem' in place) throw new DeclinedRequest(place.problem);
    const { inner } = place;
    if (this.#allowed.has(inner)) {
      await writeFile(inner, content);
      return {};
    }
    const toolCallId = `write:${++this.#writes}`;
    const { call, events } = this.turn.requestApproval({
      toolCallId,
      title: path,
      kind: 'edit',
      locations: [{ path }],
    });
    this.events.push(events);
    if ((await this.#decide(call)) !== true)
      throw new DeclinedRequest('The user did not allow this write.');
    await writeFile(inner, content);
    const done = { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' };
    this.events.push(this.turn.apply(done));
    return {};
  }

  /** Returns undefined if the turn was stopped meanwhile. */
  async #decide(call: ChatAgentCall): Promise<boolean | undefined> {
    const isReading = READING_KINDS.has(call.tool);
    const inners: VaultPath[] = [];
    let refusal: string | undefined;
    for (const path of call.paths) {
      const place = await this.#options.paths.locate(path);
      if (!('problem' in place)) inners.push(place.inner);
      else if (!isReading || place.isLink) refusal ??= place.problem;
    }
    if (refusal === undefined && !isReading)
      for (const inner of inners) await this.#keep(call, inner);
    const approved = refusal === undefined ? this.#approve(call) : Promise.resolve(false);
    const isAllowed = await Promise.race([approved, this.#stopped]);
    if (isAllowed === true && !isReading) for (const inner of inners) this.#allowed.add(inner);
    if (isAllowed !== undefined) this.events.push(this.turn.decide(call, isAllowed, refusal));
    return isAllowed;
  }
}

function abortPromise(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
