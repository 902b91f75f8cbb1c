import { Dropped, type LiveAnswer, type LiveCall, type LiveConnection } from './live-protocol.js';
import type { Answer } from '../toolkit/answer.js';
import { callTool, type CallRequest } from '../toolkit/call-tool.js';
import { enterWorkspace } from '../toolkit/context.js';
import type { Toolset } from '../toolkit/toolset.js';

/** No call takes longer than this, in milliseconds: clients give up after 60 seconds, and then know nothing. */
const CALL_LIMIT = 45_000;

/** A call whose connection breaks off so often in a row is answered from the folder. */
const LIVE_TRIES = 2;

const TOO_LONG =
  'The call was not answered within 45 seconds. It may still take effect: look before you call again (listStates, listWorkspaces, or the list of files).';

const CLOSED =
  'The program is ending. Whether the call took effect is not known: look before you call again (listStates, listWorkspaces, or the list of files).';

export interface DoorOptions<S> {
  /** The same tools over the folder, for when Obsidian does not have the vault open. */
  readonly toolset: Toolset<S>;
  /** Looks for the plugin; undefined where it does not listen. */
  readonly find: () => Promise<LiveConnection | undefined>;
  /** What else each call waits for, while it looks for the plugin; what this throws, the call fails with. */
  readonly before?: () => Promise<void>;
  readonly newKey: () => string;
  /** Calls `task` once after `ms` milliseconds. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** Hears why the plugin could not be asked. */
  readonly report: (error: unknown) => void;
}

export interface Door {
  /** A call that is cancelled by the signal before it has begun does not begin. */
  call(request: CallRequest, signal?: AbortSignal): Promise<Answer>;
  close(): void;
}

/**
 * Where a call of an MCP client is answered: by the plugin while Obsidian has the vault open, else from the folder, decided anew
 * at each call. A call whose connection breaks off is made again, there or here; its key lets it take effect once.
 */
export function createDoor<S>({
  toolset,
  find,
  before = () => Promise.resolve(),
  newKey,
  after,
  report,
}: DoorOptions<S>): Door {
  let live: LiveConnection | undefined;
  let finding: Promise<LiveConnection | undefined> | undefined;
  let isClosed = false;

  /** Calls that come while it looks share what it finds. */
  async function connection(): Promise<LiveConnection | undefined> {
    if (live?.isOpen()) return live;
    finding ??= look().finally(() => (finding = undefined));
    return finding;
  }

  async function look(): Promise<LiveConnection | undefined> {
    live = await find().catch((error: unknown) => void report(error));
    if (isClosed) live?.close();
    return live;
  }

  async function answer(
    request: CallRequest,
    call: LiveCall,
    signal: AbortSignal,
  ): Promise<Answer> {
    // The plugin is rarely there when it was not just now: the folder is looked at meanwhile.
    const memory = live?.isOpen() ? undefined : toolset.host.memory();
    memory?.catch(() => undefined); // whoever needs it hears of it
    for (let tries = 0; tries < LIVE_TRIES; tries++) {
      const [found] = await Promise.all([connection(), tries === 0 && before()]);
      // What the plugin was asked to do may have been done: after that the folder is looked at anew.
      if (!found)
        return callTool(toolset, { ...request, signal, ...(tries === 0 && memory && { memory }) });
      try {
        const { answer, workspaceId } = await found.call(call, signal);
        if (workspaceId !== undefined)
          enterWorkspace(toolset.sessions, call.sessionId, workspaceId);
        return answer;
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
        if (isClosed) return { success: false, error: CLOSED }; // nobody waits for it any more
      }
    }
    return callTool(toolset, { ...request, signal });
  }

  return {
    async call(request, signal) {
      const key = request.key ?? newKey();
      const { sessionId, client = '', agents } = request.defaults;
      const params = (request.params ?? {}) as LiveCall['params'];
      const call = {
        tool: request.tool,
        params,
        sessionId,
        key,
        client,
        agents,
        workspaceId: toolset.sessions.get(sessionId),
      };
      const stopped = new AbortController();
      const stop = () => stopped.abort();
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
      let cancel: () => void = () => undefined;
      const limit = new Promise<Answer>((resolve) => {
        cancel = after(CALL_LIMIT, () => {
          stop(); // what has not begun by now does not begin behind the client's back
          resolve({ success: false, error: TOO_LONG });
        });
      });
      return Promise.race([answer({ ...request, key }, call, stopped.signal), limit]).finally(
        () => {
          cancel();
          signal?.removeEventListener('abort', stop);
        },
      );
    },
    close() {
      isClosed = true;
      live?.close();
    },
  };
}

/** Answers a call that has come over the socket, as the toolset of the plugin does. */
export async function answerLive<S>(
  toolset: Toolset<S>,
  call: LiveCall,
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
