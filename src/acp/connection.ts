import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import type { Clock } from '../platform/clock.js';
import { createLineSplitter, type Frame } from '../platform/bytes/line-splitter.js';
import type { Scheduler } from '../platform/scheduler.js';
import { AgentFailure } from './agent-failure.js';
import type { AgentProcess } from './agent-process.js';

/** A longer message is dropped, and the request that it answers fails. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** With more unhandled text than this, the agent has to wait. */
const MAX_QUEUED_CHARS = 4 * 1024 * 1024;
const MAX_NOISE_CHARS = 2000;

const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
const AUTH_REQUIRED = -32_000;

/** A request of the agent that the client declines. The message is for the agent. */
export class DeclinedRequest extends Error {
  override readonly name = 'DeclinedRequest';
}

/** Handlers of the agent's requests and notifications. */
export interface AgentHandlers {
  /**
   * Answers a request. A `DeclinedRequest` is returned to the agent as an error; undefined stands
   * for an unknown method.
   */
  readonly request: (method: string, params: JsonObject) => Promise<JsonObject> | undefined;
  readonly notification: (method: string, params: JsonObject) => void;
}

export interface ConnectionOptions {
  readonly process: AgentProcess;
  readonly handlers: AgentHandlers;
  readonly clock: Pick<Clock, 'after'>;
  /** Splits bursts of messages, so that the host can run its own tasks in between. */
  readonly scheduler: Scheduler;
  /** Receives errors of the handlers that are not the agent's fault. */
  readonly report: (error: unknown) => void;
}

interface PendingRequest {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: AgentFailure) => void;
  readonly cancelTimeout: (() => void) | undefined;
}

/**
 * JSON-RPC over the standard streams of an agent. Messages are handled in the order in which they
 * arrive, in slices. Lines that are no messages are ignored, because some agents print a greeting
 * or warnings first.
 */
export class AgentConnection {
  readonly #options: ConnectionOptions;
  readonly #split = createLineSplitter(MAX_MESSAGE_BYTES);
  readonly #pending = new Map<number, PendingRequest>();
  #queue: Frame[] = [];
  #handled = 0;
  #queuedChars = 0;
  #isHandling = false;
  #isPaused = false;
  #hasEnded = false;
  #failure: AgentFailure | undefined;
  #lastId = 0;
  #noise = '';

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.process.listen(
      (chunk) => this.#receive(chunk),
      () => this.#end(),
    );
  }

  /** Undefined while the agent is running. */
  get failure(): AgentFailure | undefined {
    return this.#failure;
  }

  /**
   * Sends a request. Rejects with an `AgentFailure` if the agent returns an error, ends, or does
   * not answer within `timeoutMs`.
   */
  request(method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancelTimeout =
        timeoutMs === undefined
          ? undefined
          : this.#options.clock.after(timeoutMs, () => {
              this.#take(id)?.reject(new AgentFailure('silent', this.#words()));
            });
      this.#pending.set(id, { resolve, reject, cancelTimeout });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: JsonObject): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Fails all pending requests, without ending the program. */
  fail(failure: AgentFailure): void {
    this.#failure ??= failure;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(this.#failure);
  }

  #take(id: number): PendingRequest | undefined {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    request?.cancelTimeout?.();
    return request;
  }

  /**
   * Returns what the agent has said outside the protocol: its error output, or else the lines that
   * are no messages.
   */
  #words(): string {
    const output = this.#options.process.lastOutput().trim();
    return output === '' ? this.#noise.trim() : output;
  }

  #send(message: JsonObject): void {
    // A program that ended fails all requests when its output ends, with a better reason than that
    // of the write.
    this.#options.process.write(`${JSON.stringify(message)}\n`).catch(() => undefined);
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

  #end(): void {
    this.#hasEnded = true;
    void this.#handleQueue();
  }

  async #handleQueue(): Promise<void> {
    if (this.#isHandling) return;
    this.#isHandling = true;
    const { scheduler, process } = this.#options;
    for (let frame = this.#nextFrame(); frame; frame = this.#nextFrame()) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      this.#queuedChars -= sizeOf(frame);
      this.#handle(frame);
      if (this.#isPaused && this.#queuedChars < MAX_QUEUED_CHARS / 2) {
        this.#isPaused = false;
        process.resume();
      }
    }
    this.#isHandling = false;
    if (this.#hasEnded) this.fail(new AgentFailure('ended', this.#words()));
  }

  /**
   * Takes the next frame. The list is emptied only when all of it is handled, because removing the
   * first of many is slow.
   */
  #nextFrame(): Frame | undefined {
    const frame = this.#queue[this.#handled++];
    if (!frame) {
      this.#queue = [];
      this.#handled = 0;
    }
    return frame;
  }

  #handle(frame: Frame): void {
    if (frame.kind === 'oversized') {
      if (typeof frame.id === 'number') this.#take(frame.id)?.reject(new AgentFailure('oversized'));
      return;
    }
    const message = parseMessage(frame.text);
    if (!message) {
      this.#noise = `${this.#noise}${frame.text}\n`.slice(-MAX_NOISE_CHARS);
      return;
    }
    const { id, method } = message;
    const params = isJsonObject(message['params']) ? message['params'] : {};
    if (typeof method !== 'string') return this.#settle(message);
    if (id === undefined) this.#notify(method, params);
    else void this.#answer(id, method, params);
  }

  #settle({ id, result, error }: JsonObject): void {
    const request = typeof id === 'number' ? this.#take(id) : undefined;
    if (!request) return;
    if (isJsonObject(error)) request.reject(failureOf(error));
    else request.resolve(isJsonObject(result) ? result : {});
  }

  #notify(method: string, params: JsonObject): void {
    try {
      this.#options.handlers.notification(method, params);
    } catch (error) {
      this.#options.report(error);
    }
  }

  async #answer(id: Json, method: string, params: JsonObject): Promise<void> {
    try {
      const answer = this.#options.handlers.request(method, params);
      if (!answer) {
        const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
        return this.#send({ jsonrpc: '2.0', id, error });
      }
      this.#send({ jsonrpc: '2.0', id, result: await answer });
    } catch (error) {
      const isDeclined = error instanceof DeclinedRequest;
      if (!isDeclined) this.#options.report(error);
      const message = isDeclined ? error.message : 'Internal error in the client.';
      this.#send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
    }
  }
}

function sizeOf(frame: Frame): number {
  return frame.kind === 'line' ? frame.text.length : 0;
}

/** Returns a JSON-RPC message; undefined for any other line. */
function parseMessage(line: string): JsonObject | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
  } catch {
    return undefined; // such as a log line that begins with a brace
  }
}

function failureOf({ code, message, data }: JsonObject): AgentFailure {
  const words = typeof message === 'string' ? message : '';
  const more = isJsonObject(data) && typeof data['details'] === 'string' ? data['details'] : '';
  const details = [words, more].filter((text) => text !== '').join(': ');
  const number = typeof code === 'number' ? code : undefined;
  return new AgentFailure(number === AUTH_REQUIRED ? 'login' : 'error', details, number);
}
