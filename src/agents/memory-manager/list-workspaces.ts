import * as z from 'zod';
import { compareText } from '../../model/event.js';
import { allWorkspaces } from '../../model/lookup.js';
import { nameKey } from '../../model/names.js';
import { createGarden } from '../shared/example-calls.js';
import { listedDescription, pageInput, takePage } from '../shared/page.js';
import { defineTool } from '../services.js';

export const listWorkspaces = defineTool({
  name: 'listWorkspaces',
  title: 'List workspaces',
  access: 'read',
  action: { resource: 'workspace', name: 'list' },
  description: 'List all workspaces, sorted by name.',
  input: z.strictObject({ includeArchived: z.boolean().default(false), ...pageInput }),
  output: z.array(
    z.object({ name: z.string(), description: z.string(), isArchived: z.literal(true).optional() }),
  ),
  failures: {},
  examples: [
    {
      title: 'All workspaces, including archived ones',
      before: [createGarden, { tool: 'archiveWorkspace', params: { name: 'Garden' } }],
      params: { includeArchived: true },
      answer: {
        success: true,
        data: [
          { name: 'Default' },
          { name: 'Garden', description: 'The garden', isArchived: true },
        ],
      },
    },
    {
      title: 'In pages',
      before: [createGarden],
      params: { limit: 1 },
      answer: { success: true, more: { total: 2, after: 'Default' }, data: [{ name: 'Default' }] },
    },
    {
      title: 'The next page',
      before: [createGarden],
      params: { after: 'Default' },
      answer: { success: true, data: [{ name: 'Garden' }] },
    },
  ],
  run({ includeArchived, limit, after }, { memory, addMore }) {
    const listed = allWorkspaces(memory).filter(({ item }) => includeArchived || !item.isArchived);
    const position = after === undefined ? undefined : nameKey(after);
    const { rows, more } = takePage({
      items: listed.filter(
        ({ displayName }) =>
          position === undefined || compareText(nameKey(displayName), position) > 0,
      ),
      total: listed.length,
      limit,
      toRow: ({ item, displayName }) => ({
        name: displayName,
        description: listedDescription(item.description),
        ...(item.isArchived && { isArchived: true }),
      }),
      keyOf: ({ name }) => name,
    });
    addMore(more);
    return rows;
  },
});
