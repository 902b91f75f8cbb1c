import type { Agent } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { searchMemory } from './search-memory.js';

export const searchManager: Agent<Services> = {
  name: 'searchManager',
  description: 'Search over what is remembered',
  tools: [searchMemory],
};
