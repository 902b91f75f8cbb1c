import type { JsonObject } from '../model/event.js';
import type { Answer } from '../toolkit/answer.js';
import type { Tool } from '../toolkit/define-tool.js';
import type { Services } from './services.js';

/** Makes a call of another tool on behalf of one that relays. */
export type RelayCall = (call: {
  readonly agent: string;
  readonly tool: string;
  readonly params: JsonObject;
  readonly context: JsonObject;
  readonly sessionId: string;
  readonly client: string | undefined;
  readonly agents: readonly string[] | undefined;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
}) => Promise<Answer>;

/** The tools that can be relayed to now for a caller that is given these agents, each with the name of its own. */
export type Catalog = (
  given?: readonly string[],
) => readonly { readonly agent: string; readonly tool: Tool<Services> }[];
