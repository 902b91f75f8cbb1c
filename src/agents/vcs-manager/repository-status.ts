import * as z from 'zod';
import { shortCommit } from '../../model/states/provenance.js';
import { Refusal } from '../../model/refusal.js';
import type { GitRepository } from '../../platform/device-access.js';
import { createGarden } from '../shared/example-calls.js';
import { defineTool } from '../services.js';
import { openFolder, rootFolderOf } from './shared/repositories.js';

export const repositoryStatus = defineTool({
  name: 'repositoryStatus',
  title: 'Repository status',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'vcs',
    name: 'status',
    aliases: [{ action: 'list_repositories' }],
  },
  description: 'Show the git repositories here.',
  input: z.strictObject({}),
  output: z.array(
    z.object({
      of: z.enum(['workspace', 'project']),
      branch: z.string().optional(),
      head: z.string().optional(),
      unstaged: z
        .number()
        .optional()
        .describe('Tracked files that were changed or deleted and not staged since'),
      problem: z.string().optional(),
    }),
  ),
  failures: {},
  examples: [
    {
      title: 'A device without git',
      before: [createGarden],
      params: {},
      error:
        'This device cannot read git repositories. Use Obsidian on a computer, or the command line.',
    },
  ],
  async run(_, { services, workspace, defaults: { project } }) {
    const places = [
      { of: 'workspace', folder: { vault: rootFolderOf(workspace) } },
      ...(project?.folder === undefined
        ? []
        : [{ of: 'project', folder: { project: project.folder } }]),
    ] as const;
    const roots = new Set<string>();
    const rows: object[] = [];
    const problems: Refusal[] = [];
    for (const { of, folder } of places) {
      try {
        const repository = await openFolder(services, folder);
        if (roots.has(repository.root)) continue;
        roots.add(repository.root);
        rows.push({ of, ...(await factsOf(repository)) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        problems.push(error);
        rows.push({ of, problem: error.message });
      }
    }
    const [problem] = problems;
    if (problem && problems.length === rows.length) throw problem;
    return rows;
  },
});

async function factsOf(repository: GitRepository) {
  const { head, branch } = repository.head;
  return {
    ...(branch !== undefined && { branch }),
    ...(head !== undefined && { head: shortCommit(head) }),
    unstaged: await repository.countUnstaged(),
  };
}
