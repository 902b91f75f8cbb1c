import * as z from 'zod';
import type { JsonObject } from '../model/event.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Memory } from '../model/memory.js';
import type { Workspace } from '../model/workspace.js';
import { succeed, type Answer, type Success } from './answer.js';

z.config({ jitless: true });

/** What a tool may do: MCP's hints, read-only mode and approval follow from it. */
export type Access = 'read' | 'write' | 'destroy';

/** A failure that a tool declares: what is wrong and what to do next, with `{placeholders}`. */
export interface FailureText {
  readonly error: string;
  readonly advice: string;
}

export type Failures = Readonly<Record<string, FailureText>>;

/** One use of a tool: printed in the docs, and run as a test. */
export interface Example {
  readonly title: string;
  /** Notes that lie in the vault, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Calls that set the scene. */
  readonly before?: readonly { readonly tool: string; readonly params: JsonObject }[];
  readonly params: JsonObject;
  /** The answer, or as much of it as does not depend on the day. */
  readonly answer: JsonObject;
}

/** What a handler is given beside its parameters. `S` is what the tools of one toolset work with. */
export interface ToolCall<S, F extends Failures = Failures> {
  readonly services: S;
  /** The memory as the call found it: with everything in it that was written before. */
  readonly memory: Memory;
  /** The workspace that the call is made in. */
  readonly workspace: Workspace;
  readonly sessionId: string;
  /** The name that the calling program gave itself. */
  readonly client: string | undefined;
  /** The switches of the agents that the caller is given; all where absent. */
  readonly agents: readonly string[] | undefined;
  /** The caller's idempotency key: with it, a repeated write takes effect once. */
  readonly key: string | undefined;
  /** Tells a tool that makes calls of its own when the caller wants no more of them. */
  readonly signal: AbortSignal | undefined;
  /** The context as it was given, for tools that make calls of their own. */
  readonly context: JsonObject;
  /** Makes a workspace the one that later calls of this session are made in. */
  enterWorkspace(this: void, id: string): void;
  /** Ends the call with a failure that the tool declares. */
  fail(this: void, failure: keyof F & string, values?: Readonly<Record<string, string>>): never;
}

/** What stands in an answer beside its data. */
interface Beside {
  /** Says more than the data do. */
  say(this: void, more: Pick<Success, 'indexState' | 'notice'>): void;
}

/** Where a tool stands on the surface that has one tool for each resource, with actions. */
export interface ActionPlace {
  readonly resource: string;
  readonly name: string;
  /** What tells it from other tools of the same action: further parameters of the resource, and their values. */
  readonly when?: Readonly<Record<string, string>>;
}

/** A name that a tool had. It answers until the release that drops it, and is listed nowhere. */
export interface FormerName {
  readonly name: string;
  readonly droppedIn: string;
}

interface ToolFacts {
  readonly name: string;
  readonly formerly?: readonly FormerName[];
  /** Whether it is not listed by its name: it answers to it, and is found by its action or through `getTools`. */
  readonly isUnlisted?: boolean;
  readonly title: string;
  readonly access: Access;
  readonly description: string;
  readonly input: z.ZodObject;
  /** The shape of `data`; absent where the answer has none. */
  readonly output?: z.ZodType;
  readonly failures: Failures;
  readonly examples: readonly Example[];
  /** Absent where it is about other tools. */
  readonly action?: ActionPlace;
}

export interface Tool<S> extends ToolFacts {
  /** Whether the tool only makes calls of other tools: these are then permitted and traced, it is not. */
  readonly isRelay: boolean;
  run(params: JsonObject, call: ToolCall<S>): Promise<Answer>;
}

export interface ToolSpec<S, I extends z.ZodObject, F extends Failures> extends ToolFacts {
  readonly action: ActionPlace;
  readonly input: I;
  readonly failures: F;
  /** Throws a declared failure, or returns the answer's data. */
  run(this: void, params: z.output<I>, call: ToolCall<S, F> & Beside): unknown;
}

export interface RelaySpec<S, I extends z.ZodObject, F extends Failures> extends ToolFacts {
  readonly input: I;
  readonly failures: F;
  run(this: void, params: z.output<I>, call: ToolCall<S, F>): Promise<Answer>;
}

/** A set of tools under one name. */
export interface Agent<S> {
  readonly name: string;
  /** The name by which it is switched on and off; absent where it is always there. */
  readonly switch?: string;
  readonly description: string;
  readonly tools: readonly Tool<S>[];
}

/** The definers for tools that work with `S`. A tool's file states everything about it once. */
export function toolDefiner<S>() {
  const defineTool = <I extends z.ZodObject, const F extends Failures>({
    run,
    ...facts
  }: ToolSpec<S, I, F>): Tool<S> => ({
    ...facts,
    isRelay: false,
    async run(params, call) {
      const said: Pick<Success, 'indexState' | 'notice'>[] = [];
      const data = await run(params as z.output<I>, {
        ...call,
        say: (more) => void said.push(more),
      });
      return Object.assign(succeed(data), ...said) as Success;
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

/** The description as callers read it, with the names that the tool had. */
export function fullDescription({
  description,
  formerly = [],
}: Pick<ToolFacts, 'description' | 'formerly'>): string {
  return [
    description,
    ...formerly.map(({ name, droppedIn }) => `Formerly ${name}, which answers until ${droppedIn}.`),
  ].join(' ');
}

/** A declared failure as the error that the caller reads. */
export function failureError(
  { error, advice }: FailureText,
  values: Readonly<Record<string, string>> = {},
): Refusal {
  const text = `${error} ${advice}`.replace(/\{(\w+)\}/g, (_, key: string) =>
    clip(values[key] ?? '', 600),
  );
  return new Refusal(text.trim());
}
