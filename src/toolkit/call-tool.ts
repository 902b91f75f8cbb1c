import type { JsonObject } from '../model/event.js';
import { DEFAULT_WORKSPACE, type Memory } from '../model/memory.js';
import { Refusal } from '../model/refusal.js';
import { settle, type Answer } from './answer.js';
import { enterWorkspace, placeCall, readContext, type ContextDefaults } from './context.js';
import { failureError, type Agent, type Tool } from './define-tool.js';
import { checkData, readInput } from './explain.js';
import { isSelfTraced, traceOfCall } from './trace.js';
import { findTool, formerName, whyOff, type Toolset } from './toolset.js';

/** One call as a door hands it in. Nothing in it is trusted. */
export interface CallRequest {
  readonly tool: string;
  readonly agent?: string | undefined;
  /** The parameters; a `context` object may stand among them. */
  readonly params: unknown;
  readonly defaults: ContextDefaults;
  /** The context of a call that makes this one; the call's own fields win. */
  readonly outerContext?: JsonObject;
  readonly key?: string | undefined;
  /** The memory, looked at since the call came; else the call looks itself. */
  readonly memory?: Promise<Memory>;
  /** A call that is cancelled before its tool has begun does not begin. */
  readonly signal?: AbortSignal | undefined;
}

const CANCELLED = 'The call was cancelled before it had done anything.';

/** What is known of a call so far, for its trace. */
interface Progress {
  workspaceId: string;
  sessionId: string;
  client: string | undefined;
  params: JsonObject;
  context: JsonObject;
}

/** The one way to every tool: validate, permit, run, trace, answer. Never throws. */
export function callTool<S>(toolset: Toolset<S>, request: CallRequest): Promise<Answer> {
  return settle(async () => {
    const { agent, tool } = findTool(toolset, request.tool, request.agent, request.defaults.agents);
    const { sessionId, client } = request.defaults;
    const progress: Progress = {
      workspaceId: DEFAULT_WORKSPACE,
      sessionId,
      client,
      params: {},
      context: {},
    };
    const answer = await settle(() => {
      const off = whyOff(agent, toolset.host, request.defaults.agents);
      if (off !== undefined) throw new Refusal(off);
      return run(toolset, tool, request, progress);
    }, toolset.host.report);
    if (!tool.isRelay && !(answer.success && isSelfTraced(tool)))
      void keepTrace(toolset, agent, tool, progress, answer);
    return withNotice(answer, tool, request.tool);
  }, toolset.host.report);
}

async function run<S>(
  toolset: Toolset<S>,
  tool: Tool<S>,
  request: CallRequest,
  progress: Progress,
): Promise<Answer> {
  const { host, sessions } = toolset;
  const sent = request.params ?? {};
  checkData(sent, 'parameter');
  const { context: given, ...rest } = sent;
  progress.params = rest;
  progress.context = { ...request.outerContext, ...readContext(given) };
  const params = readInput(tool.input, rest);
  const memory = await (request.memory ?? host.memory());
  const { workspace, sessionId } = placeCall(memory, sessions, progress.context, request.defaults);
  progress.workspaceId = workspace.id;
  progress.sessionId = sessionId;
  const { key, signal } = request;
  const refusal = await host.refuse(tool, progress.client, {
    params: rest,
    workspace,
    sessionId,
    key,
    signal,
  });
  if (refusal !== undefined) throw new Refusal(refusal);
  if (signal?.aborted && !tool.isRelay) throw new Refusal(CANCELLED); // who is asked for permission may take long
  return tool.run(params, {
    services: host.services,
    memory,
    workspace,
    sessionId,
    key,
    signal,
    context: progress.context,
    client: progress.client,
    agents: request.defaults.agents,
    enterWorkspace: (id) => enterWorkspace(sessions, sessionId, id),
    fail: (failure, values) => {
      throw failureError(tool.failures[failure] ?? { error: failure, advice: '' }, values);
    },
  });
}

/** The answer to a call by a name that the tool had says so. */
function withNotice<S>(answer: Answer, tool: Tool<S>, name: string): Answer {
  const former = formerName(tool, name);
  if (!former) return answer;
  const notice = `${name} is called ${tool.name} now, and answers to its former name until ${former.droppedIn}. Use ${tool.name}.`;
  return { ...answer, notice: answer.notice === undefined ? notice : `${answer.notice} ${notice}` };
}

/** A call has had its effect, so its answer does not wait for the trace, nor fail with it. Whoever reads traces next finds it. */
async function keepTrace<S>(
  { host }: Toolset<S>,
  agent: Agent<S>,
  tool: Tool<S>,
  progress: Progress,
  answer: Answer,
): Promise<void> {
  try {
    await host.keepTrace(traceOfCall({ ...progress, agent: agent.name, tool: tool.name, answer }));
  } catch (error) {
    host.report(error);
  }
}
