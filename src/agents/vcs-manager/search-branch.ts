import * as z from 'zod';
import { shortCommit } from '../../model/states/provenance.js';
import { shortId, stateRef } from '../../model/text/short-id.js';
import { saveOutline } from '../shared/example-calls.js';
import { nonEmptyText } from '../shared/inputs.js';
import { liveStates } from '../shared/lookups.js';
import { defineTool } from '../services.js';

const MAX_STATES = 100;

export const searchBranch = defineTool({
  name: 'searchBranch',
  isUnlisted: true,
  title: 'Search branch',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'vcs',
    name: 'search',
    aliases: [{ action: 'search_branch' }],
  },
  description: 'Find states saved on a branch.',
  input: z.strictObject({
    branch: nonEmptyText,
    limit: z.number().int().min(1).max(MAX_STATES).default(20),
  }),
  output: z.array(
    z.object({
      id: z.string().describe('For getMemory'),
      name: z.string(),
      branch: z.string(),
      commit: z.string().optional(),
      createdAt: z.string(),
    }),
  ),
  failures: {},
  examples: [
    {
      title: 'States saved outside of a repository have no branch',
      before: [saveOutline],
      params: { branch: 'main', limit: 5 },
      data: [],
    },
    {
      title: 'A branch has a name',
      params: { branch: '' },
      error: '"branch" is empty; describe it in a few words.',
    },
    {
      title: 'At least one state',
      params: { branch: 'main', limit: 0 },
      success: false,
    },
  ],
  async run({ branch, limit }, call) {
    const wanted = branch.trim().toLowerCase();
    const found: object[] = [];
    for await (const { item, displayName: name } of liveStates(call, call.workspace.id)) {
      const { id, git, createdAt } = item;
      if (git?.branch?.toLowerCase().includes(wanted) !== true) continue;
      if (found.length === limit) {
        call.addNotice(`There are more than ${limit} states; pass a longer part of the name.`);
        break;
      }
      found.push({
        name,
        id: shortId(stateRef(id)),
        branch: git.branch,
        ...(git.head !== undefined && { commit: shortCommit(git.head) }),
        createdAt,
      });
    }
    return found;
  },
});
