import * as z from 'zod';
import type { Json, JsonObject } from '../model/event.js';
import type { Named } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import { succeed, type Answer, type MorePages } from './answer.js';
import type { ContextDefaults } from './context-defaults.js';
import type { LastState } from './sessions.js';
import './zod-settings.js';

/** Access that a tool needs. MCP's hints, read-only mode and approval are derived from it. */
export type Access = 'read' | 'write' | 'destroy';

/**
 * A failure that a tool declares: what is wrong, and what to do next. Both may contain
 * `{placeholders}`.
 */
export interface FailureText {
  readonly error: string;
  readonly advice: string;
}

export type Failures = Readonly<Record<string, FailureText>>;

/** A sample call: printed in the docs and run as a test. */
export interface Example {
  readonly title: string;
  /** Texts of the notes in the vault, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Calls made first, as setup. */
  readonly before?: readonly { readonly tool: string; readonly params: JsonObject }[];
  readonly params: JsonObject;
  /** The parts of the answer that are the same on every run. */
  readonly answer: JsonObject;
}

/** The second argument of a handler. `S` is the type of the toolkit's services. */
export interface ToolCall<S, F extends Failures = Failures> {
  readonly services: S;
  /** The memory at the start of the call, including every earlier write. */
  readonly memory: Memory;
  /** The workspace of the call. */
  readonly workspace: Workspace;
  /** True if the workspace is that of a link that is only claimed; see `LinkedWorkspace`. */
  readonly isClaimed: boolean;
  /**
   * If neither the call nor the user has named the workspace: another one that the session has
   * failed to create or load.
   */
  readonly failedWorkspace: string | undefined;
  readonly sessionId: string;
  /** The caller. `sessionId` and `workspaceId` here are only the defaults of the call. */
  readonly defaults: ContextDefaults;
  /** Idempotency key: a write repeated with the same key takes effect once. */
  readonly key: string | undefined;
  /** Aborted when the caller cancels; relaying tools then start no more calls. */
  readonly signal: AbortSignal | undefined;
  /** The context as given, for relaying tools. */
  readonly context: JsonObject;
  /** See `CallRequest`. */
  readonly onWorkspaceUsed: (this: void, id: string) => void;
  /** Says that the call has saved a state with this id in its workspace. */
  stateSaved(this: void, id: string): void;
  /** Says that the call has loaded this state. */
  stateLoaded(this: void, state: { readonly workspaceId: string; readonly id: string }): void;
  /** The state that the session loaded or saved last in the call's workspace. */
  readonly lastState: LastState | undefined;
  /** Makes a workspace the current one of the session. */
  enterWorkspace(this: void, id: string): void;
  /**
   * Says that what the caller asked for was found in this workspace, which the answer then names if
   * the call has another. See `resumeIn` for what follows for the session.
   */
  foundIn(this: void, workspace: Named<Workspace>): void;
  /** Ends the call with a declared failure. */
  fail(this: void, failure: keyof F & string, values?: Readonly<Record<string, string>>): never;
}

/** Adds fields to the answer besides `data`. */
interface AnswerExtras {
  addNotice(this: void, notice: string): void;
  /** Has no effect if `state` is undefined. */
  addIndexState(this: void, state: Json | undefined): void;
  /** Says that a list continues. Has no effect if `more` is undefined. */
  addMore(this: void, more: MorePages | undefined): void;
}

/** Address of a tool on the `actions` surface: one action of a resource. */
export interface ToolAction {
  readonly resource: string;
  readonly name: string;
  /** Further parameters, with their values, that distinguish tools of the same action. */
  readonly when?: Readonly<Record<string, string>>;
  /** Other actions that select the tool. They are accepted, but not listed. */
  readonly aliases?: readonly ActionAlias[];
  /**
   * Actions of the resource that no tool offers, with the sentence that a call of each is answered
   * with.
   */
  readonly refused?: Readonly<Record<string, string>>;
}

/**
 * An action that selects a tool without being listed, because other programs offer the tool's
 * purpose under this name.
 */
export interface ActionAlias {
  /** By default, the resource of the tool. */
  readonly resource?: string;
  /** Undefined for a call without an action. */
  readonly action: string | undefined;
  /** Parameters that the call must have, with their values; undefined for any value. */
  readonly when?: Readonly<Record<string, string | undefined>>;
  /**
   * Returns the parameters of the tool, given those of the call without nesting. By default, those
   * of `when` are removed.
   */
  readonly convert?: (params: JsonObject) => JsonObject;
  /** Notice for the caller, in addition to the tool's own. */
  readonly notice?: string;
}

interface ToolDefinition {
  readonly name: string;
  /**
   * True if the `full` surface does not list the tool. The tool is still callable there, and
   * `getTools` and the `actions` surface list it.
   */
  readonly isUnlisted?: boolean;
  readonly title: string;
  readonly access: Access;
  /**
   * True if a call with these parameters happens in its workspace, so that the answer names a
   * workspace that was inferred.
   */
  readonly usesWorkspace?: (params: JsonObject) => boolean;
  /**
   * True if the tool creates or loads the workspace called `name`, and switches the session to it.
   */
  readonly entersWorkspace?: boolean;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Schema of `data`; absent if the answer has none. */
  readonly output?: z.ZodType;
  readonly failures: Failures;
  readonly examples: readonly Example[];
  /** Absent for tools about tools. */
  readonly action?: ToolAction;
}

export interface Tool<S> extends ToolDefinition {
  /**
   * True if the tool only calls other tools. Those calls are authorized and traced, the relaying
   * call is not.
   */
  readonly isRelay: boolean;
  run(params: JsonObject, call: ToolCall<S>): Promise<Answer>;
}

export interface ToolSpec<S, I extends z.ZodObject, F extends Failures> extends ToolDefinition {
  readonly action: ToolAction;
  readonly input: I;
  readonly failures: F;
  /** Returns the answer's `data`, or throws a declared failure. */
  run(this: void, params: z.output<I>, call: ToolCall<S, F> & AnswerExtras): unknown;
}

export interface RelaySpec<S, I extends z.ZodObject, F extends Failures> extends ToolDefinition {
  readonly input: I;
  readonly failures: F;
  run(this: void, params: z.output<I>, call: ToolCall<S, F>): Promise<Answer>;
}

/** A named group of tools that agents call. */
export interface Toolset<S> {
  readonly name: string;
  /** The name that switches the group on and off; absent if it is always on. */
  readonly switchName?: string;
  readonly description: string;
  readonly tools: readonly Tool<S>[];
}

/** Returns the functions that define tools over the services `S`. */
export function toolDefiner<S>() {
  const defineTool = <I extends z.ZodObject, const F extends Failures>({
    run,
    ...facts
  }: ToolSpec<S, I, F>): Tool<S> => ({
    ...facts,
    isRelay: false,
    async run(params, call) {
      const notices: string[] = [];
      let indexState: Json | undefined;
      let more: MorePages | undefined;
      const data = await run(params as z.output<I>, {
        ...call,
        addNotice: (notice) => notices.push(notice),
        addIndexState(state) {
          indexState = state;
        },
        addMore(pages) {
          more = pages;
        },
      });
      return {
        ...succeed(data),
        ...(indexState !== undefined && { indexState }),
        ...(more !== undefined && { more }),
        ...(notices.length > 0 && { notice: notices.join(' ') }),
      };
    },
  });
  const defineRelay = <I extends z.ZodObject, const F extends Failures>({
    run,
    ...facts
  }: RelaySpec<S, I, F>): Tool<S> => ({
    ...facts,
    isRelay: true,
    run: (params, call) => run(params as z.output<I>, call),
  });
  return { defineTool, defineRelay };
}

/** Returns a declared failure with its placeholders filled in. */
export function failureError(
  { error, advice }: FailureText,
  values: Readonly<Record<string, string>> = {},
): Refusal {
  const text = `${error} ${advice}`.replace(/\{(\w+)\}/g, (_, key: string) =>
    clip(values[key] ?? '', 600),
  );
  return new Refusal(text.trim());
}
