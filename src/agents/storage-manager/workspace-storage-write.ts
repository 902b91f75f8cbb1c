import { ofWorkspace } from '../stored-files.js';
import { storageWriteTool } from '../stored-write.js';

export const workspaceStorageWrite = storageWriteTool(ofWorkspace);
