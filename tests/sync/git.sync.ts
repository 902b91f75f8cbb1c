import { describe } from 'vitest';
import { createGitPair } from './git-pair.js';
import { describeScenarios } from './scenarios.js';

describe('two clones of one git repository', () => {
  describeScenarios('git', createGitPair);
});
