import { callTool } from '../toolkit/call-tool.js';
import type { Toolset } from '../toolkit/define-tool.js';
import { Sessions } from '../toolkit/sessions.js';
import { allTools, type ToolHost, type Toolkit } from '../toolkit/toolkit.js';
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
export const OPTIONAL_TOOLSETS: Readonly<Record<string, Toolset<Services>>> = {
  records: projectManager,
  storage: storageManager,
  index: indexManager,
  validation: validationManager,
  trace: traceManager,
  vcs: vcsManager,
};

export function createToolkit(host: ToolHost<Services>): Toolkit<Services> {
  const optional = Object.entries(OPTIONAL_TOOLSETS).map(([name, toolset]) => ({
    ...toolset,
    switchName: name,
  }));
  const inner: Toolkit<Services> = {
    toolsets: [memoryManager, searchManager, ...optional],
    host,
    sessions: new Sessions(),
  };
  const catalog = (enabled?: readonly string[]) =>
    allTools(inner, enabled).map(({ toolset, tool }) => ({ toolset: toolset.name, tool }));
  const relay: RelayCall = ({ context, ...call }) =>
    callTool(inner, { ...call, outerContext: context });
  const names = inner.toolsets.map(({ name }) => name);
  const toolManager = createToolManager(catalog, relay, names);
  return { ...inner, toolsets: [...inner.toolsets, toolManager] };
}
