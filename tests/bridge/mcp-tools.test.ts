import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';
import { answerToResult, describeTool } from '../../src/bridge/mcp-tools.js';
import { allTools } from '../../src/toolkit/toolset.js';
import { createTestVault } from '../fakes/test-vault.js';

const tools = allTools(createTestVault().toolset).map(({ tool }) => tool);
const validators = new AjvJsonSchemaValidator();
type Schema = Parameters<typeof validators.getValidator>[0];

describe.each(tools)('$name as tools/list shows it', (tool) => {
  const described = describeTool(tool);

  it('has an output schema unless it answers what others answer', () => {
    expect(described.outputSchema === undefined).toBe(tool.name === 'useTools');
    expect(JSON.stringify(described.outputSchema ?? {})).not.toMatch(/anyOf|\$ref|\$defs|additionalProperties/);
  });

  it('is idempotent where it only reads', () => {
    expect(described.annotations).toEqual({
      ...{ readOnlyHint: tool.access === 'read', destructiveHint: false, openWorldHint: false },
      ...(tool.access === 'read' && { idempotentHint: true }),
    });
  });

  it.each(tool.examples)('answers as its output schema says: $title', async ({ before = [], params }) => {
    const vault = createTestVault();
    for (const call of before) await vault.data(call.tool, call.params);
    const answers = [await vault.call(tool.name, params), await vault.call(tool.name, { nonsense: true })];
    expect(answers.at(-1)).toMatchObject({ success: false });
    if (described.outputSchema) {
      const validate = validators.getValidator(described.outputSchema as Schema);
      for (const answer of answers) expect(validate(answerToResult(answer).structuredContent).errorMessage).toBeUndefined();
    }
  });
});

it('refuses by its output schemas what no tool may answer', () => {
  const listStates = tools.find(({ name }) => name === 'listStates')!;
  const validate = validators.getValidator(describeTool(listStates).outputSchema as Schema);
  for (const wrong of [{}, { success: 'yes' }, { success: true, data: [{}] }, { success: true, data: 5 }]) {
    expect(validate(wrong).valid).toBe(false);
  }
});
