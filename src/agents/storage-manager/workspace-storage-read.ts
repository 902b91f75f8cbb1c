import { ofWorkspace } from '../stored-files.js';
import { storageReadTool } from '../stored-read.js';

export const workspaceStorageRead = storageReadTool(ofWorkspace);
