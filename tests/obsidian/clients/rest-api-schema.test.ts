import { expect, it } from 'vitest';
import { z } from 'zod/v3';
import { shapeOf } from '../../../src/obsidian/clients/rest-api-schema.js';
import { inputSchema } from '../../../src/toolkit/schema.js';
import { allTools } from '../../../src/toolkit/toolkit.js';
import { createTestVault } from '../../fakes/test-vault.js';

const { toolkit } = createTestVault();

it.each(allTools(toolkit).map(({ tool }) => [tool.name, tool] as const))(
  'the REST API schema of %s accepts the examples of the tool',
  (_, tool) => {
    const schema = z.object(shapeOf(inputSchema(tool))).strict();
    for (const { params } of tool.examples) expect(schema.parse(params)).toEqual(params);
  },
);

it('the REST API schema keeps required fields, descriptions and types', () => {
  const shape = shapeOf({
    properties: {
      text: { type: 'string', description: 'Words' },
      yes: { type: 'boolean' },
      whole: { type: 'integer' },
      any: {},
      kind: { type: 'string', enum: ['a', 'b'] },
      list: { type: 'array', items: { type: 'string' } },
      free: { type: 'object' },
    },
    required: ['text', 'kind'],
  });
  const schema = z.object(shape);
  expect(shape['text']?.description).toBe('Words');
  expect(schema.parse({ text: 'x', kind: 'a', free: { deep: [1] } })).toEqual({
    text: 'x',
    kind: 'a',
    free: { deep: [1] },
  });
  for (const wrong of [{ kind: 'a' }, { text: 'x', kind: 'c' }, { text: 1, kind: 'a' }])
    expect(schema.safeParse(wrong).success).toBe(false);
  for (const [key, value] of [
    ['yes', 'no'],
    ['whole', 1.5],
    ['list', [1]],
    ['free', 'x'],
  ] as const)
    expect(schema.safeParse({ text: 'x', kind: 'a', [key]: value }).success).toBe(false);
});
