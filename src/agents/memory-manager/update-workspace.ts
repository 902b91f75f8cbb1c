import * as z from 'zod';
import { isNameTaken } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE, VAULT_SCOPE } from '../../model/memory.js';
import { nameKey } from '../../model/names.js';
import { workspaceChanges } from '../../model/workspace.js';
import { workspaceFailures } from '../../toolkit/context.js';
import { createGarden } from '../shared/example-calls.js';
import { filePaths, filledText, freeObject, knownName, newName, texts } from '../shared/inputs.js';
import { workspaceNamed } from '../shared/lookups.js';
import { readRootFolder, rootFolderFailures, shownFolder } from '../shared/root-folder.js';
import { defineTool } from '../services.js';

export const updateWorkspace = defineTool({
  name: 'updateWorkspace',
  title: 'Update workspace',
  access: 'write',
  action: { resource: 'workspace', name: 'update' },
  description:
    'Change fields of a workspace; each given field replaces the stored one. isArchived false restores.',
  input: z.strictObject({
    name: knownName,
    description: filledText.optional(),
    rootFolder: z.string().optional(),
    purpose: filledText.optional(),
    workflows: texts.optional(),
    keyFiles: filePaths.optional(),
    preferences: freeObject.optional(),
    isArchived: z.boolean().optional(),
    newName: newName.optional(),
  }),
  failures: {
    ...workspaceFailures,
    ...rootFolderFailures,
    taken: {
      error: 'Workspace "{name}" already exists.',
      advice: 'Choose another newName; use listWorkspaces to see existing workspaces.',
    },
    nothing: {
      error: 'There is nothing to update.',
      advice: 'Give at least one field beside name, such as description or keyFiles.',
    },
    builtIn: {
      error: 'The built-in workspace "Default" cannot be renamed or archived.',
      advice: 'Create a workspace of your own with createWorkspace.',
    },
  },
  examples: [
    {
      title: 'New goals, another folder, another name',
      before: [createGarden],
      params: {
        name: 'Garden',
        newName: 'Kitchen garden',
        description: 'Vegetables only',
        rootFolder: 'Kitchen garden',
        purpose: 'Harvest from May',
        workflows: ['Sow on new moon'],
        keyFiles: ['Plan.md'],
        preferences: { units: 'metric' },
      },
      answer: { success: true },
    },
    {
      title: 'Restore from the archive',
      before: [createGarden, { tool: 'archiveWorkspace', params: { name: 'Garden' } }],
      params: { name: 'Garden', isArchived: false },
      answer: { success: true },
    },
  ],
  async run({ name, newName: renamed, rootFolder, ...plain }, { services, key, fail }) {
    const { log } = services;
    if (renamed === undefined && rootFolder === undefined && Object.keys(plain).length === 0)
      fail('nothing');
    const folder =
      rootFolder === undefined ? undefined : await readRootFolder(rootFolder, services, fail);
    await log.write((memory) => {
      const { item, entity } = workspaceNamed(memory, name, fail);
      if (item.id === DEFAULT_WORKSPACE && (renamed !== undefined || plain.isArchived === true))
        fail('builtIn');
      const isOtherName = renamed !== undefined && nameKey(renamed) !== nameKey(item.name);
      if (isOtherName && isNameTaken(memory, VAULT_SCOPE, renamed))
        fail('taken', { name: renamed });
      const changes = workspaceChanges(entity, {
        ...plain,
        name: renamed,
        rootFolder: folder === undefined ? undefined : shownFolder(folder),
      });
      return {
        drafts: Object.keys(changes).length > 0 ? [{ t: 'set', e: item.id, d: changes }] : [],
        answer: undefined,
      };
    }, key);
  },
});
