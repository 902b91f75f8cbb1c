import { ofWorkspace } from './shared/side.js';
import { storageReadTool } from './shared/read-tool.js';

export const workspaceStorageRead = storageReadTool(ofWorkspace);
