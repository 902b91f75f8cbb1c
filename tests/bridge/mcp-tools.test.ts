import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';
import {
  answerToResult,
  describeResource,
  describeTool,
  listTools,
  routeCall,
} from '../../src/bridge/mcp-tools.js';
import { groupByResource } from '../../src/toolkit/actions.js';
import { inputSchemaWithWorkspace } from '../../src/toolkit/schema.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { createTestVault } from '../fakes/test-vault.js';

const tools = allTools(createTestVault().toolkit).map(({ tool }) => tool);
const validators = new AjvJsonSchemaValidator();
type AnyTool = (typeof tools)[number];
type Schema = Parameters<typeof validators.getValidator>[0];

describe.each(tools)('$name as tools/list shows it', (tool) => {
  const described = describeTool(tool);

  it('has an output schema unless its answer is only text, or that of other tools', () => {
    const has = tool.name !== 'useTools' && !tool.isTextOnly;
    expect(described.outputSchema !== undefined).toBe(has);
    expect(JSON.stringify(described.outputSchema ?? {})).not.toMatch(
      /anyOf|\$ref|\$defs|additionalProperties/,
    );
  });

  it('names no limits of numbers, which a failing call names', () => {
    expect(JSON.stringify(described.inputSchema)).not.toMatch(/"(?:minimum|maximum)"/);
    expect(Object.keys(described.inputSchema.properties ?? {})).toEqual(
      Object.keys(inputSchemaWithWorkspace(tool)['properties'] ?? {}),
    );
  });

  it('is idempotent if it only reads', () => {
    expect(described.annotations).toEqual({
      readOnlyHint: tool.access === 'read',
      destructiveHint: false,
      openWorldHint: false,
      ...(tool.access === 'read' && { idempotentHint: true }),
    });
  });

  it.each(tool.examples)('matches its output schema: $title', async ({ before = [], params }) => {
    const vault = createTestVault();
    for (const call of before) await vault.data(call.tool, call.params);
    const answers = [await vault.call(tool.name, params), await vault.call(tool.name, 'nonsense')];
    expect(answers.at(-1)).toMatchObject({ success: false });
    if (described.outputSchema) {
      const validate = validators.getValidator(described.outputSchema as Schema);
      for (const answer of answers)
        expect(validate(answerToResult(answer).structuredContent).errorMessage).toBeUndefined();
    }
  });
});

describe.each(groupByResource(tools))('$name as tools/list shows it', (resource) => {
  const described = describeResource(resource);

  it('has hints that hold for every action', () => {
    const isReadOnly = resource.actions.every(({ tool }) => tool.access === 'read');
    expect(described.annotations).toEqual({
      readOnlyHint: isReadOnly,
      destructiveHint: false,
      openWorldHint: false,
      ...(isReadOnly && { idempotentHint: true }),
    });
  });

  const hasText = resource.actions.some(({ tool }) => tool.isTextOnly);
  it.runIf(hasText)('has no output schema if an answer is only text', () => {
    expect(described).not.toHaveProperty('outputSchema');
  });

  it.skipIf(hasText)('has an output schema that every answer matches', async () => {
    const validate = validators.getValidator(described.outputSchema as Schema);
    for (const { tool } of resource.actions)
      for (const { before = [], notes = {}, params } of tool.examples) {
        const vault = createTestVault();
        for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
        for (const call of before) await vault.data(call.tool, call.params);
        for (const answer of [
          await vault.call(tool.name, params),
          await vault.call(tool.name, 'nonsense'),
        ])
          expect(validate(answerToResult(answer).structuredContent).errorMessage).toBeUndefined();
      }
    expect(validate({}).valid).toBe(false);
  });
});

it('a resource has hints about destructive and writing actions', () => {
  const [list, create] = ['listStates', 'createState'].map((name) =>
    tools.find((tool) => tool.name === name)!,
  ) as [AnyTool, AnyTool];
  const hints = (...some: AnyTool[]) => describeResource(groupByResource(some)[0]!).annotations;
  expect(hints(list)).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(hints(list, create)).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints(list, { ...create, access: 'destroy' })).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
  });
});

describe('an unlisted tool', () => {
  const vault = createTestVault();
  const [first, ...others] = tools as [AnyTool, ...AnyTool[]];
  const renamed = {
    ...first,
    action: { ...first.action!, aliases: [{ resource: 'oldName', action: undefined }] },
    isUnlisted: true,
  };
  const toolkit = {
    ...vault.toolkit,
    toolsets: [{ name: 'all', description: '', tools: [renamed, ...others] }],
  };

  it('is callable by its name, its alias and its action', () => {
    expect(listTools(toolkit, 'full').map(({ name }) => name)).not.toContain(first.name);
    const routed = { tool: renamed, params: { a: 1 } };
    expect(routeCall(toolkit, 'full', first.name, { a: 1 })).toEqual(routed);
    for (const surface of ['full', 'actions'] as const)
      expect(routeCall(toolkit, surface, 'oldName', { a: 1 })).toEqual(routed);
    const { resource, name } = first.action!;
    expect(routeCall(toolkit, 'actions', resource, { action: name, a: 1 })).toEqual(routed);
    expect(() => routeCall(toolkit, 'compact', first.name, {})).toThrow(
      'does not exist. Valid tools: getTools, useTools.',
    );
    expect(() => routeCall(toolkit, 'actions', first.name, {})).toThrow(
      /does not exist\..* Valid tools: workspace, state, memory, search/,
    );
  });

  it.each(['full', 'actions', 'compact'] as const)(
    'needs an object on the surface %s',
    (surface) => {
      expect(() => routeCall(toolkit, surface, 'useTools', 'x')).toThrow(
        'The parameters must be an object, got string "x". Send {"name": value, ...}.',
      );
    },
  );

  it('costs no tokens for its alias', () => {
    expect(describeTool(renamed)).toEqual(describeTool(first));
  });
});

it('output schemas reject invalid answers', () => {
  const listStates = tools.find(({ name }) => name === 'listStates')!;
  const validate = validators.getValidator(describeTool(listStates).outputSchema as Schema);
  for (const wrong of [
    {},
    { success: 'yes' },
    { success: true, data: [{}] },
    { success: true, data: 5 },
  ]) {
    expect(validate(wrong).valid).toBe(false);
  }
});
