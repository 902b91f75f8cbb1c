import { SESSION_STORAGE } from './shared/storage-scope.js';
import { storageWriteTool } from './shared/write-tool.js';

export const sessionStorageWrite = storageWriteTool(SESSION_STORAGE);
