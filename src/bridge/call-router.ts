import {
  ConnectionLostError,
  type LiveAnswer,
  type LiveConnection,
  type LiveToolCall,
} from './live-protocol.js';
import type { Memory } from '../model/memory.js';
import type { Answer } from '../toolkit/answer.js';
import { callTool, type CallRequest } from '../toolkit/call-tool.js';
import { enterWorkspace } from '../toolkit/context.js';
import type { Toolset } from '../toolkit/toolset.js';

/** Time limit for a call. Clients give up after 60 seconds and then never learn the outcome. */
const CALL_TIMEOUT_MS = 45_000;

/** After this number of lost connections in a row, a call is answered from the folder. */
const MAX_LIVE_ATTEMPTS = 2;

const TIMED_OUT =
  'Timed out after 45 s. The call may still complete; check with listStates before retrying.';

const CLOSED =
  'Savepoint is shutting down. The call may have completed; check with listStates before retrying.';

export interface CallRouterOptions<S> {
  /** Tools that work directly on the vault folder, used while Obsidian does not have the vault open. */
  readonly toolset: Toolset<S>;
  /** Connects to the plugin; undefined if it is not listening. */
  readonly connect: () => Promise<LiveConnection | undefined>;
  /** Runs before each call, while the router connects. Its errors fail the call. */
  readonly beforeCall?: () => Promise<void>;
  readonly newKey: () => string;
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** Receives the errors of `connect`. */
  readonly report: (error: unknown) => void;
}

/**
 * Routes each call of an MCP client: to the plugin while Obsidian has the vault open, otherwise to the tools over the folder.
 * Repeats a call whose connection is lost; the call's key ensures that it takes effect only once.
 */
export class CallRouter<S> {
  readonly #options: CallRouterOptions<S>;
  #live: LiveConnection | undefined;
  #connecting: Promise<LiveConnection | undefined> | undefined;
  #isClosed = false;

  constructor(options: CallRouterOptions<S>) {
    this.#options = options;
  }

  /**
   * Answers a call. If the call is aborted before its tool starts, the tool does not run. This is an arrow function, so that it
   * can be passed as a callback.
   */
  readonly call = async (request: CallRequest, signal?: AbortSignal): Promise<Answer> => {
    const abort = new AbortController();
    const stop = () => abort.abort();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
    let cancelTimeout: () => void = () => undefined;
    const timeout = new Promise<Answer>((resolve) => {
      cancelTimeout = this.#options.after(CALL_TIMEOUT_MS, () => {
        stop(); // a call that has not started must not start after the client has given up
        resolve({ success: false, error: TIMED_OUT });
      });
    });
    const key = request.key ?? this.#options.newKey();
    try {
      return await Promise.race([this.#route({ ...request, key }, key, abort.signal), timeout]);
    } finally {
      cancelTimeout();
      signal?.removeEventListener('abort', stop);
    }
  };

  close(): void {
    this.#isClosed = true;
    this.#live?.close();
  }

  async #route(request: CallRequest, key: string, signal: AbortSignal): Promise<Answer> {
    const { toolset, beforeCall } = this.#options;
    const liveCall = this.#toLiveCall(request, key);
    const memory = this.#readAhead();
    for (let attempt = 0; attempt < MAX_LIVE_ATTEMPTS; attempt++) {
      const isFirst = attempt === 0;
      const [live] = await Promise.all([this.#connect(), isFirst && beforeCall?.()]);
      // After an attempt, the plugin may have written something, so the memory must be read again.
      if (!live)
        return callTool(toolset, { ...request, signal, ...(isFirst && memory && { memory }) });
      try {
        const { answer, workspaceId } = await live.call(liveCall, signal);
        if (workspaceId !== undefined)
          enterWorkspace(toolset.sessions, liveCall.sessionId, workspaceId);
        return answer;
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        if (this.#isClosed) return { success: false, error: CLOSED };
      }
    }
    return callTool(toolset, { ...request, signal });
  }

  #toLiveCall({ tool, params, defaults }: CallRequest, key: string): LiveToolCall {
    const { sessionId, client = '', agents } = defaults;
    const workspaceId = this.#options.toolset.sessions.get(sessionId);
    return {
      tool,
      params: (params ?? {}) as LiveToolCall['params'],
      sessionId,
      workspaceId,
      key,
      client,
      agents,
    };
  }

  /**
   * Starts reading the memory while the router is connecting. If no connection is open yet, the plugin is rarely running, so the
   * call will probably need the memory.
   */
  #readAhead(): Promise<Memory> | undefined {
    if (this.#live?.isOpen()) return undefined;
    const memory = this.#options.toolset.host.memory();
    memory.catch(() => undefined); // handled by the call that uses it
    return memory;
  }

  /** Concurrent calls share one attempt to connect. */
  async #connect(): Promise<LiveConnection | undefined> {
    if (this.#live?.isOpen()) return this.#live;
    this.#connecting ??= this.#openConnection().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #openConnection(): Promise<LiveConnection | undefined> {
    const { connect, report } = this.#options;
    try {
      this.#live = await connect();
      if (this.#isClosed) this.#live?.close();
    } catch (error) {
      this.#live = undefined;
      report(error);
    }
    return this.#live;
  }
}

/** Answers a call that has arrived over the socket with the toolset of the plugin. */
export async function answerLiveCall<S>(
  toolset: Toolset<S>,
  call: LiveToolCall,
  signal?: AbortSignal,
): Promise<LiveAnswer> {
  const { tool, params, sessionId, client, agents, workspaceId, key } = call;
  const { sessions } = toolset;
  if (workspaceId !== undefined) enterWorkspace(sessions, sessionId, workspaceId);
  const answer = await callTool(toolset, {
    tool,
    params,
    key,
    signal,
    defaults: { sessionId, client, agents },
  });
  return { answer, workspaceId: sessions.get(sessionId) };
}
