import type { JsonObject } from '../model/event.js';
import { DEFAULT_WORKSPACE, type Memory } from '../model/memory.js';
import { clip, Refusal } from '../model/refusal.js';
import { secretFields } from '../redaction/index.js';
import { visibleJson } from '../model/text/visible-text.js';
import { addNotice, inTermsOf, settle, type Answer } from './answer.js';
import { limitAnswer } from './answer-limit.js';
import type { ContextDefaults } from './context-defaults.js';
import {
  isClaimed,
  linkNotice,
  resolveCallContext,
  resumeIn,
  splitContext,
  type CallPlace,
} from './context.js';
import { failureError, type Toolset, type Tool } from './define-tool.js';
import { acceptInput, checkData, readInput } from './explain.js';
import { isSelfTraced, traceOfCall } from './trace.js';
import { findTool, disabledReason, toolPhrases, type Toolkit } from './toolkit.js';

/** A tool call as a client sent it, untrusted. */
export interface CallRequest {
  readonly tool: string;
  readonly toolset?: string | undefined;
  /** May include a `context` object. */
  readonly params: unknown;
  readonly defaults: ContextDefaults;
  /** Context of a relaying call; the call's own fields take precedence. */
  readonly outerContext?: JsonObject;
  /** Idempotency key. */
  readonly key?: string | undefined;
  /** The memory, if it was read after the call arrived; else read from the host. */
  readonly memory?: Promise<Memory>;
  /** Receives each workspace that the call creates, loads, or saves in without naming it. */
  readonly onWorkspaceUsed?: ((workspaceId: string) => void) | undefined;
  /** If aborted before the tool starts, the tool does not run. */
  readonly signal?: AbortSignal | undefined;
}

/** For a session whose work nothing keeps apart from that of others. */
const IN_DEFAULT =
  'Saved in "Default", because no active workspace is known here. To keep projects apart, create one for each (createWorkspace).';

const CANCELLED = 'The call was cancelled before it had any effect.';

/** Facts for the answer and the trace of a call, collected while it runs. */
interface CallRecord<S> {
  /** Undefined until the tool is found. */
  target?: { readonly toolset: Toolset<S>; readonly tool: Tool<S> };
  workspaceId: string;
  /** Id of the state that the call has saved. */
  stateId?: string;
  /** Name of the workspace, if the answer has to name it. */
  workspaceName?: string;
  /** Name of the workspace that the call is to create or load. */
  wantedWorkspace?: string | undefined;
  /** Notices besides those of the tool. */
  readonly notices: string[];
  sessionId: string;
  readonly client: string | undefined;
  params: JsonObject;
  context: JsonObject;
}

/** Validates, authorizes, runs and traces every tool call. Never rejects. */
export async function callTool<S>(toolkit: Toolkit<S>, request: CallRequest): Promise<Answer> {
  const { sessionId, client } = request.defaults;
  const workspaceId = DEFAULT_WORKSPACE;
  const record: CallRecord<S> = {
    workspaceId,
    sessionId,
    client,
    params: {},
    context: {},
    notices: [],
  };
  const answer = await settle(() => run(toolkit, request, record), toolkit.host.report);
  if (!record.target) return answer;
  const { toolset, tool } = record.target;
  if (record.wantedWorkspace !== undefined && !answer.success)
    toolkit.sessions.addFailedWorkspace(record.sessionId, record.wantedWorkspace);
  if (!tool.isRelay && !(answer.success && isSelfTraced(tool)))
    void writeTrace(toolkit, toolset, tool, record, answer);
  if (answer.success) record.notices.push(...secretNotices(tool, record.params));
  const isFirst = (notice: string) => toolkit.sessions.takeNotice(record.sessionId, notice);
  if (!tool.isRelay) record.notices.push(...(toolkit.host.notices?.(tool, isFirst) ?? []));
  const notice = record.notices.length > 0 ? record.notices.join(' ') : undefined;
  const phrases = () => toolPhrases(toolkit, request.defaults.toolsets);
  return completeAnswer(inTermsOf(addNotice(answer, notice), phrases), record.workspaceName);
}

/** Names the parameters that look like secrets, which were stored as they are. */
function secretNotices<S>(tool: Tool<S>, params: JsonObject): string[] {
  if (tool.access !== 'write' || tool.isRelay || isSelfTraced(tool)) return [];
  const fields = secretFields(params);
  if (fields.length === 0) return [];
  const names = fields.map((name) => `"${clip(name)}"`).join(', ');
  return [
    `Stored as written, but what looks like a secret is in ${names}: the log keeps it until the user forgets it, so change that secret where it is used.`,
  ];
}

/** Keys in which models pass the name of the workspace to create or load. */
const WORKSPACE_NAME_KEYS = ['name', 'workspace', 'workspaceName', 'workspaceId', 'id', 'title'];

function workspaceNameIn(given: JsonObject): string | undefined {
  const names = WORKSPACE_NAME_KEYS.map((key) => given[key]);
  return names.find((name): name is string => typeof name === 'string' && name.trim() !== '');
}

async function run<S>(
  toolkit: Toolkit<S>,
  request: CallRequest,
  record: CallRecord<S>,
): Promise<Answer> {
  const { host, sessions } = toolkit;
  const { defaults, key, signal, onWorkspaceUsed = () => undefined } = request;
  record.target = findTool(toolkit, request.tool, request.toolset, defaults.toolsets);
  const { toolset, tool } = record.target;
  const reason = disabledReason(toolset, host, defaults.toolsets);
  if (reason !== undefined) throw new Refusal(reason);
  const given = request.params ?? {};
  checkData(given, 'parameter');
  const { context, params: rest } = splitContext(given, Object.keys(tool.input.shape));
  const { params: accepted, ignored } = acceptInput(tool.input, rest);
  record.params = accepted;
  record.context = { ...request.outerContext, ...context };
  if (tool.entersWorkspace)
    record.wantedWorkspace = workspaceNameIn({ ...context, ...rest, ...accepted });
  if (typeof record.context['sessionId'] === 'string')
    record.sessionId = record.context['sessionId'];
  const unsaid = ignored.filter((name) =>
    sessions.takeNotice(record.sessionId, `ignored ${clip(name)}`),
  );
  if (unsaid.length > 0) record.notices.push(ignoredText(unsaid));
  const params = readInput(tool.input, accepted);
  const memory = await (request.memory ?? host.memory());
  const place = placeCall(toolkit, record, defaults, memory, tool.usesWorkspace?.(params) === true);
  const { sessionId, failedWorkspace } = place;
  const workspace = place.workspace.item;
  const pending = { params: accepted, workspace, sessionId, key, signal };
  const refusal = await host.refuse(tool, record.client, pending);
  if (refusal !== undefined) throw new Refusal(refusal);
  // approval may have taken long
  if (signal?.aborted && !tool.isRelay) throw new Refusal(CANCELLED);
  const enterWorkspace = (id: string) => {
    sessions.enterWorkspace(sessionId, id);
    onWorkspaceUsed(id);
  };
  return tool.run(params, {
    services: host.services,
    memory,
    workspace,
    isClaimed: isClaimed(place, defaults.project),
    failedWorkspace,
    sessionId,
    key,
    signal,
    context: record.context,
    defaults,
    stateSaved(id) {
      record.stateId = id;
      sessions.setLastState(sessionId, { workspaceId: workspace.id, id, isLoaded: false });
      if (!place.isInferred) return;
      onWorkspaceUsed(workspace.id);
      const isUnknown = place.source === 'default' || place.source === 'host';
      const isDefault = workspace.id === DEFAULT_WORKSPACE && isUnknown;
      if (isDefault && sessions.takeNotice(sessionId, 'default')) record.notices.push(IN_DEFAULT);
    },
    stateLoaded: (state) => sessions.setLastState(sessionId, { ...state, isLoaded: true }),
    lastState: sessions
      .stateOf(sessionId)
      .lastStates?.find(({ workspaceId }) => workspaceId === workspace.id),
    onWorkspaceUsed,
    enterWorkspace,
    foundIn(found) {
      record.workspaceId = found.item.id;
      if (found.item.id !== workspace.id) record.workspaceName = found.displayName;
      const notice = resumeIn(sessions, place, found);
      if (notice !== undefined) record.notices.push(notice);
      const isEntered = sessions.get(sessionId) === found.item.id;
      const { usedByClient, usedByAny } = defaults.project ?? {};
      // otherwise the next process of the client would not know where this one has resumed
      if (isEntered && (usedByClient ?? usedByAny) === undefined) onWorkspaceUsed(found.item.id);
    },
    fail: (failure, values) => {
      throw failureError(tool.failures[failure] ?? { error: failure, advice: '' }, values);
    },
  });
}

/** Resolves where a call happens. If it uses an inferred workspace, the answer will name it. */
function placeCall<S>(
  { host, sessions }: Toolkit<S>,
  record: CallRecord<S>,
  defaults: ContextDefaults,
  memory: Memory,
  isUsed: boolean,
): CallPlace {
  const hostId = host.currentWorkspaceId?.();
  const place = resolveCallContext(memory, sessions, record.context, defaults, hostId);
  record.workspaceId = place.workspace.item.id;
  if (!place.isInferred || !isUsed) return place;
  if (place.problem !== undefined) throw new Refusal(place.problem);
  record.workspaceName = place.workspace.displayName;
  const notice = linkNotice(sessions, place, defaults.project);
  if (notice !== undefined) record.notices.push(notice);
  return place;
}

function ignoredText(ignored: readonly string[]): string {
  const names = ignored.map((name) => `"${clip(name)}"`).join(', ');
  return `There is no parameter ${names} here, so it was ignored.`;
}

/** Returns the answer as a model may read it, with the name of its workspace. */
function completeAnswer(answer: Answer, workspace: string | undefined): Answer {
  const { success, notice, ...rest } = answer;
  const more = answer.success ? answer.more : undefined;
  // Before the data, because some clients truncate long answers.
  const fields = {
    ...(workspace !== undefined && { workspace }),
    ...(notice !== undefined && { notice }),
  };
  return limitAnswer(visibleJson({ success, ...fields, ...(more && { more }), ...rest }));
}

/** The call has had its effect, so its answer neither waits for the trace nor fails with it. */
async function writeTrace<S>(
  { host }: Toolkit<S>,
  toolset: Toolset<S>,
  tool: Tool<S>,
  record: CallRecord<S>,
  answer: Answer,
): Promise<void> {
  try {
    const trace = traceOfCall({ ...record, toolset: toolset.name, tool: tool.name, answer });
    await host.writeTrace(trace, tool);
  } catch (error) {
    host.report(error);
  }
}
