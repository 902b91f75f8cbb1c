import * as z from 'zod';
import type { Answer } from '../../toolkit/answer.js';
import { contextInput } from '../../toolkit/context.js';
import { freeObject } from '../shared/inputs.js';
import type { RelayCall } from '../relay.js';
import { defineRelay } from '../services.js';

const MOST_CALLS = 50;

const plan = {
  name: 'Plan',
  conversationContext: 'Sketched the plan.',
  activeTask: 'Planning',
  activeFiles: [],
  nextSteps: ['Review'],
};

/** Runs calls of other tools, which it is handed; it knows none of them itself, but the names of their agents. */
export const createUseTools = (relay: RelayCall, agents: readonly string[]) =>
  defineRelay({
    name: 'useTools',
    title: 'Use tools',
    access: 'write',
    description: 'Run several tools under one context. Serial stops at the first failure.',
    input: z.strictObject({
      context: contextInput.optional(),
      calls: z
        .array(
          z.strictObject({
            agent: z.string().describe(agents.join(', ')),
            tool: z.string(),
            params: freeObject.optional(),
          }),
        )
        .min(1)
        .max(MOST_CALLS),
      strategy: z.enum(['serial', 'parallel']).default('serial'),
    }),
    failures: {},
    examples: [
      {
        title: 'Save a state with what the conversation is about',
        params: { calls: [{ agent: 'memoryManager', tool: 'createState', params: plan }] },
        answer: { success: true },
      },
      {
        title: 'Two at once',
        params: {
          strategy: 'parallel',
          calls: [
            { agent: 'memoryManager', tool: 'loadState', params: { name: 'Nothing' } },
            { agent: 'memoryManager', tool: 'listStates', params: {} },
          ],
        },
        answer: {
          success: false,
          data: {
            results: [
              { tool: 'loadState', success: false },
              { tool: 'listStates', success: true, data: [] },
            ],
          },
        },
      },
      {
        title: 'Serial: what follows a failure is skipped',
        params: {
          calls: [
            { agent: 'memoryManager', tool: 'loadState', params: { name: 'Nothing' } },
            { agent: 'memoryManager', tool: 'createState', params: plan },
          ],
        },
        answer: {
          success: false,
          data: {
            results: [
              { tool: 'loadState', success: false },
              { tool: 'createState', success: false, error: 'Skipped: call 1 failed.' },
            ],
          },
        },
      },
    ],
    async run(
      { calls, strategy },
      { context, key, signal, sessionId, client, agents },
    ): Promise<Answer> {
      const single = calls.length === 1;
      const make = ({ agent, tool, params = {} }: (typeof calls)[number], at: number) =>
        relay({
          agent,
          tool,
          params,
          context,
          sessionId,
          client,
          agents,
          signal,
          key: key === undefined || single ? key : `${key}/${at + 1}`,
        });
      const answers =
        strategy === 'parallel'
          ? await Promise.all(calls.map(make))
          : await inSeries(calls, make, signal);
      if (single && answers[0]) return answers[0];
      const results = calls.map(({ agent, tool }, at) => ({ agent, tool, ...answers[at] }));
      return { success: answers.every(({ success }) => success), data: { results } };
    },
  });

/** What follows a failure is skipped, and what has not begun when the calls are cancelled. */
async function inSeries<T>(
  calls: readonly T[],
  make: (call: T, at: number) => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let skipped: string | undefined;
  for (const [at, call] of calls.entries()) {
    const answer: Answer =
      skipped === undefined ? await make(call, at) : { success: false, error: skipped };
    if (signal?.aborted) skipped ??= 'Skipped: the calls were cancelled.';
    else if (!answer.success) skipped ??= `Skipped: call ${at + 1} failed.`;
    answers.push(answer);
  }
  return answers;
}
