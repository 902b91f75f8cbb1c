import * as z from 'zod';
import { saveOutline } from '../shared/example-calls.js';
import { existingName } from '../shared/inputs.js';
import { stateFailures, requireState } from '../shared/lookups.js';
import { defineTool } from '../services.js';

export const archiveState = defineTool({
  name: 'archiveState',
  title: 'Archive state',
  access: 'write',
  usesWorkspace: () => true,
  action: { resource: 'state', name: 'archive' },
  description:
    'Archive a state: it disappears from lists but is not deleted. Only the user can restore it.',
  input: z.strictObject({ name: existingName }),
  failures: {
    ...stateFailures,
    archived: {
      error: 'State "{name}" is already archived.',
      advice: 'It can still be loaded. Only the user can restore it, in Savepoint.',
    },
  },
  examples: [
    {
      title: 'Archive a finished save point',
      before: [saveOutline],
      params: { name: 'Outline' },
    },
  ],
  async run({ name }, { services: { log }, workspace, key, fail }) {
    await log.write((memory) => {
      const { item } = requireState(memory, workspace.id, name, fail);
      if (item.isArchived) fail('archived', { name });
      return { drafts: [{ t: 'set', e: item.id, d: { '/isArchived': true } }], answer: undefined };
    }, key);
  },
});
