import * as z from 'zod';
import { isNameTaken } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE, VAULT_SCOPE } from '../../model/memory.js';
import { pathMoves } from '../../model/moves/path-moves.js';
import { nameKey } from '../../model/names.js';
import { workspaceChanges } from '../../model/workspace.js';
import { workspaceFailures } from '../../toolkit/context.js';
import { resolveActiveFiles } from '../shared/active-files.js';
import { createGarden } from '../shared/example-calls.js';
import {
  filePaths,
  nonEmptyText,
  jsonObject,
  existingName,
  newWorkspaceName,
  textList,
} from '../shared/inputs.js';
import { requireWorkspace } from '../shared/lookups.js';
import { resolveRootFolder, rootFolderFailures, displayFolder } from './shared/root-folder.js';
import { defineTool } from '../services.js';

export const updateWorkspace = defineTool({
  name: 'updateWorkspace',
  title: 'Update workspace',
  access: 'write',
  action: { resource: 'workspace', name: 'update' },
  description:
    'Update a workspace. Each field you pass replaces the stored value. Set isArchived to false to restore it.',
  input: z.strictObject({
    name: existingName,
    description: nonEmptyText.optional(),
    rootFolder: nonEmptyText.optional(),
    purpose: nonEmptyText.optional(),
    workflows: textList.optional(),
    keyFiles: filePaths.optional(),
    preferences: jsonObject.optional(),
    isArchived: z.boolean().optional(),
    newName: newWorkspaceName.optional(),
  }),
  failures: {
    ...workspaceFailures,
    ...rootFolderFailures,
    nameTaken: {
      error: 'Workspace "{name}" already exists.',
      advice: 'Choose another newName; use listWorkspaces to see existing workspaces.',
    },
    nothingToUpdate: {
      error: 'There is nothing to update.',
      advice: 'Pass at least one field besides name, such as description or keyFiles.',
    },
    builtIn: {
      error: 'The built-in workspace "Default" cannot be renamed or archived.',
      advice: 'Create another workspace with createWorkspace.',
    },
  },
  examples: [
    {
      title: 'New purpose, folder and name',
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
    },
    {
      title: 'Restore an archived workspace',
      before: [createGarden, { tool: 'archiveWorkspace', params: { name: 'Garden' } }],
      params: { name: 'Garden', isArchived: false },
    },
  ],
  async run(
    { name, newName: nameGiven, rootFolder, ...fields },
    { services, key, defaults, fail },
  ) {
    const { log } = services;
    if (nameGiven === undefined && rootFolder === undefined && Object.keys(fields).length === 0)
      fail('nothingToUpdate');
    const folder =
      rootFolder === undefined ? undefined : await resolveRootFolder(rootFolder, services, fail);
    const keyFiles =
      fields.keyFiles && (await resolveActiveFiles(services, defaults.project, fields.keyFiles));
    await log.write((memory) => {
      const { item, entity } = requireWorkspace(memory, name, fail);
      if (item.id === DEFAULT_WORKSPACE && (nameGiven !== undefined || fields.isArchived === true))
        fail('builtIn');
      const isRenamed = nameGiven !== undefined && nameKey(nameGiven) !== nameKey(item.name);
      if (isRenamed && isNameTaken(memory, VAULT_SCOPE, nameGiven))
        fail('nameTaken', { name: nameGiven });
      const changed = {
        ...fields,
        name: nameGiven,
        keyFiles,
        rootFolder: folder === undefined ? undefined : displayFolder(folder),
      };
      const changes = workspaceChanges(entity, changed, pathMoves(memory));
      return {
        drafts: Object.keys(changes).length > 0 ? [{ t: 'set', e: item.id, d: changes }] : [],
        answer: undefined,
      };
    }, key);
  },
});
