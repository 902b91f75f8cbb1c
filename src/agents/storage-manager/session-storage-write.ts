import { ofSession } from '../stored-files.js';
import { storageWriteTool } from '../stored-write.js';

export const sessionStorageWrite = storageWriteTool(ofSession);
