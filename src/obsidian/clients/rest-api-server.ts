import type { App, EventRef, PluginManifest } from 'obsidian';
import type { ZodTypeAny } from 'zod/v3';
import type { JsonObject } from '../../model/event.js';
import type { Answer } from '../../toolkit/answer.js';
import { report } from '../host/logger.js';
import { shapeOf } from './rest-api-schema.js';
import { createStore } from '../store.js';

/*
 * The plugin "Local REST API" serves MCP and lets other plugins add tools: `getPublicApi(manifest)`
 * of the running plugin returns a handle whose `unregister()` removes all its tools. A workspace
 * event reports when it loads; nothing reports when it unloads. Extension API 2 (version 5) adds a
 * tool by its parts; API 3 by a definition whose callback returns the whole result.
 */

const PLUGIN = 'obsidian-local-rest-api';
const LEAST_API = 2;
const API_WITH_RESULTS = 3;

/** Client name of all calls through that plugin, which does not say who calls. */
export const REST_API_CLIENT = 'Local REST API';

declare module 'obsidian' {
  interface Workspace {
    on(name: 'obsidian-local-rest-api:loaded', callback: () => void): EventRef;
  }
}

/** A tool as listed over MCP. */
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
  /** `absent`: not installed or not enabled; `old`: cannot add tools. */
  | { readonly phase: 'off' | 'absent' | 'old' | 'on' }
  /** `error` is the reason why the tools could not be added, in that plugin's words. */
  | { readonly phase: 'failed'; readonly error: string };

export type RestApiTools = ReturnType<typeof createRestApiTools>;

export interface RestApiOptions {
  readonly app: App;
  /** This plugin's manifest. */
  readonly manifest: PluginManifest;
  readonly isOn: () => boolean;
  readonly tools: () => readonly OfferedTool[];
  readonly call: (tool: string, params: JsonObject, signal: AbortSignal) => Promise<Answer>;
  /** Converts an answer of a tool to an MCP result. */
  readonly toResult: (answer: Answer, tool: string) => object;
}

interface Registration {
  readonly host: HostPlugin;
  readonly api: ExtensionApi;
  /** The offered tools as JSON, to detect changes. */
  readonly offer: string;
  readonly stopped: AbortController;
}

export function createRestApiTools({ app, manifest, isOn, tools, call, toResult }: RestApiOptions) {
  const state = createStore<RestApiState>({ phase: 'off' });
  let held: Registration | undefined;

  function withdraw(): void {
    const gone = held;
    held = undefined;
    gone?.stopped.abort();
    // Our tools are gone with a plugin instance that no longer runs.
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
          callback: async (args) => toResult(await answer(args), name),
        });
    }
    return { phase: 'on' };
  }

  return {
    state,
    /** Finds the running plugin again, and applies the settings to it. */
    refresh(): void {
      const host = isOn() ? hostIn(app) : undefined;
      const offered = host ? tools() : [];
      const offer = JSON.stringify(offered);
      if (host && held?.host === host && held.offer === offer) return;
      try {
        withdraw();
        state.set(host ? register(host, offered, offer) : { phase: isOn() ? 'absent' : 'off' });
      } catch (error) {
        // That plugin reports problems, such as a taken name, in its own words.
        const why = error instanceof Error ? error.message : String(error);
        report(why);
        state.set({ phase: 'failed', error: why });
        held?.api.unregister();
        held = undefined;
      }
    },
    /** Removes the tools and drops calls that have not started. */
    close(): void {
      withdraw();
      state.set({ phase: 'off' });
    },
  };
}

/** Returns the running plugin from an undocumented list, which its own API helper reads, too. */
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
