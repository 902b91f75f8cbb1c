import { SESSION_STORAGE } from './shared/storage-scope.js';
import { storageReadTool } from './shared/read-tool.js';

export const sessionStorageRead = storageReadTool(SESSION_STORAGE);
