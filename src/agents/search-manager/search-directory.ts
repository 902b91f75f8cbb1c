import * as z from 'zod';
import { filledText } from '../shared/inputs.js';
import { folderFailures, hasWord, queryFailures, searchedFolder } from '../shared/search-inputs.js';
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
  action: { resource: 'search', name: 'directory' },
  description: 'Find files and folders by name, spelling aside.',
  input: z.strictObject({
    query: filledText,
    rootFolder: z.string().optional(),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(z.object({ path: z.string().describe('Folders end with a slash') })),
  failures: { ...queryFailures, ...folderFailures },
  examples: [
    {
      title: 'A word of the name, misspelt',
      notes,
      params: { query: 'tomatos', rootFolder: 'Garden' },
      answer: { success: true, data: [{ path: 'Garden/Tomatoes.md' }] },
    },
    {
      title: 'The best only',
      notes,
      params: { query: 'tomato', limit: 1 },
      answer: { success: true, data: [{ path: 'House/Tomato soup.md' }] },
    },
  ],
  async run({ query, rootFolder, limit }, { services, workspace, fail }) {
    if (!hasWord(query)) fail('noWord');
    const folder = await searchedFolder(rootFolder, workspace, services, fail);
    const { found } = await services.search.names(query, folder, limit);
    return found.map((path) => ({ path }));
  },
});
