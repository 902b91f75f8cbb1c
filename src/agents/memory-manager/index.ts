import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { archiveState } from './archive-state.js';
import { archiveWorkspace } from './archive-workspace.js';
import { brief } from './brief.js';
import { createState } from './create-state.js';
import { createWorkspace } from './create-workspace.js';
import { getMemory } from './get-memory.js';
import { listStates } from './list-states.js';
import { listWorkspaces } from './list-workspaces.js';
import { loadState } from './load-state.js';
import { loadWorkspace } from './load-workspace.js';
import { replaceDecisions } from './replace-decisions.js';
import { updateWorkspace } from './update-workspace.js';

export const memoryManager: Toolset<Services> = {
  name: 'memoryManager',
  description: 'Workspaces and the states saved in them',
  tools: [
    createWorkspace,
    listWorkspaces,
    loadWorkspace,
    updateWorkspace,
    archiveWorkspace,
    createState,
    listStates,
    loadState,
    archiveState,
    replaceDecisions,
    getMemory,
    brief,
  ],
};
