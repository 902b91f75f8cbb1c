import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { clearIndex } from './clear-index.js';
import { indexStatus } from './index-status.js';
import { rebuildIndex } from './rebuild-index.js';

export const indexManager: Toolset<Services> = {
  name: 'indexManager',
  description: 'Search index: status and rebuild',
  tools: [indexStatus, rebuildIndex, clearIndex],
};
