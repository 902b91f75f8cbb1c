import { WORKSPACE_STORAGE } from './shared/storage-scope.js';
import { storageListTool } from './shared/list-tool.js';

export const workspaceStorageList = storageListTool(WORKSPACE_STORAGE);
