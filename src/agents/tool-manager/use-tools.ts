import * as z from 'zod';
import type { Answer } from '../../toolkit/answer.js';
import { jsonLength, limitAnswer, shareRoom } from '../../toolkit/answer-limit.js';
import { contextInput } from '../../toolkit/context.js';
import { jsonObject } from '../shared/inputs.js';
import type { RelayCall } from '../relay.js';
import type { ExampleSpec } from '../../toolkit/define-tool.js';
import { defineRelay } from '../services.js';

const MAX_CALLS = 50;
/** Room for the answers of several calls, in characters as JSON, without the tools' names. */
const MAX_RESULTS_CHARACTERS = 35_000;

const plan = {
  name: 'Plan',
  conversationContext: 'Sketched the plan.',
  activeTask: 'Planning',
  activeFiles: [],
  nextSteps: ['Review'],
};

const examples: ExampleSpec[] = [
  {
    title: 'One call',
    params: { calls: [{ agent: 'memoryManager', tool: 'createState', params: plan }] },
  },
  {
    title: 'Two calls in parallel',
    params: {
      strategy: 'parallel',
      calls: [
        { agent: 'memoryManager', tool: 'loadState', params: { name: 'Nothing' } },
        { agent: 'memoryManager', tool: 'listStates', params: {} },
      ],
    },
    success: false,
    data: {
      results: [
        { tool: 'loadState', success: false },
        { tool: 'listStates', success: true, data: [] },
      ],
    },
  },
  {
    title: 'A failure skips the remaining serial calls',
    params: {
      calls: [
        { agent: 'memoryManager', tool: 'loadState', params: { name: 'Nothing' } },
        { agent: 'memoryManager', tool: 'createState', params: plan },
      ],
    },
    success: false,
    data: {
      results: [
        { tool: 'loadState', success: false },
        { tool: 'createState', success: false, error: 'Skipped: call 1 failed.' },
      ],
    },
  },
];

/** `relay` makes the calls; `toolsets` are their valid names. */
export const createUseTools = (relay: RelayCall, toolsets: readonly string[]) =>
  defineRelay({
    name: 'useTools',
    title: 'Use tools',
    access: 'write',
    description:
      'Run several tools with a shared context. In serial mode, stops at the first failure.',
    input: z.strictObject({
      context: contextInput.optional(),
      calls: z
        .array(
          z.strictObject({
            agent: z.string().describe(toolsets.join(', ')),
            tool: z.string(),
            params: jsonObject.optional(),
          }),
        )
        .min(1)
        .max(MAX_CALLS),
      strategy: z.enum(['serial', 'parallel']).default('serial'),
    }),
    failures: {},
    examples,
    async run(
      { calls, strategy },
      { context, key, signal, sessionId, defaults, onWorkspaceUsed },
    ): Promise<Answer> {
      const isSingle = calls.length === 1;
      const make = ({ agent, tool, params = {} }: (typeof calls)[number], at: number) =>
        relay({
          toolset: agent,
          tool,
          params,
          context,
          defaults: { ...defaults, sessionId },
          onWorkspaceUsed,
          signal,
          key: key === undefined || isSingle ? key : `${key}/${at + 1}`,
        });
      const answers =
        strategy === 'parallel'
          ? await Promise.all(calls.map(make))
          : await runSerially(calls, make, signal);
      if (isSingle && answers[0]) return answers[0];
      const shares = shareRoom(answers.map(jsonLength), MAX_RESULTS_CHARACTERS);
      const results = answers.map((answer, at) => ({
        agent: calls[at]?.agent,
        tool: calls[at]?.tool,
        ...limitAnswer(answer, shares[at]),
      }));
      return { success: answers.every(({ success }) => success), data: { results } };
    },
  });

/** Skips the calls after a failure or a cancellation. */
async function runSerially<T>(
  calls: readonly T[],
  make: (call: T, at: number) => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let skipReason: string | undefined;
  for (const [at, call] of calls.entries()) {
    const answer: Answer =
      skipReason === undefined ? await make(call, at) : { success: false, error: skipReason };
    if (signal?.aborted) skipReason ??= 'Skipped: the calls were cancelled.';
    else if (!answer.success) skipReason ??= `Skipped: call ${at + 1} failed.`;
    answers.push(answer);
  }
  return answers;
}
