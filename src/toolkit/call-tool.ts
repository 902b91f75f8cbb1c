import type { JsonObject } from '../model/event.js';
import { DEFAULT_WORKSPACE, type Memory } from '../model/memory.js';
import { Refusal } from '../model/refusal.js';
import { settle, type Answer } from './answer.js';
import {
  enterWorkspace,
  resolveCallContext,
  parseContext,
  type ContextDefaults,
} from './context.js';
import { failureError, type Agent, type Tool } from './define-tool.js';
import { checkData, readInput } from './explain.js';
import { isSelfTraced, traceOfCall } from './trace.js';
import { findTool, deprecatedAlias, disabledReason, type Toolset } from './toolset.js';

/** A tool call as a client sent it. Its content is untrusted. */
export interface CallRequest {
  readonly tool: string;
  readonly agent?: string | undefined;
  /** The parameters, which may include a `context` object. */
  readonly params: unknown;
  readonly defaults: ContextDefaults;
  /** The context of a relaying call; the call's own fields take precedence. */
  readonly outerContext?: JsonObject;
  /** Idempotency key. */
  readonly key?: string | undefined;
  /** The memory, if it was read after the call arrived; otherwise it is read from the host. */
  readonly memory?: Promise<Memory>;
  /** If it is aborted before the tool starts, the tool does not run. */
  readonly signal?: AbortSignal | undefined;
}

const CANCELLED = 'The call was cancelled before it had any effect.';

/** Facts about a call, collected for its trace while it runs. */
interface CallRecord<S> {
  /** Undefined until the tool is found. */
  target?: { readonly agent: Agent<S>; readonly tool: Tool<S> };
  workspaceId: string;
  sessionId: string;
  readonly client: string | undefined;
  params: JsonObject;
  context: JsonObject;
}

/** Validates, authorizes, runs and traces a call; every tool call goes through here. Never rejects. */
export async function callTool<S>(toolset: Toolset<S>, request: CallRequest): Promise<Answer> {
  const { sessionId, client } = request.defaults;
  const workspaceId = DEFAULT_WORKSPACE;
  const record: CallRecord<S> = { workspaceId, sessionId, client, params: {}, context: {} };
  const answer = await settle(() => run(toolset, request, record), toolset.host.report);
  if (!record.target) return answer;
  const { agent, tool } = record.target;
  if (!tool.isRelay && !(answer.success && isSelfTraced(tool)))
    void writeTrace(toolset, agent, tool, record, answer);
  return withDeprecationNotice(answer, tool, request.tool);
}

async function run<S>(
  toolset: Toolset<S>,
  request: CallRequest,
  record: CallRecord<S>,
): Promise<Answer> {
  const { host, sessions } = toolset;
  const { defaults, key, signal } = request;
  record.target = findTool(toolset, request.tool, request.agent, defaults.agents);
  const { agent, tool } = record.target;
  const reason = disabledReason(agent, host, defaults.agents);
  if (reason !== undefined) throw new Refusal(reason);
  const given = request.params ?? {};
  checkData(given, 'parameter');
  const { context, ...rest } = given;
  record.params = rest;
  record.context = { ...request.outerContext, ...parseContext(context) };
  const params = readInput(tool.input, rest);
  const memory = await (request.memory ?? host.memory());
  const place = resolveCallContext(memory, sessions, record.context, defaults);
  const { workspace, sessionId } = place;
  record.workspaceId = workspace.id;
  record.sessionId = sessionId;
  const pending = { params: rest, workspace, sessionId, key, signal };
  const refusal = await host.refuse(tool, record.client, pending);
  if (refusal !== undefined) throw new Refusal(refusal);
  if (signal?.aborted && !tool.isRelay) throw new Refusal(CANCELLED); // approval may have taken long
  return tool.run(params, {
    services: host.services,
    memory,
    workspace,
    sessionId,
    key,
    signal,
    context: record.context,
    client: record.client,
    model: defaults.model,
    agents: defaults.agents,
    enterWorkspace: (id) => enterWorkspace(sessions, sessionId, id),
    fail: (failure, values) => {
      throw failureError(tool.failures[failure] ?? { error: failure, advice: '' }, values);
    },
  });
}

/** Adds a notice if the tool was called by a deprecated alias. */
function withDeprecationNotice<S>(answer: Answer, tool: Tool<S>, name: string): Answer {
  const alias = deprecatedAlias(tool, name);
  if (!alias) return answer;
  const notice = `${name} was renamed to ${tool.name}; the old name works until ${alias.droppedIn}. Use ${tool.name}.`;
  return { ...answer, notice: answer.notice === undefined ? notice : `${answer.notice} ${notice}` };
}

/** Writes a call's trace. The call has already had its effect, so its answer neither waits for the trace nor fails with it. */
async function writeTrace<S>(
  { host }: Toolset<S>,
  agent: Agent<S>,
  tool: Tool<S>,
  record: CallRecord<S>,
  answer: Answer,
): Promise<void> {
  try {
    const trace = traceOfCall({ ...record, agent: agent.name, tool: tool.name, answer });
    await host.writeTrace(trace, tool);
  } catch (error) {
    host.report(error);
  }
}
