import { createToolset } from '../../agents/index.js';
import type { Services } from '../../agents/services.js';
import { listTools } from '../../bridge/mcp-tools.js';
import { fullDescription } from '../../toolkit/define-tool.js';
import { inputSchemaWithWorkspace, outputSchema } from '../../toolkit/schema.js';
import type { Surface } from '../../toolkit/surfaces.js';
import { allTools, type Toolset } from '../../toolkit/toolset.js';
import { createReport, print } from '../output.js';
import type { ProgramHost } from '../program.js';
import { defaultToolsets, parseToolsets } from '../toolsets.js';

interface ToolsArguments {
  readonly surface: Surface | undefined;
  readonly toolsets: string | undefined;
  readonly json: boolean;
}

export async function runTools(
  { surface, toolsets, json }: ToolsArguments,
  program: ProgramHost,
): Promise<number> {
  const enabled = await parseToolsets(toolsets);
  const toolset = createDetachedToolset(program);
  const tools = surface
    ? listTools(toolset, surface, enabled ?? defaultToolsets(surface, []))
    : describeTools(toolset, enabled);
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
function describeTools(toolset: Toolset<Services>, enabled: readonly string[] | undefined) {
  return allTools(toolset, enabled).map(({ agent, tool }) => {
    const { name, title, access, action, isUnlisted, failures, examples } = tool;
    return {
      agent: agent.name,
      name,
      title,
      access,
      action,
      isUnlisted,
      description: fullDescription(tool),
      input: inputSchemaWithWorkspace(tool),
      output: outputSchema(tool),
      failures: Object.values(failures).map(({ error, advice }) => ({ error, advice })),
      examples,
    };
  });
}

/** Creates a toolset without a vault, whose tools can be described but not called. */
function createDetachedToolset(program: ProgramHost): Toolset<Services> {
  const noVault = () => Promise.reject(new Error('No vault is open'));
  return createToolset({
    services: {} as Services,
    memory: noVault,
    refuse: noVault,
    writeTrace: noVault,
    report: createReport(program),
  });
}
