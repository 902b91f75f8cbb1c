import * as z from 'zod';
import type { Answer } from '../../toolkit/answer.js';
import { contextInput } from '../../toolkit/context.js';
import { freeObject } from '../inputs.js';
import type { RelayCall } from '../relay.js';
import { defineRelay } from '../services.js';

const MOST_CALLS = 50;

const plan = { name: 'Plan', conversationContext: 'Sketched the plan.', activeTask: 'Planning', activeFiles: [], nextSteps: ['Review'] };

/** Runs calls of other tools, which it is handed; it knows none of them itself. */
export const createUseTools = (relay: RelayCall) =>
  defineRelay({
    name: 'useTools',
    title: 'Use tools',
    access: 'write',
    description: 'Run several tools under one context. Serial stops at the first failure.',
    input: z.strictObject({
      context: contextInput.optional(),
      calls: z
        .array(
          z.strictObject({ agent: z.string().describe('memoryManager, searchManager'), tool: z.string(), params: freeObject.optional() }),
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
    async run({ calls, strategy }, { context, sessionId, client, key }): Promise<Answer> {
      const single = calls.length === 1;
      const make = ({ agent, tool, params = {} }: (typeof calls)[number], at: number) =>
        relay({ agent, tool, params, context, sessionId, client, key: key === undefined || single ? key : `${key}/${at + 1}` });
      const answers = strategy === 'parallel' ? await Promise.all(calls.map(make)) : await inSeries(calls, make);
      if (single && answers[0]) return answers[0];
      const results = calls.map(({ agent, tool }, at) => ({ agent, tool, ...answers[at] }));
      return { success: answers.every(({ success }) => success), data: { results } };
    },
  });

async function inSeries<T>(calls: readonly T[], make: (call: T, at: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  let failedAt: number | undefined;
  for (const [at, call] of calls.entries()) {
    const answer: Answer =
      failedAt === undefined ? await make(call, at) : { success: false, error: `Skipped: call ${failedAt + 1} failed.` };
    if (!answer.success) failedAt ??= at;
    answers.push(answer);
  }
  return answers;
}
