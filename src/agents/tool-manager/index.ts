import type { Agent } from '../../toolkit/define-tool.js';
import type { Catalog, RelayCall } from '../relay.js';
import type { Services } from '../services.js';
import { createGetTools } from './get-tools.js';
import { createUseTools } from './use-tools.js';

/** The tools about tools. */
export function createToolManager(
  catalog: Catalog,
  relay: RelayCall,
  agents: readonly string[],
): Agent<Services> {
  return {
    name: 'toolManager',
    description: 'Run several tools at once, and see which there are',
    tools: [createGetTools(catalog), createUseTools(relay, agents)],
  };
}
