import { callTool } from '../toolkit/call-tool.js';
import { allTools, type ToolHost, type Toolset } from '../toolkit/toolset.js';
import { memoryManager } from './memory-manager/index.js';
import { searchManager } from './search-manager/index.js';
import type { Services } from './services.js';
import { createToolManager } from './tool-manager/index.js';

/** Every tool, over one host. */
export function createToolset(host: ToolHost<Services>): Toolset<Services> {
  const inner: Toolset<Services> = { agents: [memoryManager, searchManager], host, sessions: new Map() };
  const catalog = allTools(inner).map(({ agent, tool }) => ({ agent: agent.name, tool }));
  const toolManager = createToolManager(catalog, ({ agent, tool, params, context, sessionId, client, key }) =>
    callTool(inner, { agent, tool, params, outerContext: context, defaults: { sessionId, client }, key }),
  );
  return { ...inner, agents: [...inner.agents, toolManager] };
}
