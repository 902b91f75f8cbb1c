import { INVALID_REQUEST, PARSE_ERROR, parseJSONRPCMessage, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isJsonObject, type Json } from '../model/event.js';

/** What a server needs of a connection; the SDK does not name this type. */
type Transport = Pick<StdioServerTransport, 'start' | 'send' | 'close' | 'onclose' | 'onerror' | 'onmessage'>;

/** A two-way stream of bytes: standard input and output, or a socket. */
export interface ByteChannel {
  /** Calls `onData` for each piece that comes, then `onEnd` once. */
  listen(onData: (piece: Uint8Array) => void, onEnd: () => void): void;
  /** Resolves when the text has been taken; rejects when the other side is gone. */
  write(text: string): Promise<void>;
  close(): void;
  /** Calls `task` once after `ms` milliseconds. */
  after(ms: number, task: () => void): () => void;
}

const MESSAGE_LIMIT = 10 * 1024 * 1024;
/** How long calls in hand may still be answered after the other side has stopped sending. */
const LAST_ANSWERS_MS = 800;

/**
 * MCP over lines of JSON. What is no message gets the protocol's error, and the connection goes on;
 * when the other side stops sending, the calls in hand are answered first.
 */
export function createLineTransport(channel: ByteChannel): Transport {
  const lines = createLineSplitter(MESSAGE_LIMIT);
  /** How many calls of each id wait for their answer; nothing keeps a client from using one twice. */
  const inHand = new Map<string, number>();
  let hasEnded = false;
  let isClosed = false;
  let cancelWait: (() => void) | undefined;

  const transport: Transport = {
    start() {
      channel.listen(receive, () => {
        hasEnded = true;
        closeWhenAnswered();
        cancelWait = isClosed ? undefined : channel.after(LAST_ANSWERS_MS, () => void transport.close());
      });
      return Promise.resolve();
    },
    async send(message) {
      await channel.write(`${JSON.stringify(message)}\n`);
      if ('id' in message && !('method' in message)) countCall(message.id, -1);
      closeWhenAnswered();
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

  function countCall(id: unknown, change: number): void {
    const key = JSON.stringify(id);
    const count = (inHand.get(key) ?? 0) + change;
    if (count > 0) inHand.set(key, count);
    else inHand.delete(key);
  }

  function closeWhenAnswered(): void {
    if (hasEnded && inHand.size === 0) void transport.close();
  }

  function receive(piece: Uint8Array): void {
    for (const line of lines(piece)) {
      if (line === 'too long')
        refuse(null, INVALID_REQUEST, `Invalid request: a message over ${MESSAGE_LIMIT / 1024 / 1024} MB. Send less at once.`);
      else if (line.trim() !== '') receiveLine(line);
    }
  }

  function receiveLine(line: string): void {
    let value: Json;
    try {
      value = JSON.parse(line) as Json;
    } catch {
      return refuse(null, PARSE_ERROR, 'Parse error: the line is not valid JSON. Send one JSON-RPC message a line.');
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
    if ('id' in message && 'method' in message) countCall(message.id, 1);
    transport.onmessage?.(message);
  }

  function refuse(id: string | number | null, code: number, message: string): void {
    const text = `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`;
    channel.write(text).catch((error: unknown) => transport.onerror?.(error instanceof Error ? error : new Error(String(error))));
  }

  return transport;
}

function idOf(value: Json): string | number | null {
  const id = isJsonObject(value) ? value['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Cuts a stream into lines; of a line over `limit` bytes only that it was too long is kept. */
function createLineSplitter(limit: number): (piece: Uint8Array) => string[] {
  let parts: Uint8Array[] = [];
  let size = 0;
  return (piece) => {
    const lines: string[] = [];
    let from = 0;
    for (let newline = piece.indexOf(10); newline >= 0; newline = piece.indexOf(10, from)) {
      keep(piece.subarray(from, newline));
      lines.push(size > limit ? 'too long' : decode());
      parts = [];
      size = 0;
      from = newline + 1;
    }
    keep(piece.subarray(from));
    return lines;
  };

  function keep(part: Uint8Array): void {
    size += part.length;
    if (size > limit) parts = [];
    else if (part.length > 0) parts.push(part.slice());
  }

  function decode(): string {
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  }
}
