import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/event.js';
import { routeResource } from '../../src/toolkit/action-aliases.js';
import { resourceDescription, groupByResource, resourceSchema } from '../../src/toolkit/actions.js';
import { toolDefiner, type ToolAction } from '../../src/toolkit/define-tool.js';

const { defineTool } = toolDefiner<object>();

function toolOf(name: string, action: ToolAction) {
  return defineTool({
    name,
    action,
    title: name,
    access: 'read',
    description: `Does ${name}.`,
    input: z.strictObject({ name: z.string().optional(), size: z.number().optional() }),
    failures: {},
    examples: [],
    run: () => undefined,
  });
}

const makeBox = toolOf('makeBox', {
  resource: 'box',
  name: 'make',
  aliases: [
    { action: 'build' },
    { action: 'make', when: { kind: 'box' } },
    { action: undefined, when: { kind: undefined } },
    { resource: 'crate', action: 'nail', convert: (params) => ({ ...params, size: 9 }) },
    { action: 'delete', notice: 'Boxes are only made.' },
  ],
  refused: { burn: 'Boxes do not burn. Make one instead.' },
});
const openBox = toolOf('openBox', { resource: 'box', name: 'open' });
const tools = [makeBox, openBox];

function refusalOf(resource: string, params: JsonObject): string {
  try {
    return `${routeResource(tools, resource, params)?.tool.name} was found`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('an alias of an action', () => {
  it.each([
    ['box', { action: 'build', name: 'A' }, { name: 'A' }],
    ['box', { action: 'make', kind: 'box', name: 'A' }, { name: 'A' }],
    ['box', { kind: 'any', name: 'A' }, { name: 'A' }],
    ['crate', { action: 'nail', name: 'A' }, { name: 'A', size: 9 }],
    ['box', { action: 'build', data: { name: 'A' }, filters: { size: 2 } }, { name: 'A', size: 2 }],
    ['box', { action: 'build', data: 'A' }, { data: 'A' }],
  ])('of %s accepts %j', (resource, given, params) => {
    expect(routeResource(tools, resource, given)).toEqual({ tool: makeBox, params });
  });

  it('can tell the caller something', () => {
    expect(routeResource(tools, 'box', { action: 'delete', name: 'A' })).toEqual({
      tool: makeBox,
      params: { name: 'A' },
      notice: 'Boxes are only made.',
    });
  });

  it('is not listed', () => {
    const [box] = groupByResource(tools);
    expect(groupByResource(tools).map(({ name }) => name)).toEqual(['box']);
    expect(`${resourceDescription(box!)} ${JSON.stringify(resourceSchema(box!))}`).not.toMatch(
      /build|nail|delete|burn|crate|kind/,
    );
  });

  it('leaves listed actions as they are', () => {
    const given = { action: 'make', name: 'A', data: { size: 1 } };
    expect(routeResource(tools, 'box', given)).toEqual({
      tool: makeBox,
      params: { name: 'A', data: { size: 1 } },
    });
    expect(routeResource(tools, 'box', { action: 'open' })).toEqual({ tool: openBox, params: {} });
  });

  it('is no resource of its own', () => {
    expect(routeResource(tools, 'barrel', { action: 'make' })).toBeUndefined();
  });

  it.each([
    ['box', { action: 'burn' }, 'Boxes do not burn. Make one instead.'],
    ['box', { action: 'foo' }, "unknown action 'foo' for box tool; valid actions: make, open"],
    ['box', {}, 'missing action for box tool; valid actions: make, open'],
    ['crate', { action: 'foo' }, "unknown action 'foo' for crate tool; valid actions: nail"],
    ['crate', {}, 'missing action for crate tool; valid actions: nail'],
  ])('of %s refuses %j', (resource, params, words) => {
    expect(refusalOf(resource, params)).toBe(words);
  });
});
