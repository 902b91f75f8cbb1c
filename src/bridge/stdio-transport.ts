import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isJsonObject, type Json } from '../model/event.js';
import { objectIn, parseJson, textIn } from '../model/text/json-fields.js';
import { createLineSplitter } from '../platform/bytes/line-splitter.js';
import { createBackpressure, MAX_MESSAGE_BYTES, type ByteChannel } from './framing.js';
import { withParams } from './lenient-messages.js';

/** The SDK does not export this type. */
type Transport = Pick<
  StdioServerTransport,
  'start' | 'send' | 'close' | 'onclose' | 'onerror' | 'onmessage'
>;

/** Time for the next pending call after the client has closed its end. A signal ends the wait. */
const DRAIN_TIMEOUT_MS = 5000;

/**
 * MCP over lines of JSON. Answers an invalid message with an error and stays open. When the client
 * closes its end, answers the pending calls first.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #channel: ByteChannel;
  readonly #split = createLineSplitter(MAX_MESSAGE_BYTES);
  readonly #backpressure;
  /** Number of pending calls by id, as JSON. A client may use an id more than once. */
  readonly #pending = new Map<string, number>();
  #clientName = '';
  #hasEnded = false;
  #isClosed = false;
  #cancelTimeout: (() => void) | undefined;

  constructor(channel: ByteChannel) {
    this.#channel = channel;
    this.#backpressure = createBackpressure(channel);
  }

  /** The name that the client sent when it initialized the connection; empty before. */
  get clientName(): string {
    return this.#clientName;
  }

  start(): Promise<void> {
    this.#channel.listen(
      (chunk) => this.#receive(chunk),
      () => {
        this.#hasEnded = true;
        this.#closeWhenDrained();
      },
    );
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#channel.write(`${JSON.stringify(message)}\n`);
    if ('id' in message && !('method' in message)) this.release(message.id);
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#cancelTimeout?.();
      this.#channel.close();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Ends a pending request. A cancelled one must be reported here, because it gets no answer. */
  release(id: unknown): void {
    const key = JSON.stringify(id);
    const count = this.#pending.get(key);
    if (count === undefined) return;
    if (count > 1) this.#pending.set(key, count - 1);
    else this.#pending.delete(key);
    this.#backpressure.callEnded();
    this.#closeWhenDrained();
  }

  #closeWhenDrained(): void {
    if (!this.#hasEnded || this.#isClosed) return;
    if (this.#pending.size === 0) return void this.close();
    this.#cancelTimeout?.();
    this.#cancelTimeout = this.#channel.after(DRAIN_TIMEOUT_MS, () => void this.close());
  }

  #receive(chunk: Uint8Array): void {
    for (const frame of this.#split(chunk)) {
      if (frame.kind === 'oversized')
        this.#reject(
          frame.id,
          INVALID_REQUEST,
          `Invalid request: a message over ${MAX_MESSAGE_BYTES / 1024 / 1024} MB. Send less at once.`,
        );
      else if (frame.text.trim() !== '') this.#receiveLine(frame.text);
    }
  }

  #receiveLine(line: string): void {
    const value = parseJson(line);
    if (value === undefined)
      return this.#reject(
        null,
        PARSE_ERROR,
        'Parse error: the line is not valid JSON. Send one JSON-RPC message per line.',
      );
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(withParams(value));
    } catch {
      return this.#reject(
        idOf(value),
        INVALID_REQUEST,
        'Invalid request: not a JSON-RPC 2.0 message. Send an object with jsonrpc, id and method.',
      );
    }
    if ('method' in message) {
      if ('id' in message) {
        const key = JSON.stringify(message.id);
        this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1);
        this.#backpressure.callStarted();
      }
      if (message.method === 'initialize') this.#clientName = clientNameIn(value);
    }
    this.onmessage?.(message);
  }

  #reject(id: string | number | null, code: number, message: string): void {
    const text = `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`;
    this.#channel
      .write(text)
      .catch((error: unknown) =>
        this.onerror?.(error instanceof Error ? error : new Error(String(error))),
      );
  }
}

function clientNameIn(initialize: Json): string {
  const message = isJsonObject(initialize) ? initialize : undefined;
  return textIn(objectIn(objectIn(message, 'params'), 'clientInfo'), 'name') ?? '';
}

function idOf(value: Json): string | number | null {
  const id = isJsonObject(value) ? value['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
