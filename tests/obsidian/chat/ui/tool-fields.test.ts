import { describe, expect, it } from 'vitest';
import { allTools } from '../../../../src/toolkit/toolset.js';
import { ownSchema, talkTools } from '../../../../src/obsidian/chat/talk.js';
import {
  readToolFields,
  toolFields,
  typedParams,
} from '../../../../src/obsidian/chat/ui/tool-fields.js';
import { createTestVault } from '../../../fakes/test-vault.js';

const { toolset } = createTestVault();
const fieldsOf = (name: string) =>
  toolFields(ownSchema(allTools(toolset).find(({ tool }) => tool.name === name)!.tool));

describe('the fields of a tool', () => {
  it('are those of its schema without the context, the required ones first', () => {
    const fields = fieldsOf('createState');
    expect(fields.map(({ name }) => name)).not.toContain('context');
    const firstOptional = fields.findIndex(({ isRequired }) => !isRequired);
    expect(fields.slice(firstOptional).every(({ isRequired }) => !isRequired)).toBe(true);
    expect(fields.slice(0, firstOptional).map(({ name }) => name)).toContain('conversationContext');
    expect(fields.find(({ name }) => name === 'conversationContext')?.label).toBe(
      'Conversation context',
    );
  });

  it('have a box for each kind', () => {
    const kinds = (tool: string) =>
      Object.fromEntries(fieldsOf(tool).map(({ name, kind }) => [name, kind]));
    expect(kinds('createState')).toMatchObject({ name: 'text', nextSteps: 'lines', tags: 'lines' });
    expect(kinds('createWorkspace')).toMatchObject({ preferences: 'pairs' });
    expect(kinds('listStates')).toMatchObject({ includeArchived: 'switch' });
    expect(kinds('searchMemory')).toMatchObject({ limit: 'number' });
  });

  it('can be built and read back for every tool of a chat', () => {
    for (const tool of talkTools({ toolset }))
      for (const field of toolFields(ownSchema(tool))) expect(field.label).toMatch(/^[A-Z]/);
  });
});

describe('what was typed', () => {
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

  it('becomes parameters, without what is empty and not required', () => {
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
    expect(readToolFields(fields, typed)).toEqual({ params, problems: [] });
    expect(readToolFields(fields, typedParams(params))).toEqual({ params, problems: [] });
    expect(readToolFields(fields, new Map([['name', 'Beds']])).params).toEqual({
      name: 'Beds',
      steps: [],
    });
  });

  it('is told wrong beside its field', () => {
    const { problems } = readToolFields(fields, new Map([['limit', 'many']]));
    expect(problems).toEqual([{ field: 'limit', text: 'Limit must be a number.' }]);
  });
});
