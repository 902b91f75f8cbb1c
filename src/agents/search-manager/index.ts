import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { readContent } from './read-content.js';
import { searchContent } from './search-content.js';
import { searchDirectory } from './search-directory.js';
import { searchMemory } from './search-memory.js';

export const searchManager: Toolset<Services> = {
  name: 'searchManager',
  description: 'Search in memory and notes',
  tools: [searchMemory, searchContent, searchDirectory, readContent],
};
