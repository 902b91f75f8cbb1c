import { ofSession } from './shared/side.js';
import { storageListTool } from './shared/list-tool.js';

export const sessionStorageList = storageListTool(ofSession);
