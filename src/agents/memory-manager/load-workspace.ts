import * as z from 'zod';
import { stateHeads } from '../../model/lookup.js';
import { workspaceFailures } from '../../toolkit/context.js';
import { createGarden, saveOutline } from '../shared/example-calls.js';
import { missingPaths } from '../shared/file-changes.js';
import { existingName } from '../shared/inputs.js';
import { requireWorkspace } from '../shared/lookups.js';
import { readSaver } from '../shared/provenance.js';
import { isNotable, type Trace } from '../../model/trace.js';
import { defineTool } from '../services.js';
import { stateRow, toStateRow } from './shared/state-row.js';

const RECENT_ACTIVITY_LIMIT = 10;
const RECENT_STATES_LIMIT = 20;
const MAX_TRACES_READ = 100;

export const loadWorkspace = defineTool({
  name: 'loadWorkspace',
  title: 'Load workspace',
  access: 'read',
  entersWorkspace: true,
  action: { resource: 'workspace', name: 'load' },
  description: 'Load a workspace (its states and recent activity) and switch this session to it.',
  input: z.strictObject({ name: existingName }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    rootFolder: z.string(),
    purpose: z.string(),
    workflows: z.array(z.string()),
    keyFiles: z.array(z.string()),
    missingFiles: z.array(z.string()).optional(),
    preferences: z.record(z.string(), z.json()),
    isArchived: z.boolean(),
    states: z.array(stateRow),
    totalStates: z.number().describe('States are the newest 20; listStates lists all'),
    recentActivity: z.array(
      z.object({
        createdAt: z.string(),
        sessionId: z.string(),
        tool: z.string(),
        goal: z.string().optional(),
      }),
    ),
  }),
  failures: workspaceFailures,
  examples: [
    {
      title: 'Switch to a project',
      before: [createGarden, saveOutline],
      params: { name: 'garden' },
      data: {
        name: 'Garden',
        rootFolder: 'Garden',
        keyFiles: ['Garden/Beds.md'],
        missingFiles: ['Garden/Beds.md'],
        states: [{ name: 'Outline', description: 'Chapters fixed' }],
        totalStates: 1,
      },
    },
  ],
  async run(params, call) {
    const { services, memory, enterWorkspace, fail } = call;
    const { log } = services;
    const { item, displayName } = requireWorkspace(memory, params.name, fail);
    const { id, description, rootFolder, purpose, workflows, keyFiles, preferences, isArchived } =
      item;
    const heads = stateHeads(memory, id).filter((head) => !head.isArchived);
    const states = heads.slice(0, RECENT_STATES_LIMIT).flatMap((head) => head.read() ?? []);
    // Its states are listed already.
    const recent = (await log.recentTraces(id, MAX_TRACES_READ))
      .filter((trace) => trace.tool !== 'createState' && isChange(trace))
      .slice(0, RECENT_ACTIVITY_LIMIT);
    const reader = readSaver(call);
    const missingFiles = await missingPaths(services, call.defaults.project, keyFiles);
    enterWorkspace(id);
    return {
      id,
      name: displayName,
      description,
      rootFolder,
      purpose,
      workflows,
      keyFiles,
      ...(missingFiles.length > 0 && { missingFiles }),
      preferences,
      isArchived,
      states: states.map((state) => toStateRow(memory, state, reader)),
      totalStates: heads.length,
      recentActivity: recent.map(({ createdAt, sessionId, tool, goal }) => ({
        createdAt,
        sessionId,
        tool,
        ...(goal && { goal }),
      })),
    };
  },
});

/** Returns true for what an agent logged, wrote or changed; look-ups help nobody later. */
function isChange(trace: Trace): boolean {
  return isNotable(trace) || (trace.isSuccess && /^(?:create|update|archive)/.test(trace.tool));
}
