import { ofWorkspace } from './shared/side.js';
import { storageWriteTool } from './shared/write-tool.js';

export const workspaceStorageWrite = storageWriteTool(ofWorkspace);
