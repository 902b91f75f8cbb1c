import type { App, EventRef, PluginManifest } from 'obsidian';
import type { ZodTypeAny } from 'zod/v3';
import type { JsonObject } from '../../model/event.js';
import type { Answer } from '../../toolkit/answer.js';
import { report } from '../host/logger.js';
import { shapeOf } from './rest-api-schema.js';
import { createStore, type Store } from '../store.js';

/*
 * The plugin "Local REST API" serves MCP itself, and lets other plugins add tools to it: `getPublicApi(manifest)` of the running plugin
 * answers a handle, all of whose tools `unregister()` takes away. It tells when it has been loaded, by an event of the workspace, and
 * not when it goes. From extension API 2 (its version 5) on, a tool is added by its parts; from 3 on, by a definition, whose callback
 * answers the whole result.
 */

const PLUGIN = 'obsidian-local-rest-api';
const LEAST_API = 2;
const API_WITH_RESULTS = 3;

/** The name by which what comes through that plugin is known: it does not tell which program calls. */
export const REST_API_CLIENT = 'Local REST API';

declare module 'obsidian' {
  interface Workspace {
    on(name: 'obsidian-local-rest-api:loaded', callback: () => void): EventRef;
  }
}

/** A tool as it is listed over MCP. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly annotations?: object | undefined;
}

interface ToolDefinition {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, ZodTypeAny>>;
  readonly annotations?: object | undefined;
  readonly callback: (args: JsonObject) => Promise<unknown>;
}

interface ExtensionApi {
  readonly apiVersion?: number;
  addMcpTool(definition: ToolDefinition): void;
  addMcpTool(
    name: string,
    description: string,
    schema: ToolDefinition['inputSchema'],
    callback: ToolDefinition['callback'],
    annotations?: object,
  ): void;
  unregister(): void;
}

interface HostPlugin {
  getPublicApi(manifest: PluginManifest): ExtensionApi;
}

export type RestApiState =
  /** `absent`: the plugin is not there, or not enabled; `old`: it cannot take tools yet. */
  | { readonly phase: 'off' | 'absent' | 'old' | 'on' }
  /** Why the tools could not be added, in words. */
  | { readonly phase: 'failed'; readonly error: string };

export interface RestApiDoor {
  readonly state: Store<RestApiState>;
  /** Does what the settings say with the plugin that is there now. */
  look(): void;
  /** Takes the tools away, and lets go of the calls in hand that have not begun. */
  close(): void;
}

export interface RestApiOptions {
  readonly app: App;
  /** Our own. */
  readonly manifest: PluginManifest;
  readonly isOn: () => boolean;
  readonly tools: () => readonly OfferedTool[];
  readonly call: (tool: string, params: JsonObject, signal: AbortSignal) => Promise<Answer>;
  /** The answer as the protocol carries it. */
  readonly toResult: (answer: Answer) => object;
}

interface Registration {
  readonly host: HostPlugin;
  readonly api: ExtensionApi;
  /** Tells one offer from another. */
  readonly offer: string;
  readonly stopped: AbortController;
}

export function createRestApiDoor({
  app,
  manifest,
  isOn,
  tools,
  call,
  toResult,
}: RestApiOptions): RestApiDoor {
  const state = createStore<RestApiState>({ phase: 'off' });
  let held: Registration | undefined;

  function withdraw(): void {
    const gone = held;
    held = undefined;
    gone?.stopped.abort();
    // What it had from us has gone with a plugin that is no longer the one that runs.
    if (gone && hostIn(app) === gone.host) gone.api.unregister();
  }

  function register(
    host: HostPlugin,
    offered: readonly OfferedTool[],
    offer: string,
  ): RestApiState {
    const api = host.getPublicApi(manifest);
    const { apiVersion = 1 } = api;
    const stopped = new AbortController();
    held = { host, api, offer, stopped };
    if (apiVersion < LEAST_API) {
      withdraw();
      return { phase: 'old' };
    }
    for (const { name, title, description = '', inputSchema, annotations } of offered) {
      const shape = shapeOf(inputSchema as JsonObject);
      const answer = (args: JsonObject) => call(name, args, stopped.signal);
      if (apiVersion < API_WITH_RESULTS)
        api.addMcpTool(name, description, shape, answer, annotations);
      else
        api.addMcpTool({
          name,
          title,
          description,
          inputSchema: shape,
          annotations,
          callback: async (args) => toResult(await answer(args)),
        });
    }
    return { phase: 'on' };
  }

  return {
    state,
    look() {
      const host = isOn() ? hostIn(app) : undefined;
      const offered = host ? tools() : [];
      const offer = JSON.stringify(offered);
      if (host && held?.host === host && held.offer === offer) return;
      try {
        withdraw();
        state.set(host ? register(host, offered, offer) : { phase: isOn() ? 'absent' : 'off' });
      } catch (error) {
        // That plugin says in words of its own what it minds, such as a name that another has given.
        const why = error instanceof Error ? error.message : String(error);
        report(why);
        state.set({ phase: 'failed', error: why });
        held?.api.unregister();
        held = undefined;
      }
    },
    close() {
      withdraw();
      state.set({ phase: 'off' });
    },
  };
}

/** The running plugin. The app's list of plugins is not in its published API; that plugin's own way to its API reads it too. */
function hostIn(app: App): HostPlugin | undefined {
  const { plugins } = app as App & {
    readonly plugins?: { readonly plugins?: Readonly<Record<string, unknown>> };
  };
  const found = plugins?.plugins?.[PLUGIN];
  const isHost =
    typeof found === 'object' &&
    found !== null &&
    'getPublicApi' in found &&
    typeof found.getPublicApi === 'function';
  return isHost ? (found as HostPlugin) : undefined;
}
