import { SESSION_STORAGE } from './shared/storage-scope.js';
import { storageListTool } from './shared/list-tool.js';

export const sessionStorageList = storageListTool(SESSION_STORAGE);
