import * as z from 'zod';
import { saveOutline } from '../shared/example-calls.js';
import { knownName } from '../shared/inputs.js';
import { stateFailures, stateNamed } from '../shared/lookups.js';
import { defineTool } from '../services.js';

export const archiveState = defineTool({
  name: 'archiveState',
  title: 'Archive state',
  access: 'write',
  action: { resource: 'state', name: 'archive' },
  description: 'Hide a state from lists. Nothing is deleted; a person can restore it.',
  input: z.strictObject({ name: knownName }),
  failures: {
    ...stateFailures,
    archived: {
      error: 'State "{name}" is already archived.',
      advice: 'It can still be loaded; a person restores it in Savepoint.',
    },
  },
  examples: [
    {
      title: 'Put a finished save point away',
      before: [saveOutline],
      params: { name: 'Outline' },
      answer: { success: true },
    },
  ],
  async run({ name }, { services: { log }, workspace, key, fail }) {
    await log.write((memory) => {
      const { item } = stateNamed(memory, workspace.id, name, fail);
      if (item.isArchived) fail('archived', { name });
      return { drafts: [{ t: 'set', e: item.id, d: { '/isArchived': true } }], answer: undefined };
    }, key);
  },
});
