import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import { objectAt, parseJsonObject } from '../../model/text/json-fields.js';
import type { Frame } from '../bytes/line-splitter.js';
import type { Clock } from '../clock.js';
import { PendingRequests } from './pending-requests.js';

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;

/** A declined request of the other side, which gets the message. */
export class DeclinedRequest extends Error {
  override readonly name = 'DeclinedRequest';
}

/** Handlers for the other side's messages. */
export interface RpcHandlers {
  /** Returns undefined for an unknown method. A `DeclinedRequest` is sent as an error. */
  readonly request: (method: string, params: JsonObject) => Promise<JsonObject> | undefined;
  readonly notification: (method: string, params: JsonObject) => void;
}

/** Why a request has no result: no answer in time, one that is too long, or an error. */
export type RpcProblem =
  | { readonly kind: 'timeout'; readonly ms: number }
  | { readonly kind: 'oversized' }
  | { readonly kind: 'error'; readonly error: JsonObject };

export interface JsonRpcOptions {
  /** The line includes its line feed. */
  readonly write: (line: string) => void;
  readonly after: Clock['after'];
  /** Without handlers, every request has an unknown method. */
  readonly handlers?: RpcHandlers;
  /** Returns the error with which a request is rejected. */
  readonly toError: (problem: RpcProblem) => Error;
  /** Receives a line that is no message. */
  readonly onOtherLine: (text: string) => void;
  /** Receives errors of the handlers that are not the other side's fault. */
  readonly report?: (error: unknown) => void;
}

/** One side of a connection that speaks JSON-RPC 2.0, one message per line. */
export class JsonRpc {
  readonly #options: JsonRpcOptions;
  readonly #pending: PendingRequests<Json>;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
    this.#pending = new PendingRequests(options.after);
  }

  /** Returns the result; null if the answer has none. */
  request(method: string, params: JsonObject, timeoutMs?: number): Promise<Json> {
    return this.#pending.start(
      (id) => this.#send({ id, method, params }),
      timeoutMs === undefined
        ? undefined
        : {
            ms: timeoutMs,
            error: () => this.#options.toError({ kind: 'timeout', ms: timeoutMs }),
          },
    );
  }

  notify(method: string, params?: JsonObject): void {
    this.#send({ method, ...(params && { params }) });
  }

  /** Rejects all requests, and those to come. */
  fail(error: Error): void {
    this.#pending.fail(error);
  }

  receive(frame: Frame): void {
    if (frame.kind === 'oversized') return this.#refuse(frame);
    const message = parseMessage(frame.text);
    if (!message) return this.#options.onOtherLine(frame.text);
    const { id, method } = message;
    if (typeof method !== 'string') return this.#settle(message);
    const params = objectAt(message, 'params');
    if (id === undefined) this.#notified(method, params);
    else void this.#answer(id, method, params);
  }

  #send(message: JsonObject): void {
    this.#options.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #settle({ id, result, error }: JsonObject): void {
    if (typeof id !== 'number') return;
    if (isJsonObject(error))
      this.#pending.reject(id, this.#options.toError({ kind: 'error', error }));
    else this.#pending.resolve(id, result ?? null);
  }

  #refuse({ id, answeredId }: Frame & { kind: 'oversized' }): void {
    const error = { code: INVALID_REQUEST, message: 'The message is too long.' };
    if (id !== null) this.#send({ id, error });
    if (answeredId !== null)
      this.#pending.reject(answeredId, this.#options.toError({ kind: 'oversized' }));
  }

  #notified(method: string, params: JsonObject): void {
    try {
      this.#options.handlers?.notification(method, params);
    } catch (error) {
      this.#options.report?.(error);
    }
  }

  async #answer(id: Json, method: string, params: JsonObject): Promise<void> {
    try {
      const answer = this.#options.handlers?.request(method, params);
      if (!answer) {
        const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
        return this.#send({ id, error });
      }
      this.#send({ id, result: await answer });
    } catch (error) {
      const isDeclined = error instanceof DeclinedRequest;
      if (!isDeclined) this.#options.report?.(error);
      const message = isDeclined ? error.message : 'Internal error in the client.';
      this.#send({ id, error: { code: INTERNAL_ERROR, message } });
    }
  }
}

/** Other lines include log lines that begin with a brace. */
function parseMessage(line: string): JsonObject | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  const value = parseJsonObject(line);
  return value?.['jsonrpc'] === '2.0' ? value : undefined;
}
