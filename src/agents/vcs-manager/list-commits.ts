import * as z from 'zod';
import { shortCommit } from '../../model/states/provenance.js';
import { clip } from '../../model/refusal.js';
import { joinPath } from '../../model/paths.js';
import { saveOutline } from '../shared/example-calls.js';
import { existingName } from '../shared/inputs.js';
import { requireState, stateFailures } from '../shared/lookups.js';
import { createPathFilter } from '../shared/readable-notes.js';
import { defineTool } from '../services.js';
import { openWorkspaceRepository } from './shared/repositories.js';

const MAX_COMMITS = 100;
const MAX_SUBJECT_LENGTH = 200;

export const listCommits = defineTool({
  name: 'listCommits',
  isUnlisted: true,
  title: 'List commits',
  access: 'read',
  usesWorkspace: () => true,
  action: { resource: 'vcs', name: 'log' },
  description: 'List commits since a state.',
  input: z.strictObject({
    state: existingName,
    limit: z.number().int().min(1).max(MAX_COMMITS).default(20),
  }),
  output: z.array(
    z.object({
      commit: z.string(),
      subject: z.string(),
      author: z.string(),
      authoredAt: z.string(),
    }),
  ),
  failures: {
    ...stateFailures,
    noCommit: {
      error: 'State "{name}" was saved outside of a git repository.',
      advice: 'Choose another state; searchBranch lists states with a branch.',
    },
  },
  examples: [
    {
      title: 'A state without a commit',
      before: [saveOutline],
      params: { state: 'outline', limit: 5 },
      error:
        'State "Outline" was saved outside of a git repository. Choose another state; searchBranch lists states with a branch.',
    },
    {
      title: 'At least one commit',
      params: { state: 'outline', limit: 0 },
      success: false,
    },
  ],
  async run({ state: name, limit }, { services, memory, workspace, fail, addNotice }) {
    const { item, displayName } = requireState(memory, workspace.id, name, fail);
    const from = item.git?.head;
    if (from === undefined) return fail('noCommit', { name: displayName });
    const { repository, folder } = await openWorkspaceRepository(services, workspace);
    const isWanted = await createPathFilter(services);
    const commits = await repository.commitsSince(from, limit + 1, (path) =>
      isWanted(joinPath(folder, path)),
    );
    if (commits.length > limit) addNotice(`There are more than ${limit} commits.`);
    return commits.slice(0, limit).map(({ id, subject, author, authoredAt }) => ({
      commit: shortCommit(id),
      subject: clip(subject, MAX_SUBJECT_LENGTH),
      author: clip(author),
      authoredAt,
    }));
  },
});
