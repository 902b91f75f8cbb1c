import * as z from 'zod';
import { allStates } from '../../model/lookup.js';
import { nameKey } from '../../model/names.js';
import { saveDraft, saveOutline } from '../shared/example-calls.js';
import { textList } from '../shared/inputs.js';
import { defineTool } from '../services.js';

export const listStates = defineTool({
  name: 'listStates',
  title: 'List states',
  access: 'read',
  action: { resource: 'state', name: 'list' },
  description: 'List the states in the current workspace, newest first.',
  input: z.strictObject({
    includeArchived: z.boolean().default(false),
    tags: textList.default([]).describe('Only states with all of these tags'),
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
      title: 'List the states that can be resumed',
      before: [saveOutline, saveDraft],
      params: {},
      answer: {
        success: true,
        data: [{ name: 'Draft one' }, { name: 'Outline', description: 'Chapters fixed' }],
      },
    },
    {
      title: 'By tag, including archived states',
      before: [saveOutline, saveDraft, { tool: 'archiveState', params: { name: 'Draft one' } }],
      params: { includeArchived: true, tags: ['Draft'] },
      answer: { success: true, data: [{ name: 'Draft one', isArchived: true }] },
    },
  ],
  run({ includeArchived, tags }, { memory, workspace }) {
    const wanted = tags.map(tagKey);
    const hasWanted = (own: readonly string[] = []) =>
      wanted.every((tag) => own.some((other) => tagKey(other) === tag));
    const states = allStates(memory, workspace.id).filter(
      ({ item }) => (includeArchived || !item.isArchived) && hasWanted(item.tags),
    );
    return states.map(({ item, displayName }) => ({
      name: displayName,
      ...(item.description !== undefined && { description: item.description }),
      ...(item.isArchived && { isArchived: true }),
    }));
  },
});

/** Returns a tag in the form in which it is compared, without the `#` that Obsidian shows. */
function tagKey(tag: string): string {
  return nameKey(tag.replace(/^#/, ''));
}
