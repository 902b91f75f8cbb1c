import { createToolkit } from '../../agents/index.js';
import type { Services } from '../../agents/services.js';
import { listTools } from '../../bridge/mcp-tools.js';
import { inputSchemaWithWorkspace, outputSchema } from '../../toolkit/schema.js';
import { allTools, type Toolkit } from '../../toolkit/toolkit.js';
import type { ArgumentsOf } from '../command-options.js';
import { createReport, print } from '../output.js';
import type { ProgramHost } from '../program.js';
import { defaultToolsets, parseToolsets } from '../toolsets.js';

export async function runTools(
  { surface, toolsets, json }: ArgumentsOf<'tools'>,
  program: ProgramHost,
): Promise<number> {
  const enabled = await parseToolsets(toolsets);
  const toolkit = createDetachedToolkit(program);
  const tools = surface
    ? listTools(toolkit, surface, enabled ?? defaultToolsets(surface, []))
    : describeTools(toolkit, enabled);
  if (json) {
    print(program, `${JSON.stringify(tools, null, 2)}\n`);
    return 0;
  }
  const width = Math.max(...tools.map(({ name }) => name.length)) + 2;
  const rows = tools.map((tool) => {
    const access = 'access' in tool ? tool.access.padEnd(7) : '';
    return `${tool.name.padEnd(width)}${access}${tool.description}\n`;
  });
  print(program, rows.join(''));
  return 0;
}

/** Returns the tools as data, for docs and scripts. */
function describeTools(toolkit: Toolkit<Services>, enabled: readonly string[] | undefined) {
  return allTools(toolkit, enabled).map(({ toolset, tool }) => {
    const { name, title, access, action, isUnlisted, failures, examples } = tool;
    return {
      toolset: toolset.name,
      name,
      title,
      access,
      action,
      isUnlisted,
      description: tool.description,
      input: inputSchemaWithWorkspace(tool),
      output: outputSchema(tool),
      failures: Object.values(failures).map(({ error, advice }) => ({ error, advice })),
      examples,
    };
  });
}

/** Creates a toolkit without a vault, whose tools can be described but not called. */
function createDetachedToolkit(program: ProgramHost): Toolkit<Services> {
  const noVault = () => Promise.reject(new Error('No vault is open'));
  return createToolkit({
    services: {} as Services,
    memory: noVault,
    refuse: noVault,
    writeTrace: noVault,
    report: createReport(program),
  });
}
