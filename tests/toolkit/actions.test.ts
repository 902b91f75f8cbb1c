import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/event.js';
import type { Services } from '../../src/agents/services.js';
import {
  resourceDescription,
  groupByResource,
  resourceSchema,
  routeAction,
  type Resource,
} from '../../src/toolkit/actions.js';
import { toolDefiner, type ToolAction, type Tool } from '../../src/toolkit/define-tool.js';

const { defineTool, defineRelay } = toolDefiner<Services>();

function toolOf(name: string, action: ToolAction, input: z.ZodObject): Tool<Services> {
  const facts = {
    title: name,
    access: 'read' as const,
    description: `Does ${name}.`,
    failures: {},
    examples: [],
  };
  return defineTool({ name, action, input, ...facts, run: () => undefined });
}

const text = z.string();
const size = z.number().int().min(1).max(9);
const seeking = (kind: string) => ({ resource: 'seek', name: 'seek', when: { kind } });
const tools = [
  toolOf(
    'makeBox',
    { resource: 'box', name: 'make' },
    z.strictObject({ name: text.describe('New'), size, note: text.optional() }),
  ),
  toolOf(
    'openBox',
    { resource: 'box', name: 'open' },
    z.strictObject({ name: text, note: text.optional().describe('Why') }),
  ),
  toolOf(
    'seekBoxes',
    seeking('boxes'),
    z.strictObject({ query: text.describe('Words'), in: z.enum(['a', 'b']).default('a') }),
  ),
  toolOf(
    'seekLids',
    seeking('lids'),
    z.strictObject({
      query: text,
      in: z.enum(['b', 'c']),
      size: size.optional().describe('At most'),
    }),
  ),
  toolOf(
    'seekAll',
    { resource: 'seek', name: 'all' },
    z.strictObject({ query: text, size: size.default(3).describe('At least') }),
  ),
  toolOf('dropBox', { resource: 'box', name: 'drop' }, z.strictObject({})),
];
const [box, seek] = groupByResource(tools) as [Resource<Services>, Resource<Services>];

function refusalOf(resource: Resource<Services>, params: JsonObject): string {
  try {
    return `${routeAction(resource, params).tool.name} was found`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('resources', () => {
  it('keep the order of their tools, and omit tools without an action', () => {
    const relay = defineRelay({
      name: 'r',
      title: 'R',
      access: 'read',
      description: '',
      input: z.strictObject({}),
      failures: {},
      examples: [],
      run: () => Promise.resolve({ success: true }),
    });
    expect(
      groupByResource([relay, ...tools]).map(({ name, actions }) => [
        name,
        actions.map(({ tool }) => tool.name),
      ]),
    ).toEqual([
      ['box', ['makeBox', 'openBox', 'dropBox']],
      ['seek', ['seekBoxes', 'seekLids', 'seekAll']],
    ]);
  });

  it('are described by each action and its parameters', () => {
    expect(resourceDescription(box)).toBe(
      'make(name size [note]): Does makeBox. open(name [note]): Does openBox. drop: Does dropBox.',
    );
    expect(resourceDescription(seek)).toBe(
      'seek(kind=boxes query [in]): Does seekBoxes. seek(kind=lids query in [size]): Does seekLids. all(query [size]): Does seekAll.',
    );
  });

  it('have a single schema, with the action first', () => {
    expect(resourceSchema(seek)).toEqual({
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['seek', 'all'] },
        kind: { type: 'string', enum: ['boxes', 'lids'] },
        query: { type: 'string', description: 'Words' },
        in: { type: 'string', enum: ['a', 'b', 'c'] },
        size: { type: 'integer', description: 'At most; all: At least' },
      },
      required: ['action', 'query'],
    });
    expect(Object.keys(resourceSchema(seek)['properties'] as object)[0]).toBe('action');
  });

  it('combine the descriptions of a parameter', () => {
    expect(resourceSchema(box)).toMatchObject({
      properties: {
        name: { description: 'New' },
        note: { type: 'string', description: 'open: Why' },
        size: { type: 'integer' },
      },
      required: ['action'],
    });
  });
});

describe('routeAction', () => {
  it('selects the tool of its action, with the other parameters', () => {
    const context = { goal: 'Look' };
    expect(routeAction(box, { action: 'open', name: 'A', context })).toEqual({
      tool: tools[1],
      params: { name: 'A', context },
    });
    expect(routeAction(seek, { kind: 'lids', query: 'x', action: 'seek' })).toEqual({
      tool: tools[3],
      params: { query: 'x' },
    });
  });

  it('passes unknown parameters to the tool', () => {
    expect(routeAction(box, { action: 'open', nam: 'A' })).toEqual({
      tool: tools[1],
      params: { nam: 'A' },
    });
  });

  it.each([
    [{}, 'missing action for box tool; valid actions: make, open, drop'],
    [{ action: 'foo' }, "unknown action 'foo' for box tool; valid actions: make, open, drop"],
    [{ action: 7 }, "unknown action '7' for box tool; valid actions: make, open, drop"],
    [{ action: null }, "unknown action 'null' for box tool; valid actions: make, open, drop"],
    [
      { action: 'toString' },
      "unknown action 'toString' for box tool; valid actions: make, open, drop",
    ],
    [
      { action: 'open', name: 'A', size: 3 },
      "unknown parameter 'size' for action 'open' of box tool; valid parameters: name, note, context",
    ],
  ])('refuses %j with the valid choices', (params, words) => {
    expect(refusalOf(box, params)).toBe(words);
  });

  it.each([
    [{ action: 'seek', query: 'x' }, 'missing kind for seek tool; valid kinds: boxes, lids'],
    [
      { action: 'seek', kind: 'foo', query: 'x' },
      "unknown kind 'foo' for seek tool; valid kinds: boxes, lids",
    ],
    [
      { action: 'seek', kind: 'boxes', query: 'x', size: 1 },
      "unknown parameter 'size' for action 'seek boxes' of seek tool; valid parameters: kind, query, in, context",
    ],
    [
      { action: 'all', kind: 'lids' },
      "unknown parameter 'kind' for action 'all' of seek tool; valid parameters: query, size, context",
    ],
  ])('refuses %j with the valid selectors', (params, words) => {
    expect(refusalOf(seek, params)).toBe(words);
  });

  it('never echoes a long action', () => {
    expect(refusalOf(box, { action: 'x'.repeat(10_000) }).length).toBeLessThan(200);
  });
});
