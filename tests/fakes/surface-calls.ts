import type { Surface } from '../../src/toolkit/surfaces.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { createTestVault } from './test-vault.js';

const tools = allTools(createTestVault().toolkit);

type Fields = Record<string, unknown>;

const SPOKEN: Record<
  Surface,
  (tool: string, params: Fields) => { name: string; arguments: Fields }
> = {
  full: (name, params) => ({ name, arguments: params }),
  compact(tool, params) {
    const agent = tools.find((other) => other.tool.name === tool)?.toolset.name ?? 'memoryManager';
    return { name: 'useTools', arguments: { calls: [{ agent, tool, params }] } };
  },
  actions(name, params) {
    const { action } = tools.find(({ tool }) => tool.name === name)?.tool ?? {};
    return action
      ? { name: action.resource, arguments: { action: action.name, ...action.when, ...params } }
      : { name, arguments: params };
  },
};

/** Returns the MCP call that invokes a tool through the given surface. */
export function callOn(
  surface: Surface,
  tool: string,
  params: Fields = {},
): { name: string; arguments: Fields } {
  return SPOKEN[surface](tool, params);
}
