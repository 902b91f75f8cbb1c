import * as z from 'zod';
import { allWorkspaces } from '../../model/lookup.js';
import type { VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import { shortId, stateRef } from '../../model/text/short-id.js';
import { pathKey } from '../../search/index.js';
import type { ToolCall } from '../../toolkit/define-tool.js';
import { createGarden } from '../shared/example-calls.js';
import { nonEmptyText } from '../shared/inputs.js';
import { liveStates } from '../shared/lookups.js';
import { pathFailures, resolveReadablePath } from '../shared/readable-notes.js';
import { defineTool, type Services } from '../services.js';
import { readNoteGraph } from './shared/note-graph.js';

const MAX_ROWS = 100;

export const analyzeImpact = defineTool({
  name: 'analyzeImpact',
  title: 'Analyze impact',
  access: 'read',
  action: {
    resource: 'vcs',
    name: 'impact',
    aliases: [{ action: 'analyze_impact' }],
  },
  description: 'Find what depends on a file.',
  input: z.strictObject({ path: nonEmptyText }),
  output: z.object({
    linkedFrom: z.array(z.object({ path: z.string(), line: z.number() })).optional(),
    indirectly: z.array(z.string()).optional().describe('Notes that link to one of those notes'),
    states: z
      .array(z.object({ id: z.string(), name: z.string(), workspace: z.string() }))
      .optional()
      .describe('States whose active files contain it, newest first'),
    keyFileOf: z.array(z.string()).optional().describe('Workspaces'),
  }),
  failures: {
    ...pathFailures,
    notFound: {
      error: 'Nothing in the vault has or names the path "{path}".',
      advice: 'Use searchDirectory with query "{path}" to find the file.',
    },
  },
  examples: [
    {
      title: 'Before a note is renamed',
      notes: {
        'Garden/Beds.md': 'Three beds.',
        'Garden/Plan.md': 'First [[Beds]].',
        'Year.md': 'See [[Garden/Plan]].',
      },
      before: [createGarden],
      params: { path: 'Garden/Beds.md' },
      data: {
        linkedFrom: [{ path: 'Garden/Plan.md', line: 1 }],
        indirectly: ['Year.md'],
        keyFileOf: ['Garden'],
      },
    },
  ],
  async run({ path: typed }, call) {
    const { services, memory, signal, fail, addNotice } = call;
    const path = await resolveReadablePath(services, typed, fail);
    const graph = await readNoteGraph(services, signal);
    const direct = graph.backlinks(path);
    const directPaths = new Set([path, ...direct.map((link) => link.path)]);
    const indirect = new Set(
      direct.flatMap((link) => graph.backlinks(link.path).map((other) => other.path)),
    );
    const indirectly = [...indirect].filter((other) => !directPaths.has(other));
    const key = pathKey(path);
    const isKeyFile = (files: readonly string[]) => files.some((file) => pathKey(file) === key);
    const keyFileOf = allWorkspaces(memory)
      .filter(({ item }) => !item.isArchived && isKeyFile(item.keyFiles))
      .map(({ displayName }) => displayName);
    const states = await findStates(call, key);
    const found = [direct, indirectly, states, keyFileOf];
    if (found.every((rows) => rows.length === 0) && !graph.hasFile(path))
      return fail('notFound', { path: clip(path) });
    if (found.some((rows) => rows.length > MAX_ROWS))
      addNotice(
        `There are ${direct.length} direct and ${indirectly.length} indirect links, ${states.length} states; the first ${MAX_ROWS} of each are listed.`,
      );
    return {
      ...(direct.length > 0 && { linkedFrom: direct.slice(0, MAX_ROWS) }),
      ...(indirectly.length > 0 && { indirectly: indirectly.slice(0, MAX_ROWS) }),
      ...(states.length > 0 && { states: states.slice(0, MAX_ROWS) }),
      ...(keyFileOf.length > 0 && { keyFileOf: keyFileOf.slice(0, MAX_ROWS) }),
    };
  },
});

/** Returns the states with this file, newest first per workspace. `key` is its `pathKey`. */
async function findStates(call: Pick<ToolCall<Services>, 'services' | 'memory'>, key: VaultPath) {
  const found: { id: string; name: string; workspace: string }[] = [];
  for (const { item, displayName: workspace } of allWorkspaces(call.memory))
    for await (const { item: state, displayName: name } of liveStates(call, item.id))
      if (state.activeFiles.some((file) => pathKey(file) === key))
        found.push({ id: shortId(stateRef(state.id)), name, workspace });
  return found;
}
