import * as z from 'zod';
import type { JsonObject } from '../../model/event.js';
import { RECORD_STATUSES } from '../../model/records/record-kinds.js';
import { existingTitle } from '../shared/inputs.js';
import {
  RECORD_RESOURCES,
  recordFailures,
  requireLiveRecord,
} from '../shared/records/record-lookups.js';
import { supersededData, supersedingFailures } from '../shared/records/superseding.js';
import { defineTool } from '../services.js';
import { createCart, decideOnCookies, decideOnJwt, planJwt } from './shared/example-records.js';
import { readReminder, reminderFailures, reminderInput } from './shared/reminder.js';

export const updateRecord = defineTool({
  name: 'updateRecord',
  title: 'Update record',
  access: 'write',
  usesWorkspace: () => true,
  action: { resource: 'project', name: 'update' },
  description: 'Change status, supersede, or set a reminder; "" removes.',
  input: z.strictObject({
    resource: z.enum(RECORD_RESOURCES).optional(),
    title: existingTitle.describe('Title or id'),
    status: z.enum(RECORD_STATUSES).optional(),
    supersededBy: z.string().optional(),
    remindAt: reminderInput,
  }),
  failures: {
    ...recordFailures,
    ...reminderFailures,
    ...supersedingFailures,
    nothingToUpdate: {
      error: 'There is nothing to update.',
      advice: 'Pass status, supersededBy or remindAt.',
    },
  },
  examples: [
    {
      title: 'A task is done',
      before: [createCart],
      params: { title: 'Build the cart', status: 'done' },
    },
    {
      title: 'A decision is replaced',
      before: [decideOnCookies, decideOnJwt],
      params: { title: 'Use cookies', supersededBy: 'Use JWT' },
    },
    {
      title: 'A reminder for an issue that shares its title with a decision',
      before: [decideOnJwt, planJwt],
      params: { resource: 'issue', title: 'Use JWT', remindAt: '2027-01-15' },
    },
  ],
  async run({ resource, title, status, supersededBy, remindAt }, call) {
    const { services, workspace, key, fail } = call;
    if (status === undefined && supersededBy === undefined && remindAt === undefined)
      fail('nothingToUpdate');
    const due = remindAt === '' ? null : readReminder(remindAt, fail);
    await services.log.write((memory) => {
      const record = requireLiveRecord(memory, workspace.id, title, fail, resource);
      const changes: JsonObject = {
        ...(status !== undefined && { '/status': status }),
        ...(supersededBy !== undefined && supersededData(memory, record, supersededBy, fail)),
        ...(due !== undefined && { '/remindAt': due }),
      };
      return { drafts: [{ t: 'set', e: record.id, d: changes }], answer: undefined };
    }, key);
  },
});
