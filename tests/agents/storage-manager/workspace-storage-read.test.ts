import { describe } from 'vitest';
import { readSuite } from './read-suite.js';

describe('workspaceStorageRead', () => {
  readSuite('workspace');
});
