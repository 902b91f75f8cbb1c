import * as z from 'zod';
import { defineTool } from '../services.js';

const standing = { ready: z.boolean(), done: z.number(), total: z.number() };

export const indexStatus = defineTool({
  name: 'indexStatus',
  title: 'Index status',
  access: 'read',
  action: { resource: 'index', name: 'status' },
  description: 'How far the search index has come, and what it leaves out.',
  input: z.strictObject({}),
  output: z.object({
    notes: z.object(standing),
    meaning: z.object({
      available: z.boolean(),
      language: z.string().optional(),
      ...z.object(standing).partial().shape,
    }),
    memory: z.object(standing).describe('States and traces of the workspace in use'),
    excludedFolders: z.array(z.string()).describe('Never read, the data folder among them'),
    keptBytes: z.number().describe('On this device'),
  }),
  failures: {},
  examples: [
    {
      title: 'After a search',
      notes: { 'Garden/Beds.md': 'Three beds.' },
      before: [{ tool: 'searchContent', params: { query: 'beds' } }],
      params: {},
      answer: {
        success: true,
        data: {
          notes: { ready: true, done: 1, total: 1 },
          meaning: { available: true, language: 'en', ready: true, done: 1, total: 1 },
          excludedFolders: ['Savepoint'],
        },
      },
    },
  ],
  async run(_, { services: { search }, workspace, say }) {
    const { hasBegun, notes, meaning, memory, skippedFolders, keptBytes } =
      await search.indexStatus(workspace.id);
    if (!hasBegun)
      say({ notice: 'No note has been searched for yet: the first search begins the index.' });
    return {
      notes,
      meaning: meaning ? { available: true, language: 'en', ...meaning } : { available: false },
      memory,
      excludedFolders: skippedFolders,
      keptBytes,
    };
  },
});
