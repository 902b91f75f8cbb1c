import * as z from 'zod';
import { allWorkspaces } from '../../model/find.js';
import { defineTool } from '../services.js';

export const listWorkspaces = defineTool({
  name: 'listWorkspaces',
  title: 'List workspaces',
  access: 'read',
  description: 'List all workspaces by name.',
  input: z.strictObject({ includeArchived: z.boolean().default(false) }),
  output: z.array(z.object({ name: z.string(), description: z.string(), isArchived: z.literal(true).optional() })),
  failures: {},
  examples: [
    {
      title: 'What is there',
      before: [
        { tool: 'createWorkspace', params: { name: 'Garden', description: 'The garden', rootFolder: 'Garden', purpose: 'Plan beds' } },
        { tool: 'createWorkspace', params: { name: 'Old blog', description: 'The blog', rootFolder: 'Blog', purpose: 'Write' } },
        { tool: 'archiveWorkspace', params: { name: 'Old blog' } },
      ],
      params: { includeArchived: true },
      answer: {
        success: true,
        data: [{ name: 'Default' }, { name: 'Garden', description: 'The garden' }, { name: 'Old blog', isArchived: true }],
      },
    },
  ],
  run({ includeArchived }, { memory }) {
    const shown = allWorkspaces(memory).filter(({ item }) => includeArchived || !item.isArchived);
    return shown.map(({ item, shownName }) => ({
      name: shownName,
      description: item.description,
      ...(item.isArchived && { isArchived: true }),
    }));
  },
});
