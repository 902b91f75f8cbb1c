import { ofWorkspace } from './shared/side.js';
import { storageListTool } from './shared/list-tool.js';

export const workspaceStorageList = storageListTool(ofWorkspace);
