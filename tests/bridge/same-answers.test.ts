import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { howToCall } from '../../src/bridge/mcp-tools.js';
import { isJsonObject, type JsonObject } from '../../src/model/event.js';
import { inputSchema } from '../../src/toolkit/schema.js';
import { SURFACES, type Surface } from '../../src/toolkit/surfaces.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { answerOf } from '../fakes/answer-of.js';
import { callOn } from '../fakes/surface-calls.js';
import { createTestVault } from '../fakes/test-vault.js';
import { perTier } from '../tier.js';
import { closeClients, openOn } from './surface-client.js';

const RUNS = perTier(15, 40, 400);

const tools = allTools(createTestVault().toolkit).flatMap(({ tool }) =>
  tool.isRelay ? [] : [tool],
);

afterEach(closeClients);

const names = fc.constantFrom(
  'Plan',
  'plan ',
  'Beds',
  'Default',
  'Garden',
  'Nothing',
  '',
  '/',
  'Garden/Beds.md',
  'wall',
  'x'.repeat(300),
);
const wrong = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.constant('text'),
  fc.constant(['a']),
  fc.constant({ a: 1 }),
);

/** Generates a value for a property of a schema, mostly a valid one. */
function valueFor(property: JsonObject): fc.Arbitrary<unknown> {
  const { type, enum: values, items, properties } = property;
  if (Array.isArray(values))
    return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, wrong);
  if (type === 'array')
    return fc.oneof(
      {
        weight: 5,
        arbitrary: fc.array(valueFor(isJsonObject(items) ? items : {}), { maxLength: 2 }),
      },
      wrong,
    );
  if (type === 'object' && isJsonObject(properties))
    return fc.oneof({ weight: 5, arbitrary: paramsFor(properties, []) }, wrong);
  if (type === 'integer')
    return fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 30 }) }, wrong);
  if (type === 'boolean') return fc.oneof({ weight: 5, arbitrary: fc.boolean() }, wrong);
  if (type === 'object')
    return fc.oneof(
      { weight: 5, arbitrary: fc.dictionary(fc.constantFrom('a', 'b'), names) },
      wrong,
    );
  return fc.oneof({ weight: 8, arbitrary: names }, wrong);
}

/** Generates parameters for a schema: mostly the required ones, sometimes unknown ones. */
function paramsFor(
  properties: JsonObject,
  required: readonly unknown[],
): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(properties).flatMap(([key, property]) =>
    isJsonObject(property) ? [[key, property] as const] : [],
  );
  const fields = entries.map(([key, property]) =>
    fc
      .tuple(valueFor(property), fc.nat({ max: 9 }))
      .map(([value, dice]) => (dice < (required.includes(key) ? 9 : 4) ? { [key]: value } : {})),
  );
  const stray = fc
    .nat({ max: 19 })
    .map((dice): Record<string, unknown> => (dice === 0 ? { nonsense: 1 } : {}));
  return fc
    .tuple(...fields, stray)
    .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
}

const context = {
  type: 'object',
  properties: { workspaceId: { type: 'string' }, goal: { type: 'string' } },
};

const call = fc.constantFrom(...tools).chain((tool) => {
  const { properties, required } = inputSchema(tool);
  const all = { ...(isJsonObject(properties) ? properties : {}), context };
  return paramsFor(all, Array.isArray(required) ? required : []).map((params) => ({
    tool: tool.name,
    params,
  }));
});

const { toolkit } = createTestVault();

/** Returns an answer with the names of tools instead of how a surface calls them. */
function byName(surface: Surface, answer: unknown): unknown {
  const text = tools.reduce(
    (known, { name }) =>
      known.replaceAll(JSON.stringify(howToCall(toolkit, surface, name)).slice(1, -1), name),
    JSON.stringify(answer),
  );
  return JSON.parse(text);
}

it('all surfaces give the same answers and traces for any calls', async () => {
  let [right, wrongOnes] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
      const scenes = await Promise.all(SURFACES.map((surface) => openOn(surface)));
      for (const { tool, params } of calls) {
        const answers = await Promise.all(
          scenes.map(async ({ client, surface }) =>
            byName(surface, answerOf(await client.callTool(callOn(surface, tool, params)))),
          ),
        );
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        if ((answers[0] as { success: boolean }).success) right++;
        else wrongOnes++;
        await Promise.all(scenes.map(({ vault }) => vault.idle()));
      }
      const traces = await Promise.all(
        scenes.map(async ({ vault: { log } }) => {
          const kept = await log.readTraces(await log.traceEntries('default'));
          return kept.map(({ toolset, tool, isSuccess, input, outcome }) => ({
            toolset,
            tool,
            isSuccess,
            input,
            outcome,
          }));
        }),
      );
      for (const kept of traces) expect(kept).toEqual(traces[0]);
      for (const { vault } of scenes) expect(vault.reports).toEqual([]);
      await Promise.all(scenes.map(({ client }) => client.close()));
    }),
    { numRuns: RUNS },
  );
  expect(right).toBeGreaterThan(RUNS / 2);
  expect(wrongOnes).toBeGreaterThan(20);
});

it('a parameter of another tool is ignored, unless it may mean another action', async () => {
  const scenes = await Promise.all(SURFACES.map((surface) => openOn(surface)));
  for (const { client, surface } of scenes) {
    const result = await client.callTool(
      callOn(surface, 'loadWorkspace', { name: 'Default', purpose: 'None' }),
    );
    expect(answerOf(result)).toMatchObject(
      surface === 'actions'
        ? {
            success: false,
            error:
              "unknown parameter 'purpose' for action 'load' of workspace tool; valid parameters: name, context",
          }
        : {
            success: true,
            notice: 'There is no parameter "purpose" here, so it was ignored.',
          },
    );
  }
});
