import * as z from 'zod';
import { defineTool } from '../services.js';

export const clearIndex = defineTool({
  name: 'clearIndex',
  isUnlisted: true,
  title: 'Clear index',
  access: 'write',
  action: { resource: 'index', name: 'clear' },
  description:
    'Drop the search index of this device. It is a cache: the next search makes it anew.',
  input: z.strictObject({}),
  output: z.object({ droppedBytes: z.number().describe('What was kept on this device') }),
  failures: {},
  examples: [
    {
      title: 'Begin from nothing',
      before: [{ tool: 'searchContent', params: { query: 'beds' } }],
      params: {},
      answer: { success: true, data: { droppedBytes: 0 } },
    },
  ],
  async run(_, { services: { search } }) {
    return { droppedBytes: await search.clearIndex() };
  },
});
