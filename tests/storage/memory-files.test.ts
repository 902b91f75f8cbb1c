import { describe } from 'vitest';
import { filesContract } from '../contracts/files.js';
import { createMemoryFiles } from '../fakes/memory-files.js';

describe('in-memory files', () => {
  filesContract(() => createMemoryFiles());
});
