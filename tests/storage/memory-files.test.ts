import { describe } from 'vitest';
import { filesContract } from '../contracts/files.js';
import { createMemoryFiles } from '../fakes/memory-files.js';

describe('files in memory', () => {
  filesContract(() => createMemoryFiles());
});
