import { callTool } from '../toolkit/call-tool.js';
import type { Agent } from '../toolkit/define-tool.js';
import { Sessions } from '../toolkit/sessions.js';
import { allTools, type ToolHost, type Toolset } from '../toolkit/toolset.js';
import { indexManager } from './index-manager/index.js';
import { memoryManager } from './memory-manager/index.js';
import { projectManager } from './project-manager/index.js';
import { searchManager } from './search-manager/index.js';
import type { RelayCall } from './relay.js';
import type { Services } from './services.js';
import { storageManager } from './storage-manager/index.js';
import { createToolManager } from './tool-manager/index.js';
import { traceManager } from './trace-manager/index.js';
import { validationManager } from './validation-manager/index.js';
import { vcsManager } from './vcs-manager/index.js';

/** The toolsets that can be switched off, by switch name. */
export const OPTIONAL_AGENTS: Readonly<Record<string, Agent<Services>>> = {
  records: projectManager,
  storage: storageManager,
  index: indexManager,
  validation: validationManager,
  trace: traceManager,
  vcs: vcsManager,
};

/** Creates the toolset with all tools for a host. */
export function createToolset(host: ToolHost<Services>): Toolset<Services> {
  const optional = Object.entries(OPTIONAL_AGENTS).map(([name, agent]) => ({
    ...agent,
    switchName: name,
  }));
  const inner: Toolset<Services> = {
    agents: [memoryManager, searchManager, ...optional],
    host,
    sessions: new Sessions(),
  };
  const catalog = (enabled?: readonly string[]) =>
    allTools(inner, enabled).map(({ agent, tool }) => ({ agent: agent.name, tool }));
  const relay: RelayCall = ({ context, ...call }) =>
    callTool(inner, { ...call, outerContext: context });
  const names = inner.agents.map(({ name }) => name);
  const toolManager = createToolManager(catalog, relay, names);
  return { ...inner, agents: [...inner.agents, toolManager] };
}
