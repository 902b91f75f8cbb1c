import * as z from 'zod';
import { defineTool } from '../services.js';

/** It costs this device its time, and for a while everybody else's searches find less: so it is no reading. */
export const rebuildIndex = defineTool({
  name: 'rebuildIndex',
  title: 'Rebuild index',
  access: 'write',
  action: { resource: 'index', name: 'rebuild' },
  description:
    'Make the search index anew; answers at once. Only where searches fail: it follows changes by itself.',
  input: z.strictObject({}),
  output: z.object({ ready: z.boolean(), done: z.number(), total: z.number() }),
  failures: {},
  examples: [
    {
      title: 'Read every note again',
      notes: { 'Garden/Beds.md': 'Three beds.' },
      before: [{ tool: 'searchContent', params: { query: 'beds' } }],
      params: {},
      answer: { success: true, data: { total: 1 } },
    },
  ],
  run(_, { services: { search }, workspace }) {
    return search.rebuildIndex(workspace.id);
  },
});
