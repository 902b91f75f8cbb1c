import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { isText, isTextList, parseJsonObject } from '../model/text/json-fields.js';
import { PendingRequests } from '../platform/rpc/pending-requests.js';
import type { Answer } from '../toolkit/answer.js';
import type { ClientProject } from '../toolkit/context-defaults.js';
import { isSessionState, type SessionState } from '../toolkit/sessions.js';
import { createLineSplitter } from '../platform/bytes/line-splitter.js';
import { createBackpressure, MAX_MESSAGE_BYTES, type ByteChannel } from './framing.js';

/** Pseudo tool that returns the id of the plugin's current workspace. */
export const HOST_WORKSPACE = 'savepoint/workspace';

/** A call that the process of an MCP client sends to the plugin. */
export interface LiveToolCall {
  readonly tool: string;
  readonly params: Json;
  readonly sessionId: string;
  /** The session as the client's process knows it. */
  readonly session: SessionState;
  /** The project in which the client works, if any. */
  readonly project?: ClientProject | undefined;
  readonly key: string;
  /** The name by which the client identified itself. */
  readonly client: string;
  /** Switch names of the optional toolsets that the client may use; all of them if absent. */
  readonly toolsets?: readonly string[] | undefined;
}

export interface LiveAnswer {
  readonly answer: Answer;
  readonly session: SessionState;
  /** Id of the workspace that the call used last, if any; see `CallRequest`. */
  readonly usedWorkspaceId?: string | undefined;
}

export interface Secrets {
  /** Returns a keyed hash that proves knowledge of the vault's token. */
  readonly prove: (challenge: string) => string;
  /** Returns a random text that is never used twice. */
  readonly nonce: () => string;
}

/** The connection failed, or ended before the answer. The call may have taken effect. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

const HANDSHAKE_TIMEOUT_MS = 2000;

const HELLO = 'savepoint/1';

/** Serves one connection: answers calls once both sides have proved that they know the token. */
export function serveLive(
  channel: ByteChannel,
  { prove, nonce }: Secrets,
  call: (call: LiveToolCall, signal: AbortSignal) => Promise<LiveAnswer>,
): void {
  const challenge = nonce();
  const backpressure = createBackpressure(channel);
  const pending = new Map<number, AbortController>();
  let phase: 'hello' | 'proof' | 'open' | 'closed' = 'hello';
  const cancelTimeout = channel.after(HANDSHAKE_TIMEOUT_MS, () => {
    if (phase !== 'open') end();
  });

  function end(): void {
    if (phase === 'closed') return;
    phase = 'closed';
    cancelTimeout();
    channel.close();
    // These answers cannot be delivered; the caller repeats its calls elsewhere.
    for (const controller of pending.values()) controller.abort();
  }

  const write = (message: JsonObject) => channel.write(`${JSON.stringify(message)}\n`).catch(end);

  function answer(id: number, given: LiveToolCall): void {
    const controller = new AbortController();
    pending.set(id, controller);
    backpressure.callStarted();
    void call(given, controller.signal)
      .then((result) => write({ id, ...(result as unknown as JsonObject) }))
      .catch(end) // a bug: the caller sees the connection end, and repeats the call elsewhere
      .finally(() => {
        pending.delete(id);
        backpressure.callEnded();
      });
  }

  listenToMessages(channel, end, (message) => {
    if (
      phase === 'hello' &&
      message['hello'] === HELLO &&
      typeof message['question'] === 'string'
    ) {
      phase = 'proof';
      void write({
        hello: HELLO,
        proof: prove(`server ${message['question']}`),
        question: challenge,
      });
    } else if (phase === 'proof' && isEqual(message['proof'], prove(`client ${challenge}`))) {
      phase = 'open';
      cancelTimeout();
      void write({ welcome: true });
    } else if (phase === 'open' && typeof message['id'] === 'number' && isCall(message['call'])) {
      answer(message['id'], message['call']);
    } else if (phase === 'open' && typeof message['cancel'] === 'number') {
      pending.get(message['cancel'])?.abort();
    } else end();
  });
}

export interface LiveConnection {
  /** Rejects with a `ConnectionLostError` if it ends early. Aborting cancels the call remotely. */
  call(call: LiveToolCall, signal?: AbortSignal): Promise<LiveAnswer>;
  isOpen(): boolean;
  close(): void;
}

/** Rejects with a `ConnectionLostError` if the handshake with the plugin fails or times out. */
export function connectLive(
  channel: ByteChannel,
  { prove, nonce }: Secrets,
): Promise<LiveConnection> {
  const pending = new PendingRequests<LiveAnswer>((ms, task) => channel.after(ms, task));
  const challenge = nonce();
  let isOpen = true;
  let isServerProven = false;

  return new Promise((resolve, reject) => {
    const cancelTimeout = channel.after(HANDSHAKE_TIMEOUT_MS, end);

    function end(): void {
      if (!isOpen) return;
      isOpen = false;
      cancelTimeout();
      channel.close();
      const lost = new ConnectionLostError('The connection to Obsidian ended.');
      reject(lost);
      pending.fail(lost);
    }

    const write = (message: JsonObject) =>
      void channel.write(`${JSON.stringify(message)}\n`).catch(end);

    const connection: LiveConnection = {
      call(call, signal) {
        let cancelCall: () => void = () => undefined;
        return pending
          .start((id) => {
            write({ id, call: call as unknown as JsonObject });
            cancelCall = () => {
              if (pending.has(id)) write({ cancel: id });
            };
            if (signal?.aborted) cancelCall();
            else signal?.addEventListener('abort', cancelCall);
          })
          .finally(() => signal?.removeEventListener('abort', cancelCall));
      },
      isOpen: () => isOpen,
      close: end,
    };

    listenToMessages(channel, end, (message) => {
      if (
        !isServerProven &&
        isEqual(message['proof'], prove(`server ${challenge}`)) &&
        typeof message['question'] === 'string'
      ) {
        isServerProven = true;
        write({ proof: prove(`client ${message['question']}`) });
      } else if (isServerProven && message['welcome'] === true) {
        cancelTimeout();
        resolve(connection);
      } else if (
        isServerProven &&
        typeof message['id'] === 'number' &&
        isJsonObject(message['answer']) &&
        isSessionState(message['session'])
      ) {
        const { id, answer, session, usedWorkspaceId } = message;
        pending.resolve(id, {
          answer: answer as unknown as Answer,
          session,
          usedWorkspaceId: typeof usedWorkspaceId === 'string' ? usedWorkspaceId : undefined,
        });
      } else end();
    });
    write({ hello: HELLO, question: challenge });
  });
}

/** Calls `receive` for each line that is a JSON object. Anything else ends the connection. */
function listenToMessages(
  channel: ByteChannel,
  end: () => void,
  receive: (message: JsonObject) => void,
): void {
  const split = createLineSplitter(MAX_MESSAGE_BYTES);
  channel.listen((chunk) => {
    for (const frame of split(chunk)) {
      const message = frame.kind === 'line' ? parseJsonObject(frame.text) : undefined;
      if (!message) return end();
      receive(message);
    }
  }, end);
}

function isCall(value: Json | undefined): value is JsonObject & LiveToolCall {
  if (!isJsonObject(value)) return false;
  const { tool, sessionId, key, client, session, project, toolsets = [] } = value;
  return (
    [tool, sessionId, key, client].every(isText) &&
    isTextList(toolsets) &&
    isSessionState(session) &&
    (project === undefined || isProject(project))
  );
}

function isProject(value: Json): value is JsonObject & ClientProject {
  if (!isJsonObject(value)) return false;
  const { key, otherKeys = [], folder = '', worktree = '', link } = value;
  const { usedByClient = '', usedByAny = '' } = value;
  return (
    [key, folder, worktree, usedByClient, usedByAny].every(isText) &&
    isTextList(otherKeys) &&
    (link === undefined || isLink(link))
  );
}

function isLink(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { workspaceId, workspaceName, confirmCommand = '', otherWorkspaceName = '' } = value;
  return [workspaceId, workspaceName, confirmCommand, otherWorkspaceName].every(isText);
}

/** Takes constant time, so that the duration does not reveal how much matches. */
function isEqual(given: Json | undefined, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++)
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
