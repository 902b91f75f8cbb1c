import { ofSession } from '../stored-files.js';
import { storageReadTool } from '../stored-read.js';

export const sessionStorageRead = storageReadTool(ofSession);
