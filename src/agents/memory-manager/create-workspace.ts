import * as z from 'zod';
import { isNameTaken, lookupWorkspace } from '../../model/lookup.js';
import { effectOf, VAULT_SCOPE, type Memory } from '../../model/memory.js';
import { workspaceData } from '../../model/workspace.js';
import { createEntityId } from '../../platform/random.js';
import {
  filePaths,
  nonEmptyText,
  jsonObject,
  newWorkspaceName,
  textList,
} from '../shared/inputs.js';
import { resolveActiveFiles } from '../shared/active-files.js';
import { resolveRootFolder, rootFolderFailures, displayFolder } from './shared/root-folder.js';
import { defineTool } from '../services.js';

export const createWorkspace = defineTool({
  name: 'createWorkspace',
  title: 'Create workspace',
  access: 'write',
  entersWorkspace: true,
  action: { resource: 'workspace', name: 'create' },
  description: 'Create a workspace and switch this session to it.',
  input: z.strictObject({
    name: newWorkspaceName.describe('Unique in the vault'),
    description: nonEmptyText.describe('What it is for, in one line'),
    rootFolder: z.string().describe('Vault folder, created if missing; "/" for the whole vault'),
    purpose: nonEmptyText,
    workflows: textList.optional(),
    keyFiles: filePaths.optional().describe('Vault paths'),
    preferences: jsonObject.optional(),
  }),
  failures: {
    ...rootFolderFailures,
    nameArchived: {
      error: 'Workspace "{name}" already exists and is archived.',
      advice:
        'Use another name, or updateWorkspace with name "{name}" and isArchived false to restore it.',
    },
    nameTaken: {
      error: 'Workspace "{name}" already exists.',
      advice: 'Use listWorkspaces to see existing workspaces.',
    },
  },
  examples: [
    {
      title: 'Set up a project',
      params: {
        name: 'Project Alpha',
        description: 'E-commerce platform rebuild',
        rootFolder: 'projects/alpha',
        purpose: 'Rebuild legacy e-commerce platform',
      },
    },
    {
      title: 'With workflows, key files and preferences',
      params: {
        name: 'Thesis',
        description: 'Doctoral thesis',
        rootFolder: 'Thesis',
        purpose: 'Finish by spring',
        workflows: ['Read, then outline, then draft'],
        keyFiles: ['Thesis/Outline.md'],
        preferences: { tone: 'plain' },
      },
    },
  ],
  async run(params, { services, memory, key, defaults, enterWorkspace, fail }) {
    const { log, files, random } = services;
    const rootFolder = await resolveRootFolder(params.rootFolder, services, fail);
    const failIfTaken = (current: Memory) => {
      if (!isNameTaken(current, VAULT_SCOPE, params.name)) return;
      const found = lookupWorkspace(current, params.name);
      const isArchived = 'item' in found && found.item.item.isArchived;
      fail(isArchived ? 'nameArchived' : 'nameTaken', { name: params.name });
    };
    if (effectOf(memory, key) === undefined) failIfTaken(memory); // before the folder is created
    await files.createFolder(rootFolder);
    const keyFiles =
      params.keyFiles && (await resolveActiveFiles(services, defaults.project, params.keyFiles));
    const id = await log.write((latest) => {
      failIfTaken(latest);
      const draft = {
        t: 'ws.new',
        e: createEntityId(random),
        d: workspaceData({ ...params, keyFiles, rootFolder: displayFolder(rootFolder) }),
      };
      return { drafts: [draft], answer: draft.e };
    }, key);
    const workspaceId = id ?? effectOf(await log.memory(), key);
    if (workspaceId !== undefined) enterWorkspace(workspaceId);
  },
});
