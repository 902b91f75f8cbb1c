import * as z from 'zod';
import { compareText, stampTime } from '../../model/event.js';
import { allWorkspaces, eachStateHead } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { nameKey } from '../../model/names.js';
import { createGarden } from '../shared/example-calls.js';
import { listedDescription, pageInput, takePage } from '../shared/page.js';
import { defineTool } from '../services.js';
import { localDay } from '../../model/text/local-minute.js';

export const listWorkspaces = defineTool({
  name: 'listWorkspaces',
  title: 'List workspaces',
  access: 'read',
  action: { resource: 'workspace', name: 'list' },
  description: 'List all workspaces, sorted by name.',
  input: z.strictObject({ includeArchived: z.boolean().default(false), ...pageInput }),
  output: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      isCurrent: z.literal(true).optional(),
      states: z.number(),
      lastSave: z.string().optional(),
      isArchived: z.literal(true).optional(),
    }),
  ),
  failures: {},
  examples: [
    {
      title: 'All workspaces, including archived ones',
      before: [createGarden, { tool: 'archiveWorkspace', params: { name: 'Garden' } }],
      params: { includeArchived: true },
      data: [{ name: 'Default' }, { name: 'Garden', description: 'The garden', isArchived: true }],
    },
    {
      title: 'In pages',
      before: [createGarden],
      params: { limit: 1 },
      more: { total: 2, after: 'Default' },
      data: [{ name: 'Default' }],
    },
    {
      title: 'The next page',
      before: [createGarden],
      params: { after: 'Default' },
      data: [{ name: 'Garden' }],
    },
  ],
  run({ includeArchived, limit, after }, { memory, workspace, addMore }) {
    const listed = allWorkspaces(memory).filter(({ item }) => includeArchived || !item.isArchived);
    const position = after === undefined ? undefined : nameKey(after);
    return takePage({
      items: listed.filter(
        ({ displayName }) =>
          position === undefined || compareText(nameKey(displayName), position) > 0,
      ),
      total: listed.length,
      limit,
      toRow: ({ item, displayName }) => ({
        name: displayName,
        description: listedDescription(item.description),
        ...(item.id === workspace.id && { isCurrent: true }),
        ...savesIn(memory, item.id),
        ...(item.isArchived && { isArchived: true }),
      }),
      keyOf: ({ name }) => name,
      addMore,
    });
  },
});

/** Returns the number of live states of a workspace and the day of the newest. */
function savesIn(memory: Memory, workspaceId: string): { states: number; lastSave?: string } {
  let states = 0;
  let last = '';
  for (const { entity, isArchived } of eachStateHead(memory, workspaceId)) {
    if (isArchived || !entity.created) continue;
    states++;
    const savedOn = localDay(stampTime(entity.created));
    if (savedOn > last) last = savedOn;
  }
  return { states, ...(last !== '' && { lastSave: last }) };
}
