import type { JsonObject } from '../model/event.js';
import type { Answer } from '../toolkit/answer.js';
import type { ContextDefaults } from '../toolkit/context-defaults.js';
import type { Tool } from '../toolkit/define-tool.js';
import type { Services } from './services.js';

/** Calls another tool on behalf of a relaying tool. */
export type RelayCall = (call: {
  readonly toolset: string;
  readonly tool: string;
  readonly params: JsonObject;
  readonly context: JsonObject;
  readonly defaults: ContextDefaults;
  readonly onWorkspaceUsed: (id: string) => void;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
}) => Promise<Answer>;

/** Returns the enabled tools and the names of their toolsets. `enabled` as in `allTools`. */
export type Catalog = (
  enabled?: readonly string[],
) => readonly { readonly toolset: string; readonly tool: Tool<Services> }[];
