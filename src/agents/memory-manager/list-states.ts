import * as z from 'zod';
import { allStates } from '../../model/lookup.js';
import { nameKey } from '../../model/names.js';
import { saveDraft, saveOutline } from '../shared/example-calls.js';
import { texts } from '../shared/inputs.js';
import { defineTool } from '../services.js';

export const listStates = defineTool({
  name: 'listStates',
  title: 'List states',
  access: 'read',
  action: { resource: 'state', name: 'list' },
  description: 'List all states of the workspace in use, newest first.',
  input: z.strictObject({
    includeArchived: z.boolean().default(false),
    tags: texts.default([]).describe('Only states that carry all of these'),
  }),
  output: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      isArchived: z.literal(true).optional(),
    }),
  ),
  failures: {},
  examples: [
    {
      title: 'What can be resumed',
      before: [saveOutline, saveDraft],
      params: {},
      answer: {
        success: true,
        data: [{ name: 'Draft one' }, { name: 'Outline', description: 'Chapters fixed' }],
      },
    },
    {
      title: 'By tag, archived ones too',
      before: [saveOutline, saveDraft, { tool: 'archiveState', params: { name: 'Draft one' } }],
      params: { includeArchived: true, tags: ['Draft'] },
      answer: { success: true, data: [{ name: 'Draft one', isArchived: true }] },
    },
  ],
  run({ includeArchived, tags }, { memory, workspace }) {
    const wanted = tags.map(tagKey);
    const isWanted = (held: readonly string[] = []) =>
      wanted.every((tag) => held.some((other) => tagKey(other) === tag));
    const shown = allStates(memory, workspace.id).filter(
      ({ item }) => (includeArchived || !item.isArchived) && isWanted(item.tags),
    );
    return shown.map(({ item, displayName }) => ({
      name: displayName,
      ...(item.description !== undefined && { description: item.description }),
      ...(item.isArchived && { isArchived: true }),
    }));
  },
});

/** Tags are the same with and without the `#` that Obsidian shows. */
function tagKey(tag: string): string {
  return nameKey(tag.replace(/^#/, ''));
}
