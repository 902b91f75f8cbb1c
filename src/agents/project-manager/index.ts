import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { archiveRecord } from './archive-record.js';
import { createRecord } from './create-record.js';
import { listRecords } from './list-records.js';
import { updateRecord } from './update-record.js';

export const projectManager: Toolset<Services> = {
  name: 'projectManager',
  description: 'Decisions, questions, tasks and phases of a workspace',
  tools: [createRecord, listRecords, updateRecord, archiveRecord],
};
