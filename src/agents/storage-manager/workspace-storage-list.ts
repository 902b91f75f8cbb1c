import { ofWorkspace } from '../stored-files.js';
import { storageListTool } from '../stored-list.js';

export const workspaceStorageList = storageListTool(ofWorkspace);
