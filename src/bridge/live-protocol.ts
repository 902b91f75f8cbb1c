import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import type { Answer } from '../toolkit/answer.js';
import { createGate, createLineSplitter, type ByteChannel } from './framing.js';

/** A call on its way from an MCP client's own process to the plugin, which answers it live. */
export interface LiveCall {
  readonly tool: string;
  readonly params: Json;
  readonly sessionId: string;
  /** The workspace that the session is in. */
  readonly workspaceId: string | undefined;
  readonly key: string;
  /** The name that the client gave itself. */
  readonly client: string;
  /** The switches of the agents that the client is given; all where absent. */
  readonly agents?: readonly string[] | undefined;
}

export interface LiveAnswer {
  readonly answer: Answer;
  /** The workspace that the session is in afterwards. */
  readonly workspaceId: string | undefined;
}

/** Proves that a side knows the token of this vault: the same text for the same token and question, and no way back. */
export type Prove = (question: string) => string;

interface Secrets {
  readonly prove: Prove;
  /** A text that was never used before. */
  readonly nonce: () => string;
}

/** The connection ended before the answer came: whether the call took effect is not known. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
}

/** A side that does not show itself to be the right one within this time is let go, in milliseconds. */
const HANDSHAKE_LIMIT = 2000;

const HELLO = 'savepoint/1';

/** Serves one connection: the handshake, in which each side proves that it knows the token, then calls as they come. */
export function serveLive(
  channel: ByteChannel,
  { prove, nonce }: Secrets,
  call: (call: LiveCall, signal: AbortSignal) => Promise<LiveAnswer>,
): void {
  const question = nonce();
  const gate = createGate(channel);
  const inHand = new Map<number, AbortController>();
  let phase: 'greeting' | 'proving' | 'open' | 'over' = 'greeting';
  const cancel = channel.after(HANDSHAKE_LIMIT, () => {
    if (phase !== 'open') end();
  });

  function end(): void {
    if (phase === 'over') return;
    phase = 'over';
    cancel();
    channel.close();
    // Nobody hears these answers any more; the caller makes its calls again elsewhere.
    for (const controller of inHand.values()) controller.abort();
  }

  const write = (message: JsonObject) => channel.write(`${JSON.stringify(message)}\n`).catch(end);

  function answer(id: number, given: LiveCall): void {
    const controller = new AbortController();
    inHand.set(id, controller);
    gate.enter();
    void call(given, controller.signal)
      .then((answered) => write({ id, ...(answered as unknown as JsonObject) }))
      .catch(end) // a fault of the program: the caller sees the line end, and calls again elsewhere
      .finally(() => {
        inHand.delete(id);
        gate.leave();
      });
  }

  listenToMessages(channel, end, (message) => {
    if (
      phase === 'greeting' &&
      message['hello'] === HELLO &&
      typeof message['question'] === 'string'
    ) {
      phase = 'proving';
      void write({ hello: HELLO, proof: prove(`server ${message['question']}`), question });
    } else if (phase === 'proving' && isSame(message['proof'], prove(`client ${question}`))) {
      phase = 'open';
      cancel();
      void write({ welcome: true });
    } else if (phase === 'open' && typeof message['id'] === 'number' && isCall(message['call'])) {
      answer(message['id'], message['call']);
    } else if (phase === 'open' && typeof message['cancel'] === 'number') {
      inHand.get(message['cancel'])?.abort();
    } else end();
  });
}

export interface LiveConnection {
  /** Throws `Dropped` where the connection ends before the answer. The other side is told when the signal cancels the call. */
  call(call: LiveCall, signal?: AbortSignal): Promise<LiveAnswer>;
  isOpen(): boolean;
  close(): void;
}

/** Opens a connection to the plugin. Throws where the other side is not there, is slow, or does not know the token. */
export function connectLive(
  channel: ByteChannel,
  { prove, nonce }: Secrets,
): Promise<LiveConnection> {
  const waiting = new Map<
    number,
    { resolve: (answer: LiveAnswer) => void; reject: (error: Error) => void }
  >();
  const question = nonce();
  let lastId = 0;
  let isOpen = true;
  let isProven = false;

  return new Promise((resolve, reject) => {
    const cancel = channel.after(HANDSHAKE_LIMIT, end);

    function end(): void {
      if (!isOpen) return;
      isOpen = false;
      cancel();
      channel.close();
      const dropped = new Dropped('The connection to Obsidian ended.');
      reject(dropped);
      for (const each of waiting.values()) each.reject(dropped);
      waiting.clear();
    }

    const write = (message: JsonObject) =>
      void channel.write(`${JSON.stringify(message)}\n`).catch(end);

    const connection: LiveConnection = {
      call(call, signal) {
        if (!isOpen) return Promise.reject(new Dropped('The connection to Obsidian has ended.'));
        const id = ++lastId;
        const cancelCall = () => waiting.has(id) && write({ cancel: id });
        return new Promise<LiveAnswer>((answered, failed) => {
          waiting.set(id, { resolve: answered, reject: failed });
          write({ id, call: call as unknown as JsonObject });
          if (signal?.aborted) cancelCall();
          else signal?.addEventListener('abort', cancelCall);
        }).finally(() => signal?.removeEventListener('abort', cancelCall));
      },
      isOpen: () => isOpen,
      close: end,
    };

    listenToMessages(channel, end, (message) => {
      if (
        !isProven &&
        isSame(message['proof'], prove(`server ${question}`)) &&
        typeof message['question'] === 'string'
      ) {
        isProven = true;
        write({ proof: prove(`client ${message['question']}`) });
      } else if (isProven && message['welcome'] === true) {
        cancel();
        resolve(connection);
      } else if (isProven && typeof message['id'] === 'number' && isJsonObject(message['answer'])) {
        const { id, answer, workspaceId } = message;
        const held = waiting.get(id);
        waiting.delete(id);
        const place = typeof workspaceId === 'string' ? workspaceId : undefined;
        held?.resolve({ answer: answer as unknown as Answer, workspaceId: place });
      } else end();
    });
    write({ hello: HELLO, question });
  });
}

/** Calls back for each line that is a JSON object; anything else ends the connection. */
function listenToMessages(
  channel: ByteChannel,
  end: () => void,
  receive: (message: JsonObject) => void,
): void {
  const lines = createLineSplitter();
  channel.listen((piece) => {
    for (const line of lines(piece)) {
      const message = readMessage(line);
      if (!message) return end();
      receive(message);
    }
  }, end);
}

function readMessage(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCall(value: Json | undefined): value is JsonObject & LiveCall {
  if (!isJsonObject(value)) return false;
  const { tool, sessionId, key, client, workspaceId, agents = [] } = value;
  if (!Array.isArray(agents) || !agents.every((agent) => typeof agent === 'string')) return false;
  return (
    [tool, sessionId, key, client].every((text) => typeof text === 'string') &&
    ['string', 'undefined'].includes(typeof workspaceId)
  );
}

/** Compares in a time that does not tell how much of it was right. */
function isSame(given: Json | undefined, right: string): boolean {
  if (typeof given !== 'string' || given.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < right.length; at++)
    difference |= given.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
