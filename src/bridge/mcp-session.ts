import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  GetPromptRequest,
  PaginatedRequest,
  ReadResourceRequest,
  ServerContext,
} from '@modelcontextprotocol/server';
import { Refusal } from '../model/refusal.js';
import { visibleJson, visibleText } from '../model/text/visible-text.js';
import type { RoutedAction } from '../toolkit/actions.js';
import { addNotice, settle, type Answer } from '../toolkit/answer.js';
import type { CallRequest } from '../toolkit/call-tool.js';
import { linkNotice, resolveCallContext, resumeIn } from '../toolkit/context.js';
import type { Tool } from '../toolkit/define-tool.js';
import type { Surface } from '../toolkit/surfaces.js';
import type { Toolkit } from '../toolkit/toolkit.js';
import { cancelledEffect, reportProgress } from './call-progress.js';
import type { ClientRoots } from './client-roots.js';
import { getPrompt, PROMPTS } from './mcp-prompts.js';
import {
  complete,
  invalidParams,
  listResources,
  readResource,
  RESOURCE_TEMPLATES,
  type BriefText,
  type StateText,
} from './mcp-resources.js';
import { answerToResult, howToCall, inTermsOfSurface, listTools, routeCall } from './mcp-tools.js';
import { conversationIn, namedFolderIn, type ClientLocation, type Projects } from './projects.js';

/** Settings that a server needs before the vault is open. */
export interface McpServerInfo {
  readonly version: string;
  readonly vaultName: string;
  readonly surface: Surface;
  readonly isAlwaysLoaded?: boolean; // see listTools
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
  readonly report: (error: unknown) => void;
}

export interface ServerBackend {
  /** Switch names of the optional toolsets that the clients may use; all of them if undefined. */
  readonly toolsets: readonly string[] | undefined;
  /** Calls a tool here or in the plugin. A call aborted before its tool starts does not run. */
  readonly call: (
    request: CallRequest,
    signal: AbortSignal,
    location?: ClientLocation,
  ) => Promise<Answer>;
  /** Absent if the clients' projects are unknown. */
  readonly projects?: Projects | undefined;
  /** Undefined if the plugin does not have the vault open. */
  readonly hostWorkspaceId?: (() => Promise<string | undefined>) | undefined;
  readonly stateText: StateText;
  readonly briefText: BriefText;
}

export type VaultBackend<S> = ServerBackend & { readonly toolkit: Toolkit<S> };

/** The client of a connection or, over HTTP, of a request. */
export interface McpClient {
  /** Returns the session id for calls that do not name one. */
  readonly sessionId: () => string;
  /** Returns the name by which the client of a request identified itself. */
  readonly nameFor: (request: McpRequest) => string;
  /** The folders that the client works in; absent if it cannot be asked. */
  readonly roots?: ClientRoots;
  /** Receives the ids of cancelled requests at their end, which no answer shows the transport. */
  readonly onCancelled?: (id: string | number) => void;
}

type McpRequest = ServerContext['mcpReq'];
type RequestMeta = Readonly<Record<string, unknown>> | undefined;

/** Key of the idempotency key in `_meta`. A write repeated with the same one takes effect once. */
const KEY_META = 'savepoint/key';

export class McpSession<S> {
  readonly #backend: PromiseLike<VaultBackend<S>>;
  readonly #info: McpServerInfo;
  readonly #client: McpClient;

  constructor(backend: PromiseLike<VaultBackend<S>>, info: McpServerInfo, client: McpClient) {
    this.#backend = backend;
    this.#info = info;
    this.#client = client;
  }

  async listTools() {
    const { toolkit, toolsets } = await this.#backend;
    return { tools: listTools(toolkit, this.#info.surface, toolsets, this.#info.isAlwaysLoaded) };
  }

  listResourceTemplates() {
    return RESOURCE_TEMPLATES;
  }

  listResources(params: PaginatedRequest['params'], request: McpRequest) {
    return this.#respond(request, async ({ toolkit }) =>
      listResources(await toolkit.host.memory(), params?.cursor),
    );
  }

  readResource({ uri }: ReadResourceRequest['params'], request: McpRequest) {
    return this.#respond(request, async ({ toolkit, stateText }) =>
      readResource(await toolkit.host.memory(), uri, stateText),
    );
  }

  listPrompts() {
    return { prompts: PROMPTS };
  }

  async callTool(params: CallToolRequest['params'], request: McpRequest): Promise<CallToolResult> {
    let tool: Tool<S> | undefined;
    const answer = await settle(async () => {
      const { toolkit, toolsets } = await this.#backend;
      const { name, arguments: given, _meta: meta } = params;
      const routed = routeCall(toolkit, this.#info.surface, name, given, toolsets);
      ({ tool } = routed);
      return this.#call(routed, meta, request);
    }, this.#info.report);
    if (request.signal.aborted) this.#client.onCancelled?.(request.id);
    return answerToResult(answer, tool);
  }

  async #call(
    { tool, params, notice }: RoutedAction<S>,
    meta: RequestMeta,
    request: McpRequest,
  ): Promise<Answer> {
    const client = this.#client.nameFor(request);
    const { toolkit, toolsets, call } = await this.#backend;
    const { surface } = this.#info;
    const key = meta?.[KEY_META];
    const callRequest = {
      tool: tool.name,
      params,
      defaults: { sessionId: this.#client.sessionId(), client, toolsets },
      key: typeof key === 'string' ? key : undefined,
    };
    const stopProgress = reportProgress(request, this.#info);
    const location = await this.#locate(request, meta);
    const answer = addNotice(
      await call(callRequest, request.signal, location).finally(stopProgress),
      notice,
    );
    if (request.signal.aborted && tool.access !== 'read') {
      const effect = cancelledEffect(answer);
      if (effect !== undefined)
        this.#info.report(new Refusal(`A call of ${tool.name} was cancelled when ${effect}.`));
    }
    return inTermsOfSurface(answer, toolkit, surface, toolsets, tool.isRelay);
  }

  getPrompt(params: GetPromptRequest['params'], request: McpRequest) {
    return this.#respond(request, (backend) => this.#promptFrom(params, request, backend));
  }

  async #promptFrom(
    { name, arguments: given = {}, _meta: meta }: GetPromptRequest['params'],
    request: McpRequest,
    backend: VaultBackend<S>,
  ) {
    const { toolkit, stateText, briefText } = backend;
    const { sessions } = toolkit;
    const { memory, project, place } = await this.#place(request, meta, backend);
    return getPrompt(name, given, {
      memory,
      place,
      notice: () => linkNotice(sessions, place, project),
      resumeIn: (workspace) => resumeIn(sessions, place, workspace),
      stateText: (state, workspaceName) => stateText(state, workspaceName, project),
      briefText: (workspaceId, about) => briefText(memory, workspaceId, about, project),
      howToSave: howToCall(toolkit, this.#info.surface, 'createState'),
      howToLoad: howToCall(toolkit, this.#info.surface, 'loadState'),
    });
  }

  complete(params: CompleteRequest['params'], request: McpRequest) {
    return this.#respond(request, async (backend) => {
      const { memory, place } = await this.#place(request, params._meta, backend);
      return complete(memory, params, place.workspace.item.id);
    });
  }

  /** Returns the memory, the client's project, and the place of calls that name no workspace. */
  async #place(
    request: McpRequest,
    meta: RequestMeta,
    { toolkit, projects, hostWorkspaceId }: VaultBackend<S>,
  ) {
    const { host, sessions } = toolkit;
    const location = await this.#locate(request, meta);
    const project =
      (await (location && projects?.find(location).catch(this.#info.report))) ?? undefined;
    const memory = await host.memory();
    const defaults = { sessionId: this.#client.sessionId(), project };
    const hostId = host.currentWorkspaceId?.() ?? (await hostWorkspaceId?.());
    const place = resolveCallContext(memory, sessions, {}, defaults, hostId);
    return { memory, project, place };
  }

  /** Undefined if the client cannot be asked where it works. */
  async #locate(request: McpRequest, meta: RequestMeta): Promise<ClientLocation | undefined> {
    const { roots, nameFor } = this.#client;
    return (
      roots && {
        client: nameFor(request),
        conversation: conversationIn(meta),
        named: namedFolderIn(meta),
        roots: await roots.get(),
      }
    );
  }

  /** Answers a request other than a tool call. A `Refusal` becomes an error of the protocol. */
  async #respond<T>(
    { id, signal }: McpRequest,
    task: (backend: VaultBackend<S>) => Promise<T>,
  ): Promise<T> {
    try {
      return visibleJson(await task(await this.#backend));
    } catch (error) {
      if (error instanceof Error) error.message = visibleText(error.message);
      throw error instanceof Refusal ? invalidParams(error.message) : error;
    } finally {
      if (signal.aborted) this.#client.onCancelled?.(id);
    }
  }
}
