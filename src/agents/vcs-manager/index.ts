import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { analyzeImpact } from './analyze-impact.js';
import { changesSince } from './changes-since.js';
import { listCommits } from './list-commits.js';
import { repositoryStatus } from './repository-status.js';
import { searchBranch } from './search-branch.js';

export const vcsManager: Toolset<Services> = {
  name: 'vcsManager',
  description: 'What changed in files since a state, and what depends on a file',
  tools: [repositoryStatus, changesSince, analyzeImpact, listCommits, searchBranch],
};
