import * as z from 'zod';
import { defineTool } from '../services.js';

/** Has `write` access because a rebuild takes time, and searches find less in the meantime. */
export const rebuildIndex = defineTool({
  name: 'rebuildIndex',
  title: 'Rebuild index',
  access: 'write',
  usesWorkspace: () => true,
  action: { resource: 'index', name: 'rebuild', aliases: [{ action: 'start' }] },
  description:
    'Rebuild the search index in the background; returns immediately. Use only if searches fail: the index updates itself.',
  input: z.strictObject({}),
  output: z.object({ ready: z.boolean(), done: z.number(), total: z.number() }),
  failures: {},
  examples: [
    {
      title: 'Re-index every note',
      notes: { 'Garden/Beds.md': 'Three beds.' },
      before: [{ tool: 'searchContent', params: { query: 'beds' } }],
      params: {},
      data: { total: 1 },
    },
  ],
  run(_, { services: { search }, workspace }) {
    return search.rebuildIndex(workspace.id);
  },
});
