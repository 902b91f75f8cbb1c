import type { JsonObject } from '../model/event.js';
import { isJsonObject } from '../model/event.js';
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
  /** Paths that the user has allowed in this turn. */
  readonly #allowedPaths = new Set<string>();
  /** Forbidden calls that were passed on, by stage and path. */
  readonly #passedOn = new Set<string>();
  /** Resolves when the user stops the turn. */
  readonly #stopped: Promise<undefined>;

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

  /** Shows a `session/update`, and passes on a change where the agent must not write. */
  apply(update: JsonObject): void {
    this.events.push(this.turn.apply(update));
    const call = this.turn.callOf(update);
    if (!call || !WRITING_KINDS.has(call.tool)) return;
    for (const stage of STAGES[call.status] ?? []) this.#passOn(call, stage);
  }

  #passOn({ paths }: ChatAgentCall, stage: WriteStage): void {
    const { paths: allowed, onForbiddenCall } = this.#options;
    for (const path of paths) {
      const key = `${stage} ${path}`;
      if (this.#passedOn.has(key) || allowed.check(path) === undefined) continue;
      this.#passedOn.add(key);
      onForbiddenCall(allowed.display(path), stage);
    }
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
    const problem = paths.check(path);
    if (problem !== undefined) throw new DeclinedRequest(problem);
    if (this.#allowedPaths.has(path)) {
      await writeFile(path, content);
      return {};
    }
    const toolCallId = `write:${path}`;
    const { call, events } = this.turn.requestApproval({
      toolCallId,
      title: path,
      kind: 'edit',
      locations: [{ path }],
    });
    this.events.push(events);
    if ((await this.#decide(call)) !== true)
      throw new DeclinedRequest('The user did not allow this write.');
    await writeFile(path, content);
    const done = { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' };
    this.events.push(this.turn.apply(done));
    return {};
  }

  /** Returns undefined if the turn was stopped meanwhile. */
  async #decide(call: ChatAgentCall): Promise<boolean | undefined> {
    const { paths } = this.#options;
    const isRefused =
      !READING_KINDS.has(call.tool) && call.paths.some((path) => paths.check(path) !== undefined);
    const approved = isRefused ? Promise.resolve(false) : this.#approve(call);
    const isAllowed = await Promise.race([approved, this.#stopped]);
    if (isAllowed === true) for (const path of call.paths) this.#allowedPaths.add(path);
    if (isAllowed !== undefined) this.events.push(this.turn.decide(call, isAllowed));
    return isAllowed;
  }
}

function abortPromise(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
