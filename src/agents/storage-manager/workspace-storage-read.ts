import { WORKSPACE_STORAGE } from './shared/storage-scope.js';
import { storageReadTool } from './shared/read-tool.js';

export const workspaceStorageRead = storageReadTool(WORKSPACE_STORAGE);
