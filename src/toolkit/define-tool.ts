import * as z from 'zod';
import type { Json, JsonObject } from '../model/event.js';
import type { Named } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import { succeed, type Answer, type MorePages, type SuggestedCall } from './answer.js';
import type { ContextDefaults } from './context-defaults.js';
import type { LastState } from './sessions.js';
import './zod-settings.js';

/** MCP's hints, read-only mode and approval are derived from it. */
export type Access = 'read' | 'write' | 'destroy';

/** A problem and the next step. Both texts may contain `{placeholders}`. */
export interface FailureText {
  readonly error: string;
  readonly advice: string;
}

export type Failures = Readonly<Record<string, FailureText>>;

/** A sample call as a tool states it, with parts of the answer that are the same on every run. */
export interface ExampleSpec {
  readonly title: string;
  /** Texts of the notes in the vault, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Calls made first, as setup. */
  readonly before?: readonly { readonly tool: string; readonly params: JsonObject }[];
  readonly params: JsonObject;
  /** Stated only where a failure states no `error`. */
  readonly success?: false;
  readonly data?: Json;
  readonly error?: string;
  readonly more?: JsonObject;
  readonly workspace?: string;
  readonly notice?: string;
}

/** A sample call: printed in the docs and run as a test. */
export interface Example extends Pick<ExampleSpec, 'title' | 'notes' | 'before' | 'params'> {
  readonly answer: JsonObject;
}

/** Second argument of a handler. `S`: the toolkit's services. */
export interface ToolCall<S, F extends Failures = Failures> {
  readonly services: S;
  /** As of the start of the call, with every earlier write. */
  readonly memory: Memory;
  readonly workspace: Workspace;
  /** True if the workspace is that of a link that is only claimed; see `LinkedWorkspace`. */
  readonly isClaimed: boolean;
  /** For an inferred workspace: another one that the session has failed to create or load. */
  readonly failedWorkspace: string | undefined;
  readonly sessionId: string;
  /** The caller. Its `sessionId` and `workspaceId` are only defaults. */
  readonly defaults: ContextDefaults;
  /** Idempotency key: a repeated write takes effect once. */
  readonly key: string | undefined;
  /** Aborted when the caller cancels; relaying tools then start no more calls. */
  readonly signal: AbortSignal | undefined;
  /** Context as given, for relaying tools. */
  readonly context: JsonObject;
  /** See `CallRequest`. */
  readonly onWorkspaceUsed: (this: void, id: string) => void;
  /** Reports a state that the call saved in its workspace. */
  stateSaved(this: void, id: string): void;
  /** Reports a state that the call has loaded. */
  stateLoaded(this: void, state: { readonly workspaceId: string; readonly id: string }): void;
  /** State that the session loaded or saved last in the call's workspace. */
  readonly lastState: LastState | undefined;
  /** Makes a workspace the current one of the session. */
  enterWorkspace(this: void, id: string): void;
  /** Reports the workspace of a result, for the answer to name if it is another; see `resumeIn`. */
  foundIn(this: void, workspace: Named<Workspace>): void;
  fail(this: void, failure: keyof F & string, values?: Readonly<Record<string, string>>): never;
}

/** Fails a call with one of these failures. */
export type Fail<F extends Failures> = ToolCall<never, F>['fail'];

/** Adds fields to the answer besides `data`. */
interface AnswerExtras {
  addNotice(this: void, notice: string): void;
  /** Ignores undefined. */
  addIndexState(this: void, state: Json | undefined): void;
  /** Says that a list continues. Ignores undefined. */
  addMore(this: void, more: MorePages | undefined): void;
  suggestCall(this: void, call: SuggestedCall): void;
}

/** Address of a tool on the `actions` surface. */
export interface ToolAction {
  readonly resource: string;
  readonly name: string;
  /** Further parameters, with their values, that distinguish tools of the same action. */
  readonly when?: Readonly<Record<string, string>>;
  /** Other actions that select the tool, accepted but not listed. */
  readonly aliases?: readonly ActionAlias[];
  /** Actions that no tool of the resource offers, with the sentence that answers each. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** An unlisted action that selects a tool, because other programs offer it under this name. */
export interface ActionAlias {
  /** Default: the tool's. */
  readonly resource?: string;
  /** Undefined for a call without an action. */
  readonly action: string | undefined;
  /** Parameters that the call must have, with their values; undefined for any value. */
  readonly when?: Readonly<Record<string, string | undefined>>;
  /** Converts the parameters, without nesting. By default, removes those of `when`. */
  readonly convert?: (params: JsonObject) => JsonObject;
  /** In addition to the tool's own. */
  readonly notice?: string;
}

interface ToolDefinition {
  readonly name: string;
  /** True if the `full` surface does not list the tool, which is still callable there. */
  readonly isUnlisted?: boolean;
  readonly title: string;
  /** Parameters that say the kind of a call's object, the most exact first; the title with it. */
  readonly kinds?: { readonly params: readonly string[]; readonly title: string };
  readonly access: Access;
  /** True if such a call happens in its workspace, so that the answer names an inferred one. */
  readonly usesWorkspace?: (params: JsonObject) => boolean;
  /** True if the tool creates or loads the workspace `name` and switches the session to it. */
  readonly entersWorkspace?: boolean;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Schema of `data`; absent if there is none. */
  readonly output?: z.ZodType;
  /** True if MCP clients get its answers as text alone, and no output schema. */
  readonly isTextOnly?: true;
  readonly failures: Failures;
  /** Absent for tools about tools. */
  readonly action?: ToolAction;
}

export interface Tool<S> extends ToolDefinition {
  /** True if the tool only calls others, whose calls are authorized and traced instead of it. */
  readonly isRelay: boolean;
  readonly examples: readonly Example[];
  run(params: JsonObject, call: ToolCall<S>): Promise<Answer>;
}

export interface ToolSpec<S, I extends z.ZodObject, F extends Failures> extends ToolDefinition {
  readonly action: ToolAction;
  readonly input: I;
  readonly failures: F;
  readonly examples: readonly ExampleSpec[];
  /** Returns the answer's `data`, or throws a declared failure. */
  run(this: void, params: z.output<I>, call: ToolCall<S, F> & AnswerExtras): unknown;
}

export interface RelaySpec<S, I extends z.ZodObject, F extends Failures> extends ToolDefinition {
  readonly input: I;
  readonly failures: F;
  readonly examples: readonly ExampleSpec[];
  run(this: void, params: z.output<I>, call: ToolCall<S, F>): Promise<Answer>;
}

export interface Toolset<S> {
  readonly name: string;
  /** Switches the toolset on and off; absent if it is always on. */
  readonly switchName?: string;
  readonly description: string;
  readonly tools: readonly Tool<S>[];
}

export function toolDefiner<S>() {
  const defineTool = <I extends z.ZodObject, const F extends Failures>({
    run,
    ...facts
  }: ToolSpec<S, I, F>): Tool<S> => ({
    ...facts,
    examples: facts.examples.map(toExample),
    isRelay: false,
    async run(params, call) {
      const notices: string[] = [];
      let indexState: Json | undefined;
      let more: MorePages | undefined;
      let suggested: SuggestedCall | undefined;
      const data = await run(params as z.output<I>, {
        ...call,
        addNotice: (notice) => notices.push(notice),
        addIndexState(state) {
          indexState = state;
        },
        addMore(pages) {
          more = pages;
        },
        suggestCall(made) {
          suggested = made;
        },
      });
      return {
        ...succeed(data),
        ...(indexState !== undefined && { indexState }),
        ...(more !== undefined && { more }),
        ...(suggested && { call: suggested }),
        ...(notices.length > 0 && { notice: notices.join(' ') }),
      };
    },
  });
  const defineRelay = <I extends z.ZodObject, const F extends Failures>({
    run,
    ...facts
  }: RelaySpec<S, I, F>): Tool<S> => ({
    ...facts,
    examples: facts.examples.map(toExample),
    isRelay: true,
    run: (params, call) => run(params as z.output<I>, call),
  });
  return { defineTool, defineRelay };
}

function toExample({ title, notes, before, params, ...answer }: ExampleSpec): Example {
  return {
    title,
    ...(notes && { notes }),
    ...(before && { before }),
    params,
    answer: { success: answer.error === undefined, ...answer },
  };
}

/** Fills in the placeholders of a declared failure. */
export function failureError(
  { error, advice }: FailureText,
  values: Readonly<Record<string, string>> = {},
): Refusal {
  const text = `${error} ${advice}`.replace(/\{(\w+)\}/g, (_, key: string) =>
    clip(values[key] ?? '', 600),
  );
  return new Refusal(text.trim());
}
