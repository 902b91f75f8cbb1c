import { createEntityId } from '../../platform/random.js';
import { callTool } from '../../toolkit/call-tool.js';
import type { ArgumentsOf } from '../command-options.js';
import { printAnswer } from '../output.js';
import type { ProgramHost } from '../program.js';
import { HERE, openProjects } from '../projects.js';
import { requireKnownVault } from '../vault-folder.js';
import { singleCommand, withVault } from '../vault.js';

export async function runBrief(args: ArgumentsOf<'brief'>, program: ProgramHost): Promise<number> {
  const { state, workspace, budget, json } = args;
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const project = await (await openProjects(program, { vault, state })).find(HERE);
  const options = singleCommand(program, { vault, state });
  const answer = await withVault(program, options, ({ toolkit, services }) =>
    callTool(toolkit, {
      tool: 'brief',
      params: {
        ...(args.for !== undefined && { for: args.for }),
        ...(budget !== undefined && { budget }),
      },
      defaults: { sessionId: createEntityId(services.random), workspaceId: workspace, project },
    }),
  );
  return printAnswer(program, answer, { json, textOf: (brief: string) => `${brief}\n` });
}
