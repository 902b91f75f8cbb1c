import * as z from 'zod';
import { allWorkspaces } from '../../model/lookup.js';
import { createGarden } from '../shared/example-calls.js';
import { defineTool } from '../services.js';

export const listWorkspaces = defineTool({
  name: 'listWorkspaces',
  title: 'List workspaces',
  access: 'read',
  action: { resource: 'workspace', name: 'list' },
  description: 'List all workspaces, sorted by name.',
  input: z.strictObject({ includeArchived: z.boolean().default(false) }),
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
  ],
  run({ includeArchived }, { memory }) {
    const workspaces = allWorkspaces(memory).filter(
      ({ item }) => includeArchived || !item.isArchived,
    );
    return workspaces.map(({ item, displayName }) => ({
      name: displayName,
      description: item.description,
      ...(item.isArchived && { isArchived: true }),
    }));
  },
});
