import { ofSession } from './shared/side.js';
import { storageReadTool } from './shared/read-tool.js';

export const sessionStorageRead = storageReadTool(ofSession);
