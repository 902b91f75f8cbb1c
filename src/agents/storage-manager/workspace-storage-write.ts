import { WORKSPACE_STORAGE } from './shared/storage-scope.js';
import { storageWriteTool } from './shared/write-tool.js';

export const workspaceStorageWrite = storageWriteTool(WORKSPACE_STORAGE);
