import { isJsonObject, type JsonObject } from '../model/event.js';
import { numberIn, objectAt, textAt } from '../model/text/json-fields.js';
import { createLineSplitter, type Frame } from '../platform/bytes/line-splitter.js';
import type { Clock } from '../platform/clock.js';
import { JsonRpc, type RpcHandlers, type RpcProblem } from '../platform/rpc/json-rpc.js';
import type { Scheduler } from '../platform/scheduler.js';
import { ChatAgentFailure } from './chat-agent-failure.js';
import type { ChatAgentProcess } from './chat-agent-process.js';

/** A longer message is dropped, and the request that it answers fails. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** With more unhandled text, the agent has to wait. */
const MAX_QUEUED_CHARS = 4 * 1024 * 1024;
const MAX_NOISE_CHARS = 2000;

const AUTH_REQUIRED = -32_000;

export interface ConnectionOptions {
  readonly process: ChatAgentProcess;
  readonly handlers: RpcHandlers;
  readonly clock: Pick<Clock, 'after'>;
  /** Yields to the host during bursts of messages. */
  readonly scheduler: Scheduler;
  /** Receives errors of the handlers that are not the agent's fault. */
  readonly report: (error: unknown) => void;
}

/** Handles messages in order and in slices. Ignores other lines: some agents print greetings. */
export class ChatAgentConnection {
  readonly #options: ConnectionOptions;
  readonly #split = createLineSplitter(MAX_MESSAGE_BYTES);
  readonly #rpc: JsonRpc;
  #queue: Frame[] = [];
  #handled = 0;
  #queuedChars = 0;
  #isHandling = false;
  #isPaused = false;
  #hasEnded = false;
  #failure: ChatAgentFailure | undefined;
  #noise = '';

  constructor(options: ConnectionOptions) {
    const { process, clock, handlers, report } = options;
    this.#options = options;
    this.#rpc = new JsonRpc({
      // When a program has ended, the end of its output fails requests with a better reason.
      write: (line) => void process.write(line).catch(() => undefined),
      after: (ms, task) => clock.after(ms, task),
      handlers,
      toError: (problem) => this.#toFailure(problem),
      onOtherLine: (text) => {
        this.#noise = `${this.#noise}${text}\n`.slice(-MAX_NOISE_CHARS);
      },
      report,
    });
    process.listen(
      (chunk) => this.#receive(chunk),
      () => {
        this.#hasEnded = true;
        void this.#handleQueue();
      },
    );
  }

  /** Undefined while the agent is running. */
  get failure(): ChatAgentFailure | undefined {
    return this.#failure;
  }

  /** Rejects with a `ChatAgentFailure` on an error, at the agent's end, or after `timeoutMs`. */
  async request(method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    const result = await this.#rpc.request(method, params, timeoutMs);
    return isJsonObject(result) ? result : {};
  }

  notify(method: string, params: JsonObject): void {
    this.#rpc.notify(method, params);
  }

  /** Fails all requests without ending the program. */
  fail(failure: ChatAgentFailure): void {
    this.#failure ??= failure;
    this.#rpc.fail(this.#failure);
  }

  #toFailure(problem: RpcProblem): ChatAgentFailure {
    if (problem.kind === 'timeout') return new ChatAgentFailure('silent', this.#words());
    return problem.kind === 'oversized'
      ? new ChatAgentFailure('oversized')
      : failureOf(problem.error);
  }

  /** Returns error output, or else the lines that are no messages. */
  #words(): string {
    const output = this.#options.process.lastOutput().trim();
    return output === '' ? this.#noise.trim() : output;
  }

  #receive(chunk: Uint8Array): void {
    for (const frame of this.#split(chunk)) {
      this.#queue.push(frame);
      this.#queuedChars += sizeOf(frame);
    }
    if (!this.#isPaused && this.#queuedChars > MAX_QUEUED_CHARS) {
      this.#isPaused = true;
      this.#options.process.pause();
    }
    void this.#handleQueue();
  }

  async #handleQueue(): Promise<void> {
    if (this.#isHandling) return;
    this.#isHandling = true;
    const { scheduler, process } = this.#options;
    for (let frame = this.#nextFrame(); frame; frame = this.#nextFrame()) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      this.#queuedChars -= sizeOf(frame);
      this.#rpc.receive(frame);
      if (this.#isPaused && this.#queuedChars < MAX_QUEUED_CHARS / 2) {
        this.#isPaused = false;
        process.resume();
      }
    }
    this.#isHandling = false;
    if (this.#hasEnded) this.fail(new ChatAgentFailure('ended', this.#words()));
  }

  /** Empties the list only at its end, because removing the first of many is slow. */
  #nextFrame(): Frame | undefined {
    const frame = this.#queue[this.#handled++];
    if (!frame) {
      this.#queue = [];
      this.#handled = 0;
    }
    return frame;
  }
}

function sizeOf(frame: Frame): number {
  return frame.kind === 'line' ? frame.text.length : 0;
}

function failureOf(error: JsonObject): ChatAgentFailure {
  const texts = [textAt(error, 'message'), textAt(objectAt(error, 'data'), 'details')];
  const details = texts.filter((text) => text !== '').join(': ');
  const code = numberIn(error, 'code');
  return new ChatAgentFailure(code === AUTH_REQUIRED ? 'login' : 'error', details, code);
}
