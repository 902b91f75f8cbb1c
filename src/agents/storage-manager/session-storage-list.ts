import { ofSession } from '../stored-files.js';
import { storageListTool } from '../stored-list.js';

export const sessionStorageList = storageListTool(ofSession);
