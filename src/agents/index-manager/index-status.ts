import * as z from 'zod';
import { defineTool } from '../services.js';

const progressShape = { ready: z.boolean(), done: z.number(), total: z.number() };

const MAX_LISTED = 100;

export const indexStatus = defineTool({
  name: 'indexStatus',
  title: 'Index status',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'index',
    name: 'status',
    aliases: [
      {
        resource: 'vcs',
        action: 'index_repository',
        convert: () => ({}),
        notice:
          'Repositories are not indexed: the tool vcs reads them when it is called. This is the status of the index of notes and memory.',
      },
    ],
  },
  description: 'Show indexing progress and excluded folders.',
  input: z.strictObject({}),
  output: z.object({
    notes: z.object(progressShape),
    meaning: z.object({
      available: z.boolean(),
      language: z.string().optional(),
      ...z.object(progressShape).partial().shape,
    }),
    memory: z.object(progressShape).describe("The current workspace's states and traces"),
    excludedFolders: z.array(z.string()).describe('Never read; includes the data folder'),
    notSearched: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .optional()
      .describe(`Up to ${MAX_LISTED} notes that are found by their name only`),
    keptBytes: z.number().describe('Size of the index on this device'),
  }),
  failures: {},
  examples: [
    {
      title: 'After a search',
      notes: { 'Garden/Beds.md': 'Three beds.' },
      before: [{ tool: 'searchContent', params: { query: 'beds' } }],
      params: {},
      data: {
        notes: { ready: true, done: 1, total: 1 },
        meaning: { available: true, language: 'en', ready: true, done: 1, total: 1 },
        excludedFolders: ['Savepoint'],
      },
    },
  ],
  async run(_, { services: { search }, workspace, addNotice }) {
    const { hasBegun, notes, embeddings, memory, skippedFolders, unread, persistedBytes } =
      await search.indexStatus(workspace.id);
    if (!hasBegun) addNotice('No search has been made yet: the first one starts the index.');
    return {
      notes,
      meaning: embeddings
        ? { available: true, language: 'en', ...embeddings }
        : { available: false },
      memory,
      excludedFolders: skippedFolders,
      ...(unread.length > 0 && { notSearched: unread.slice(0, MAX_LISTED) }),
      keptBytes: persistedBytes,
    };
  },
});
