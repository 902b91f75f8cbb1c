import * as z from 'zod';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { workspaceFailures } from '../../toolkit/context.js';
import { createGarden } from '../shared/example-calls.js';
import { existingName } from '../shared/inputs.js';
import { requireWorkspace } from '../shared/lookups.js';
import { defineTool } from '../services.js';

export const archiveWorkspace = defineTool({
  name: 'archiveWorkspace',
  title: 'Archive workspace',
  access: 'write',
  action: { resource: 'workspace', name: 'archive' },
  description: 'Archive a workspace: it disappears from lists but is not deleted.',
  input: z.strictObject({ name: existingName }),
  failures: {
    ...workspaceFailures,
    archived: {
      error: 'Workspace "{name}" is already archived.',
      advice: 'Use updateWorkspace with name "{name}" and isArchived false to restore it.',
    },
    builtIn: {
      error: 'The built-in workspace "Default" cannot be archived.',
      advice: 'Archive single states with archiveState instead.',
    },
  },
  examples: [
    {
      title: 'Archive a finished project',
      before: [createGarden],
      params: { name: 'Garden' },
    },
  ],
  async run({ name }, { services: { log }, key, fail }) {
    await log.write((memory) => {
      const { item } = requireWorkspace(memory, name, fail);
      if (item.id === DEFAULT_WORKSPACE) fail('builtIn');
      if (item.isArchived) fail('archived', { name });
      return { drafts: [{ t: 'set', e: item.id, d: { '/isArchived': true } }], answer: undefined };
    }, key);
  },
});
