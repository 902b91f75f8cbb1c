import { ofSession } from './shared/side.js';
import { storageWriteTool } from './shared/write-tool.js';

export const sessionStorageWrite = storageWriteTool(ofSession);
