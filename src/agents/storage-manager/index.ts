import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { sessionStorageList } from './session-storage-list.js';
import { sessionStorageRead } from './session-storage-read.js';
import { sessionStorageWrite } from './session-storage-write.js';
import { workspaceStorageList } from './workspace-storage-list.js';
import { workspaceStorageRead } from './workspace-storage-read.js';
import { workspaceStorageWrite } from './workspace-storage-write.js';

export const storageManager: Toolset<Services> = {
  name: 'storageManager',
  description: 'Text files stored for workspaces and sessions',
  tools: [
    workspaceStorageRead,
    workspaceStorageWrite,
    workspaceStorageList,
    sessionStorageRead,
    sessionStorageWrite,
    sessionStorageList,
  ],
};
