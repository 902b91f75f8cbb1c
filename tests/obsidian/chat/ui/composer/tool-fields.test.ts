import { describe, expect, it } from 'vitest';
import { allTools } from '../../../../../src/toolkit/toolkit.js';
import { chatTools, toolDescriptions } from '../../../../../src/obsidian/chat/chat-tools.js';
import { inputSchema } from '../../../../../src/toolkit/schema.js';
import {
  parseToolFields,
  toolFields,
  paramsToText,
} from '../../../../../src/obsidian/chat/ui/composer/tool-fields.js';
import { createTestVault } from '../../../../fakes/test-vault.js';

const { toolkit } = createTestVault();
const fieldsOf = (name: string) =>
  toolFields(inputSchema(allTools(toolkit).find(({ tool }) => tool.name === name)!.tool));

describe('the fields of a tool', () => {
  it('come from its parameters, required fields first', () => {
    const fields = fieldsOf('createState');
    const firstOptional = fields.findIndex(({ isRequired }) => !isRequired);
    expect(fields.slice(firstOptional).every(({ isRequired }) => !isRequired)).toBe(true);
    expect(fields.slice(0, firstOptional).map(({ name }) => name)).toContain('conversationContext');
    expect(fields.find(({ name }) => name === 'conversationContext')?.label).toBe('Context');
  });

  it('have the input kind of their schema type', () => {
    const kinds = (tool: string) =>
      Object.fromEntries(fieldsOf(tool).map(({ name, kind }) => [name, kind]));
    expect(kinds('createState')).toMatchObject({ name: 'text', nextSteps: 'lines', tags: 'lines' });
    expect(kinds('createWorkspace')).toMatchObject({ preferences: 'pairs' });
    expect(kinds('listStates')).toMatchObject({ includeArchived: 'switch' });
    expect(kinds('searchMemory')).toMatchObject({ limit: 'number' });
  });

  it('do not include the workspace, which the conversation chooses for the user and the model', () => {
    const withWorkspace = toolDescriptions({ toolkit }).filter(({ inputSchema: { properties } }) =>
      Object.keys(properties ?? {}).some((name) => ['workspaceId', 'context'].includes(name)),
    );
    expect(withWorkspace.map(({ name }) => name)).toEqual(['searchMemory']);
    expect(fieldsOf('createState').map(({ name }) => name)).not.toContain('workspaceId');
  });

  it('have a label in every chat tool', () => {
    for (const tool of chatTools({ toolkit }))
      for (const field of toolFields(inputSchema(tool))) expect(field.label).toMatch(/^[A-Z]/);
  });
});

describe('a value entered in a field', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      steps: { type: 'array' },
      limit: { type: 'integer' },
      all: { type: 'boolean' },
      more: { type: 'object' },
    },
    required: ['name', 'steps'],
  };
  const fields = toolFields(schema);

  it('becomes a parameter unless it is empty and optional', () => {
    const typed = new Map([
      ['name', ' Beds '],
      ['steps', 'one\n\n two '],
      ['limit', '5'],
      ['all', 'true'],
      ['more', 'tone: plain'],
    ]);
    const params = {
      name: 'Beds',
      steps: ['one', 'two'],
      limit: 5,
      all: true,
      more: { tone: 'plain' },
    };
    expect(parseToolFields(fields, typed)).toEqual({ params, problems: [] });
    expect(parseToolFields(fields, paramsToText(params))).toEqual({ params, problems: [] });
    expect(parseToolFields(fields, new Map([['name', 'Beds']])).params).toEqual({
      name: 'Beds',
      steps: [],
    });
  });

  it('leaves out characters that the user would not see in the field', () => {
    expect(paramsToText({ name: 'Plan \u202egnp.exe' }).get('name')).toBe('Plan gnp.exe');
  });

  it('is reported with its field if it is invalid', () => {
    const { problems } = parseToolFields(fields, new Map([['limit', 'many']]));
    expect(problems).toEqual([{ field: 'limit', text: 'Limit must be a number.' }]);
  });
});
