import { afterEach, describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../src/model/event.js';
import { inputSchema } from '../../src/toolkit/schema.js';
import { SURFACES, type Surface } from '../../src/toolkit/surfaces.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { answerOf } from '../fakes/answer-of.js';
import { callOn } from '../fakes/surface-calls.js';
import { createTestVault } from '../fakes/test-vault.js';
import { closeClients, openOn } from './surface-client.js';
import { someOf } from '../tier.js';

afterEach(closeClients);

const state = {
  name: 'Plan',
  conversationContext: 'Sketched the plan.',
  activeTask: 'Planning',
  activeFiles: ['Beds.md'],
  nextSteps: ['Review'],
};
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name)));

const garden = { name: 'Garden', description: 'Beds', rootFolder: 'Garden', purpose: 'Vegetables' };

/** A tool, its input as a client sends it, and what the error must match if it is refused. */
type Case = [what: string, tool: string, input: Record<string, unknown>, error?: RegExp];

const ACCEPTED: Case[] = [
  ['null for an optional text', 'createState', { ...state, description: null }],
  ['null for an optional list', 'createState', { ...state, tags: null }],
  [
    'null for every optional parameter',
    'createState',
    {
      ...state,
      description: null,
      tags: null,
      decisions: null,
      questions: null,
      fromCheckpoint: null,
    },
  ],
  ['an empty optional text', 'createState', { ...state, description: '' }],
  ['a null context', 'createState', { ...state, context: null }],
  [
    'empty texts in the context',
    'createState',
    { ...state, context: { workspaceId: '', goal: '' } },
  ],
  ['null as the workspace', 'createState', { ...state, workspaceId: null }],
  ['an empty workspace', 'listStates', { workspaceId: '' }],
  ['a list as JSON text', 'createState', { ...state, nextSteps: '["Review","Dig"]' }],
  [
    'several lists as JSON text',
    'createState',
    { ...state, nextSteps: '["Review"]', activeFiles: '["Beds.md"]', tags: '["a"]' },
  ],
  ['an empty list as JSON text', 'createState', { ...state, nextSteps: '[]' }],
  ['an indented list as JSON text', 'createState', { ...state, nextSteps: '[\n  "Review"\n]' }],
  [
    'an object as JSON text',
    'createWorkspace',
    {
      name: 'Shed',
      description: 'd',
      rootFolder: 'Shed',
      purpose: 'p',
      preferences: '{"tone":"dry"}',
    },
  ],
  [
    'null for preferences',
    'createWorkspace',
    { name: 'Shed', description: 'd', rootFolder: 'Shed', purpose: 'p', preferences: null },
  ],
  ['null inside preferences', 'updateWorkspace', { name: 'Garden', preferences: { tone: null } }],
  ['a number as text', 'listStates', { limit: '20' }],
  ['a number as text with spaces', 'listStates', { limit: ' 20 ' }],
  ['true as text', 'listStates', { includeArchived: 'true' }],
  ['false as text', 'listStates', { includeArchived: 'false' }],
  ['null for a number', 'listStates', { limit: null }],
  ['null for a boolean', 'listWorkspaces', { includeArchived: null }],
  ['null for a date range', 'searchMemory', { query: 'plan', dateRange: null }],
  ['an empty date range', 'searchMemory', { query: 'plan', dateRange: '' }],
  ['a date range of empty texts', 'listStates', { dateRange: { start: '', end: '' } }],
  ['a date range without dates', 'listStates', { dateRange: {} }],
  ['null in a date range', 'listStates', { dateRange: { start: null, end: '2026-01-01' } }],
  ['an empty list of types', 'searchMemory', { query: 'plan', memoryTypes: [] }],
  ['an empty list of types as text', 'searchMemory', { query: 'plan', memoryTypes: '[]' }],
  ['an empty context', 'createState', { ...state, context: '' }],
  ['a context as JSON text', 'createState', { ...state, context: '{"goal":"Plan"}' }],
  ['null in the context', 'createState', { ...state, context: { workspaceId: null } }],
  ['null for a page', 'listStates', { after: null }],
  ['an empty page', 'listWorkspaces', { after: '' }],
  ['a name with a leading underscore', 'listStates', { _meta: { a: 1 } }],
  ['the id of a call', 'listStates', { toolCallId: 'call-1' }],
  ['a text that looks like a list', 'createState', { ...state, activeTask: '["not a list"]' }],
  ['a text that looks like a number', 'createState', { ...state, activeTask: '20' }],
  ['a name like a real one with an underscore', 'createState', { ...state, _sessionID: 's1' }],
  ['an underscore in the context', 'listStates', { context: { _requestId: 'r1', goal: 'Plan' } }],
  ['a number for a name', 'createState', { ...state, name: 2026 }],
  ['a boolean for a text', 'createState', { ...state, activeTask: true }],
  ['a fraction for a text', 'createState', { ...state, description: 2.5 }],
  ['numbers in a list of texts', 'createState', { ...state, tags: [2026, true, 'a'] }],
  ['numbers in a list as JSON text', 'createState', { ...state, nextSteps: '[1, 2]' }],
  ['numbers for paths', 'createState', { ...state, activeFiles: [2026] }],
  ['numbers for decisions', 'createState', { ...state, decisions: [42], questions: [7] }],
  ['a number for a session', 'listStates', { sessionId: 2026 }],
  ['a number for a goal', 'listStates', { context: { goal: 2026 } }],
  ['a number for a query', 'searchMemory', { query: 2026 }],
  ['a number for a workspace', 'createWorkspace', { ...garden, name: 2026, purpose: 7 }],
  ['numbers for preferences', 'createWorkspace', { ...garden, name: 'B', preferences: { a: 1 } }],
  ['a date range as JSON text', 'listStates', { dateRange: '{"start":"2026-01-01","end":null}' }],
  ['null for a list as text', 'createState', { ...state, tags: 'null' }],
  ['a context as JSON text with a number', 'listStates', { context: '{"sessionId":7}' }],
  ['a number for a title', 'createRecord', { resource: 'decision', title: 2026 }],
  [
    'an empty list of needs as JSON text',
    'createRecord',
    { resource: 'issue', title: 'Dig', needs: '[]' },
  ],
  ['an entry of 2,000 characters', 'createState', { ...state, decisions: ['x'.repeat(2000)] }],
];

const IGNORED: Case[] = [
  ['a list of tasks', 'createState', { ...state, task_progress: '- [x] plan' }],
  ['an explanation', 'listStates', { explanation: 'Looking for states' }],
  ['a parameter of no tool', 'loadWorkspace', { name: 'Garden', chatInput: 'load it' }],
];

const REFUSED: Case[] = [
  [
    'a plain text for a list',
    'createState',
    { ...state, nextSteps: 'do it' },
    /^"nextSteps" must be an array of strings/,
  ],
  [
    'an object as text for a list',
    'createState',
    { ...state, nextSteps: '{"a":1}' },
    /^"nextSteps" must be an array of strings/,
  ],
  [
    'a list of lists',
    'createState',
    { ...state, nextSteps: [['a']] },
    /^"nextSteps\.0" must be a string/,
  ],
  [
    'null in a list as JSON text',
    'createState',
    { ...state, nextSteps: '["a",null]' },
    /^"nextSteps\.1" must be a string, got null/,
  ],
  [
    'a number that lost digits',
    'createState',
    { ...state, name: 2 ** 60 },
    /^"name" must be a string, got number 1152921504606847000/,
  ],
  [
    'half a character in JSON text',
    'createState',
    { ...state, nextSteps: '["\\ud83d"]' },
    /^"nextSteps\.0" contains half a character/,
  ],
  [
    'half a character in a context as JSON text',
    'createState',
    { ...state, context: '{"goal":"\\ud83d"}' },
    /"goal" contains half a character/,
  ],
  [
    'an entry of 2,001 characters',
    'createState',
    { ...state, questions: ['x'.repeat(2001)] },
    /^"questions\.0" has 2001 characters; use at most 2000\.$/,
  ],
  [
    'null for a required text',
    'createState',
    { ...without('activeTask'), activeTask: null },
    /^Missing required parameter "activeTask"/,
  ],
  ['an empty required text', 'createState', { ...state, activeTask: '' }, /^"activeTask" is empty/],
  ['an empty name', 'createState', { ...state, name: '' }, /^"name" is empty/],
  [
    'a misspelt name',
    'listStates',
    { includeArchive: true },
    /^Unknown parameter "includeArchive"\. Did you mean "includeArchived"\?/,
  ],
  [
    'a name in another style',
    'createState',
    { ...without('nextSteps'), next_steps: ['a'] },
    /Did you mean "nextSteps"\?/,
  ],
  [
    'a singular',
    'createState',
    { ...without('nextSteps'), nextStep: ['a'] },
    /Did you mean "nextSteps"\?/,
  ],
  ['words for a number', 'listStates', { limit: 'twenty' }, /^"limit" must be an integer/],
  [
    'words for a boolean',
    'listStates',
    { includeArchived: 'yes' },
    /^"includeArchived" must be a boolean/,
  ],
  ['a fraction', 'listStates', { limit: '2.5' }, /^"limit" must be an integer/],
  [
    'an empty list of names in a misspelt parameter',
    'createState',
    { ...state, decision: [] },
    /Did you mean "decisions"\?/,
  ],
];

/** Parameters that an empty text or list is a value of, by tool. */
const MEANINGFUL: Record<string, readonly string[]> = {
  createState: ['continues'], // starts new work
  updateRecord: ['remindAt'], // ends the reminder
  updateWorkspace: ['workflows', 'keyFiles'], // removes all
};

/** How clients fill in a parameter that is not given. */
const BLANKS: [what: string, value: unknown, type?: string][] = [
  ['null', null],
  ['an empty text', ''],
  ['an empty list', [], 'array'],
];

const tools = allTools(createTestVault().toolkit).flatMap(({ tool }) => tool);

/** Returns how a client may fill in each optional parameter that an example does not have. */
function blanksOf(
  { name, input }: (typeof tools)[number],
  params: Record<string, unknown>,
  value: unknown,
  type?: string,
) {
  const { properties = {} } = inputSchema({ input }) as { properties?: Record<string, Json> };
  const fields = input.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>;
  const optional = Object.entries(properties).filter(
    ([key, property]) =>
      fields[key]?.safeParse(undefined).success === true &&
      !(key in params) &&
      (type === undefined || (isJsonObject(property) && property['type'] === type)) &&
      (value === null || MEANINGFUL[name]?.includes(key) !== true),
  );
  return Object.fromEntries(optional.map(([key]) => [key, value]));
}

/** Makes an example's call on a surface, with more parameters. */
async function exampleAnswer(
  surface: Surface,
  { name, examples }: (typeof tools)[number],
  more: Record<string, unknown>,
) {
  const { client } = await openOn(surface);
  const example = exampleOf(examples);
  for (const each of example.before ?? [])
    await client.callTool(callOn(surface, each.tool, each.params));
  return answerOf(await client.callTool(callOn(surface, name, { ...example.params, ...more })));
}

function exampleOf(examples: (typeof tools)[number]['examples']) {
  return examples.find(({ answer }) => answer['success'] === true) ?? examples[0]!;
}

async function answerTo(surface: Surface, tool: string, input: Case[2]) {
  const { client } = await openOn(surface);
  await client.callTool(callOn(surface, 'createWorkspace', garden));
  const answer = answerOf(await client.callTool(callOn(surface, tool, input)));
  const listed = await client.callTool(callOn(surface, 'listStates'));
  return {
    ...(answer as { success: boolean; notice?: string; error?: string }),
    states: (answerOf(listed) as { data?: unknown }).data,
  };
}

describe.each(SURFACES)('on the surface %s', (surface) => {
  it.each(someOf(ACCEPTED, 12))('accepts %s (%s)', async (_, tool, input) => {
    const answer = await answerTo(surface, tool, input);
    expect(answer).toMatchObject({ success: true });
    expect(answer.notice ?? '').not.toContain('ignored');
  });

  it.each(BLANKS)('takes %s for a parameter that is not given', async (_, value, type) => {
    let filled = 0;
    for (const tool of tools.filter(({ isRelay }) => !isRelay)) {
      const blanks = blanksOf(tool, exampleOf(tool.examples).params, value, type);
      if (Object.keys(blanks).length === 0) continue;
      filled++;
      const answers = [
        await exampleAnswer(surface, tool, {}),
        await exampleAnswer(surface, tool, blanks),
      ];
      expect(answers[1], `${tool.name} ${JSON.stringify(blanks)}`).toEqual(answers[0]);
    }
    expect(filled).toBeGreaterThan(type === undefined ? 15 : 4);
  });

  it('says where it saved even after it ignored a parameter called "default"', async () => {
    const { client } = await openOn(surface);
    await client.callTool(callOn(surface, 'listStates', { default: true }));
    const saved = await client.callTool(callOn(surface, 'createState', state));
    expect(JSON.stringify(saved)).toContain('because no active workspace is known here');
  });

  it('says once in a session what it ignores', async () => {
    const { client } = await openOn(surface);
    const call = callOn(surface, 'listStates', { explanation: 'Looking for states' });
    const answers = [];
    for (let time = 0; time < 2; time++) answers.push(await client.callTool(call));
    expect(answers.map((answer) => JSON.stringify(answer).includes('was ignored'))).toEqual([
      true,
      false,
    ]);
  });

  it.each(someOf(IGNORED, 12))('ignores %s, and says so (%s)', async (_, tool, input) => {
    const answer = await answerTo(surface, tool, input);
    expect(answer).toMatchObject({ success: true });
    expect(answer.notice).toMatch(/There is no parameter ".+" here, so it was ignored\./);
  });

  it.each(someOf(REFUSED, 12))('refuses %s (%s)', async (_, tool, input, error) => {
    const answer = await answerTo(surface, tool, input);
    expect(answer.success).toBe(false);
    expect(answer.error).toMatch(error!);
    expect(answer.states).toEqual([]);
  });
});
