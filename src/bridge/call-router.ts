import {
  ConnectionLostError,
  HOST_WORKSPACE,
  type LiveAnswer,
  type LiveConnection,
  type LiveToolCall,
} from './live-protocol.js';
import type { Memory } from '../model/memory.js';
import { sessionIdIn } from '../toolkit/context.js';
import { succeed, type Answer } from '../toolkit/answer.js';
import { callTool, type CallRequest } from '../toolkit/call-tool.js';
import type { Toolkit } from '../toolkit/toolkit.js';
import { rememberUse, type ClientLocation, type Projects } from './projects.js';

/** Clients give up after 60 seconds and then never learn the outcome. */
const CALL_TIMEOUT_MS = 45_000;

/** After this number of lost connections in a row, a call is answered from the folder. */
const MAX_LIVE_ATTEMPTS = 2;

const TIMED_OUT =
  'Timed out after 45 s. The call may still complete; check with listStates before retrying.';

const CLOSED =
  'Savepoint is shutting down. The call may have completed; check with listStates before retrying.';

/** A call with its idempotency key. */
type KeyedRequest = CallRequest & { readonly key: string };

export interface CallRouterOptions<S> {
  /** Works directly on the vault folder while Obsidian does not have the vault open. */
  readonly toolkit: Toolkit<S>;
  /** Undefined if the plugin is not listening. */
  readonly connect: () => Promise<LiveConnection | undefined>;
  /** Runs before each call, while the router connects. Its errors fail the call. */
  readonly beforeCall?: () => Promise<void>;
  /** Without them, calls happen in no project. */
  readonly projects?: Projects | undefined;
  readonly newKey: () => string;
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** Receives the errors of `connect` and `projects`. */
  readonly report: (error: unknown) => void;
}

/**
 * Routes calls to the plugin while Obsidian has the vault open, otherwise to the tools over the
 * folder. Repeats a call whose connection is lost; its key ensures that it takes effect only once.
 */
export class CallRouter<S> {
  readonly #options: CallRouterOptions<S>;
  #live: LiveConnection | undefined;
  #connecting: Promise<LiveConnection | undefined> | undefined;
  #isClosed = false;

  constructor(options: CallRouterOptions<S>) {
    this.#options = options;
  }

  /** Does not run the tool if aborted before it starts. An arrow function, to be a callback. */
  readonly call = async (
    request: CallRequest,
    signal?: AbortSignal,
    location?: ClientLocation,
  ): Promise<Answer> => {
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
      const keyed = { ...request, key, signal: abort.signal };
      return await Promise.race([this.#callInProject(keyed, location), timeout]);
    } finally {
      cancelTimeout();
      signal?.removeEventListener('abort', stop);
    }
  };

  /** Undefined if the plugin is not listening. */
  async hostWorkspaceId(): Promise<string | undefined> {
    const live = await this.#connect();
    return live && readHostWorkspace(live);
  }

  close(): void {
    this.#isClosed = true;
    this.#live?.close();
  }

  /** Answers in the client's project, and stores the workspace that the project has used. */
  async #callInProject(
    request: KeyedRequest,
    location: ClientLocation | undefined,
  ): Promise<Answer> {
    const { projects, report } = this.#options;
    const memory = this.#readAhead();
    const ready = this.#prepare();
    ready.catch(() => undefined); // handled by the route
    const project = await (location && projects?.find(location).catch(report));
    let usedWorkspaceId: string | undefined;
    const onWorkspaceUsed = (id: string) => {
      usedWorkspaceId = id;
    };
    const defaults = { ...request.defaults, ...(project && { project }) };
    const answer = await this.#route({ ...request, defaults, onWorkspaceUsed }, ready, memory);
    // The answer waits for this, so that the client's next process finds the workspace.
    const { client = '' } = defaults;
    await rememberUse(projects, project ?? undefined, client, usedWorkspaceId).catch(report);
    return answer;
  }

  async #prepare(): Promise<LiveConnection | undefined> {
    const [live] = await Promise.all([this.#connect(), this.#options.beforeCall?.()]);
    return live;
  }

  async #route(
    request: KeyedRequest,
    ready: Promise<LiveConnection | undefined>,
    memory: Promise<Memory> | undefined,
  ): Promise<Answer> {
    const { toolkit } = this.#options;
    for (let attempt = 0; attempt < MAX_LIVE_ATTEMPTS; attempt++) {
      const isFirst = attempt === 0;
      const live = await (isFirst ? ready : this.#connect());
      // After an attempt, the plugin may have written something, so the memory must be read again.
      if (!live) return callTool(toolkit, { ...request, ...(isFirst && memory && { memory }) });
      try {
        return await this.#callLive(live, request);
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        if (this.#isClosed) return { success: false, error: CLOSED };
      }
    }
    return callTool(toolkit, request);
  }

  async #callLive(live: LiveConnection, request: KeyedRequest): Promise<Answer> {
    const { tool, params, defaults, key, signal, onWorkspaceUsed } = request;
    const { sessions } = this.#options.toolkit;
    const { client = '', toolsets, project } = defaults;
    const sessionId = sessionIdIn(params) ?? defaults.sessionId;
    const session = sessions.stateOf(sessionId);
    const liveParams = (params ?? {}) as LiveToolCall['params'];
    const result = await live.call(
      { tool, params: liveParams, sessionId, session, project, key, client, toolsets },
      signal,
    );
    sessions.merge(sessionId, result.session);
    if (result.usedWorkspaceId !== undefined) onWorkspaceUsed?.(result.usedWorkspaceId);
    return result.answer;
  }

  /** Starts reading the memory while connecting. Without a connection, the plugin rarely runs. */
  #readAhead(): Promise<Memory> | undefined {
    if (this.#live?.isOpen()) return undefined;
    const memory = this.#options.toolkit.host.memory();
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

/** Answers a call from the socket with the plugin's toolkit. */
export async function answerLiveCall<S>(
  toolkit: Toolkit<S>,
  call: LiveToolCall,
  signal?: AbortSignal,
): Promise<LiveAnswer> {
  const { tool, params, sessionId, session, project, client, toolsets, key } = call;
  if (tool === HOST_WORKSPACE)
    return { answer: succeed(toolkit.host.currentWorkspaceId?.()), session };
  const { sessions } = toolkit;
  sessions.merge(sessionId, session);
  let usedWorkspaceId: string | undefined;
  const answer = await callTool(toolkit, {
    tool,
    params,
    key,
    signal,
    defaults: { sessionId, client, toolsets, project },
    onWorkspaceUsed(id) {
      usedWorkspaceId = id;
    },
  });
  return { answer, session: sessions.stateOf(sessionId), usedWorkspaceId };
}

/** Undefined if the connection is lost. */
export async function readHostWorkspace(live: LiveConnection): Promise<string | undefined> {
  const session = { revision: 0, failedWorkspaces: [] };
  const request = { tool: HOST_WORKSPACE, params: {}, sessionId: '', key: '', client: '' };
  try {
    const { answer } = await live.call({ ...request, session });
    return typeof answer.data === 'string' ? answer.data : undefined;
  } catch (error) {
    if (error instanceof ConnectionLostError) return undefined;
    throw error;
  }
}
