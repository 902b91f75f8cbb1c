import * as z from 'zod';
import { nonEmptyText } from '../shared/inputs.js';
import {
  folderFailures,
  checkQuery,
  queryFailures,
  resolveSearchFolder,
} from '../shared/search-inputs.js';
import { defineTool } from '../services.js';

const notes = {
  'Garden/Tomatoes.md': '',
  'Garden/Shed repairs.md': '',
  'House/Tomato soup.md': '',
};

export const searchDirectory = defineTool({
  name: 'searchDirectory',
  title: 'Search files by name',
  access: 'read',
  usesWorkspace: ({ rootFolder }) => rootFolder === undefined,
  action: { resource: 'search', name: 'directory' },
  description: 'Find files and folders by name; tolerates typos.',
  input: z.strictObject({
    query: nonEmptyText,
    rootFolder: nonEmptyText.optional(),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(z.object({ path: z.string().describe('Folders end with a slash') })),
  failures: { ...queryFailures, ...folderFailures },
  examples: [
    {
      title: 'A misspelled word in the name',
      notes,
      params: { query: 'tomatos', rootFolder: 'Garden' },
      data: [{ path: 'Garden/Tomatoes.md' }],
    },
    {
      title: 'Only the best match',
      notes,
      params: { query: 'tomato', limit: 1 },
      data: [{ path: 'House/Tomato soup.md' }],
    },
  ],
  async run({ query, rootFolder, limit }, { services, workspace, fail }) {
    checkQuery(query, fail);
    const folder = await resolveSearchFolder(rootFolder, workspace, services, fail);
    const { found } = await services.search.notes.searchNames(query, folder, limit);
    return found.map((path) => ({ path }));
  },
});
