import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isJsonObject, type Json } from '../model/event.js';
import { createGate, createLineSplitter, MESSAGE_LIMIT, type ByteChannel } from './framing.js';

/** What a server needs of a connection; the SDK does not name this type. */
type Transport = Pick<
  StdioServerTransport,
  'start' | 'send' | 'close' | 'onclose' | 'onerror' | 'onmessage'
>;

interface LineTransport extends Transport {
  /** The name that the client gave itself when it opened the connection; empty until then. */
  clientName(): string;
  /** Lets go of a request that was cancelled: it gets no answer. */
  release(id: string | number): void;
}

/** How long calls in hand may still be answered after the other side has stopped sending. */
const LAST_ANSWERS_MS = 800;

/**
 * MCP over lines of JSON. What is no message gets the protocol's error, and the connection goes on;
 * when the other side stops sending, the calls in hand are answered first.
 */
export function createLineTransport(channel: ByteChannel): LineTransport {
  const lines = createLineSplitter();
  /** How many calls of each id wait for their answer; nothing keeps a client from using one twice. */
  const inHand = new Map<string, number>();
  const gate = createGate(channel);
  let clientName = '';
  let hasEnded = false;
  let isClosed = false;
  let cancelWait: (() => void) | undefined;

  const transport: LineTransport = {
    clientName: () => clientName,
    release: finish,
    start() {
      channel.listen(receive, () => {
        hasEnded = true;
        closeWhenAnswered();
        cancelWait = isClosed
          ? undefined
          : channel.after(LAST_ANSWERS_MS, () => void transport.close());
      });
      return Promise.resolve();
    },
    async send(message) {
      await channel.write(`${JSON.stringify(message)}\n`);
      if ('id' in message && !('method' in message)) finish(message.id);
    },
    close() {
      if (!isClosed) {
        isClosed = true;
        cancelWait?.();
        channel.close();
        transport.onclose?.();
      }
      return Promise.resolve();
    },
  };

  function begin(id: unknown): void {
    const key = JSON.stringify(id);
    inHand.set(key, (inHand.get(key) ?? 0) + 1);
    gate.enter();
  }

  function finish(id: unknown): void {
    const key = JSON.stringify(id);
    const count = inHand.get(key);
    if (count === undefined) return;
    if (count > 1) inHand.set(key, count - 1);
    else inHand.delete(key);
    gate.leave();
    closeWhenAnswered();
  }

  function closeWhenAnswered(): void {
    if (hasEnded && inHand.size === 0) void transport.close();
  }

  function receive(piece: Uint8Array): void {
    for (const line of lines(piece)) {
      if (line === 'too long')
        refuse(
          null,
          INVALID_REQUEST,
          `Invalid request: a message over ${MESSAGE_LIMIT / 1024 / 1024} MB. Send less at once.`,
        );
      else if (line.trim() !== '') receiveLine(line);
    }
  }

  function receiveLine(line: string): void {
    let value: Json;
    try {
      value = JSON.parse(line) as Json;
    } catch {
      return refuse(
        null,
        PARSE_ERROR,
        'Parse error: the line is not valid JSON. Send one JSON-RPC message a line.',
      );
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return refuse(
        idOf(value),
        INVALID_REQUEST,
        'Invalid request: not a JSON-RPC 2.0 message. Send an object with jsonrpc, id and method.',
      );
    }
    if ('id' in message && 'method' in message) begin(message.id);
    if ('method' in message && message.method === 'initialize') clientName = nameOf(value);
    transport.onmessage?.(message);
  }

  function refuse(id: string | number | null, code: number, message: string): void {
    const text = `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`;
    channel
      .write(text)
      .catch((error: unknown) =>
        transport.onerror?.(error instanceof Error ? error : new Error(String(error))),
      );
  }

  return transport;
}

function nameOf(initialize: Json): string {
  const params = isJsonObject(initialize) ? initialize['params'] : undefined;
  const info = isJsonObject(params) ? params['clientInfo'] : undefined;
  const name = isJsonObject(info) ? info['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

function idOf(value: Json): string | number | null {
  const id = isJsonObject(value) ? value['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
