import * as z from 'zod';
import { defineTool } from '../services.js';

export const clearIndex = defineTool({
  name: 'clearIndex',
  isUnlisted: true,
  title: 'Clear index',
  access: 'write',
  action: { resource: 'index', name: 'clear' },
  description:
    "Delete this device's search index. It is only a cache: the next search rebuilds it.",
  input: z.strictObject({}),
  output: z.object({ droppedBytes: z.number().describe('Size of the deleted index') }),
  failures: {},
  examples: [
    {
      title: 'Delete the index',
      before: [{ tool: 'searchContent', params: { query: 'beds' } }],
      params: {},
      data: { droppedBytes: 0 },
    },
  ],
  async run(_, { services: { search } }) {
    return { droppedBytes: await search.clearIndex() };
  },
});
