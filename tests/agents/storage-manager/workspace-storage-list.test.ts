import { describe } from 'vitest';
import { listSuite } from './list-suite.js';

describe('workspaceStorageList', () => {
  listSuite('workspace');
});
