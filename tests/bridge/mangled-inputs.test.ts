import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/event.js';
import { SURFACES, type Surface } from '../../src/toolkit/surfaces.js';
import { callOn } from '../fakes/surface-calls.js';
import { stateNamed } from '../fakes/test-vault.js';
import { perTier, SEED } from '../tier.js';
import { closeClients, openOn } from './surface-client.js';

afterEach(closeClients);

const state = stateNamed('Plan', { tags: ['beds'] });

const call = { agent: 'memoryManager', tool: 'createState', params: state };

/** The arguments of useTools as a client sends them. */
const USE_TOOLS: [what: string, input: Record<string, unknown>][] = [
  ['the calls as JSON text', { calls: JSON.stringify([call]) }],
  ['a call as JSON text', { calls: [JSON.stringify(call)] }],
  ['parameters as JSON text', { calls: [{ ...call, params: JSON.stringify(state) }] }],
  [
    'JSON text in JSON text',
    {
      calls: JSON.stringify([
        { ...call, params: JSON.stringify({ ...state, nextSteps: '["Review"]' }) },
      ]),
    },
  ],
  [
    'null and numbers in parameters',
    { calls: [{ ...call, params: { ...state, tags: null, activeTask: 2026 } }] },
  ],
  ['null as the parameters', { calls: [{ ...call, tool: 'listStates', params: null }] }],
  ['names with a leading underscore', { calls: [{ ...call, _id: 'c1' }], _sessionID: 's' }],
  ['null for what is optional', { calls: [call], strategy: null, context: null }],
];

describe.each(['full', 'compact'] as const)('useTools on the surface %s', (surface) => {
  it.each(USE_TOOLS)('accepts %s', async (_, input) => {
    const { client } = await openOn(surface);
    const answer = await client.callTool({ name: 'useTools', arguments: input });
    expect(answer.structuredContent).toMatchObject({ success: true });
    expect(JSON.stringify(answer)).not.toContain('ignored');
  });

  it.each<[string, unknown, RegExp]>([
    ['a text for parameters', 'the plan', /^"calls\.0\.params" must be an object/],
    ['a list for parameters', '["the plan"]', /^"calls\.0\.params" must be an object/],
    ['half a character', '{"name":"\\ud83d"}', /^"calls\.0\.params\.name" contains half/],
  ])('refuses %s', async (_, params, error) => {
    const { client } = await openOn(surface);
    const input = { calls: [{ ...call, params }] };
    const answer = await client.callTool({ name: 'useTools', arguments: input });
    expect((answer.structuredContent as { error?: string }).error).toMatch(error);
  });

  it('refuses parameters of a call under another name', async () => {
    const { client } = await openOn(surface);
    const { params, ...rest } = call;
    const input = { calls: [{ ...rest, arguments: params }] };
    const answer = await client.callTool({ name: 'useTools', arguments: input });
    expect((answer.structuredContent as { error?: string }).error).toBe(
      'Unknown parameter "calls.0.arguments". Valid: agent, tool, params.',
    );
  });
});

describe('params on the surface actions', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an object', { params: state }],
    ['JSON text', { params: JSON.stringify(state) }],
    ['null', { ...state, params: null }],
  ])('may be %s', async (_, input) => {
    const { client } = await openOn('actions');
    const call = { name: 'state', arguments: { action: 'create', ...input } };
    const answer = await client.callTool(call);
    expect(answer.structuredContent).toMatchObject({ success: true });
    expect(JSON.stringify(answer)).not.toContain('ignored');
    const listed = await client.callTool({ name: 'state', arguments: { action: 'list' } });
    expect(listed.structuredContent).toMatchObject({ data: [{ name: 'Plan' }] });
  });

  it('are refused if they contradict another parameter', async () => {
    const { client } = await openOn('actions');
    const input = { action: 'create', ...state, params: { ...state, name: 'Another' } };
    const answer = await client.callTool({ name: 'state', arguments: input });
    expect((answer.structuredContent as { error?: string }).error).toBe(
      '"name" is given twice, with different values. Send it once.',
    );
  });
});

/** Texts of which some look like JSON, as a client may have turned them into. */
const text = fc.oneof(
  fc.stringMatching(/^[a-z][a-z ]{0,8}[a-z]$/),
  fc.integer().map(String),
  fc.constantFrom('2026', 'true', 'false', 'null', '2.5', '[1]', '{"a":1}', '""', '1e3', '007'),
);
const texts = fc.uniqueArray(text, { maxLength: 4 });
const wholeState = fc.record(
  {
    name: text,
    conversationContext: text,
    activeTask: text,
    activeFiles: fc.constantFrom<string[]>([], ['Beds.md'], ['2026', 'Beds.md']),
    nextSteps: texts,
    description: text,
    tags: texts,
    decisions: texts,
    questions: texts,
  },
  { requiredKeys: ['name', 'conversationContext', 'activeTask', 'activeFiles', 'nextSteps'] },
);

const OPTIONAL = ['description', 'tags', 'decisions', 'questions', 'continues', 'fromCheckpoint'];

/** Rewrites a value as clients do, at the places that `chance` selects. */
function mangle(value: Json, chance: () => boolean): Json {
  if (typeof value === 'string') {
    const scalar = value === 'true' || value === 'false' ? value === 'true' : Number(value);
    return String(scalar) === value && chance() ? scalar : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner = Array.isArray(value)
    ? value.map((each) => mangle(each, chance))
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mangle(each, chance)]));
  return chance() ? JSON.stringify(inner) : inner;
}

/** Saves a state on a surface, and returns the answer and what is stored. */
async function save(surface: Surface, params: Json) {
  const { client, vault } = await openOn(surface);
  const { name, arguments: input } = callOn(surface, 'createState', {});
  const args =
    surface === 'compact'
      ? { calls: [{ agent: 'memoryManager', tool: 'createState', params }] }
      : { ...input, ...(typeof params === 'string' ? { params } : (params as object)) };
  const answer = await client.callTool({ name, arguments: args });
  const [row] = (await vault.data('listStates')) as { name: string }[];
  const whole = row && (await vault.data('loadState', { name: row.name }));
  const records = await vault.data('listRecords', { status: 'all' });
  await closeClients();
  const { success, error } = answer.structuredContent as { success: boolean; error?: string };
  return { success, error, stored: { whole, records } };
}

const property = fc.asyncProperty(
  wholeState,
  fc.constantFrom(...SURFACES),
  fc.infiniteStream(fc.boolean()),
  async (whole, surface, chances) => {
    const chance = () => chances.next().value as boolean;
    const absent = OPTIONAL.filter((key) => !(key in whole) && chance());
    const given = { ...whole, ...Object.fromEntries(absent.map((key) => [key, null])) };
    const mangled = mangle(given, chance);
    // on `full`, the SDK takes an object
    const sent =
      surface === 'full' && typeof mangled === 'string' ? (JSON.parse(mangled) as Json) : mangled;
    const meant = await save(surface, whole);
    const made = await save(surface, sent);
    const none = { whole: undefined, records: [] };
    expect(made.stored).toEqual(made.success ? meant.stored : none);
    expect(made.success, made.error).toBe(meant.success);
  },
);

it('a state that a client rewrites is stored whole, or refused as a whole', async () => {
  await fc.assert(property, { seed: SEED, numRuns: perTier(15, 100, 1500) });
});
