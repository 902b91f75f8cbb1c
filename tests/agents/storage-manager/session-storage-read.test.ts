import { describe } from 'vitest';
import { readSuite } from './read-suite.js';

describe('sessionStorageRead', () => {
  readSuite('session');
});
