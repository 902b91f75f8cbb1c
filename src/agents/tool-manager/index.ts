import type { Toolset } from '../../toolkit/define-tool.js';
import type { Catalog, RelayCall } from '../relay.js';
import type { Services } from '../services.js';
import { createGetTools } from './get-tools.js';
import { createUseTools } from './use-tools.js';

export function createToolManager(
  catalog: Catalog,
  relay: RelayCall,
  toolsets: readonly string[],
): Toolset<Services> {
  return {
    name: 'toolManager',
    description: 'Run several tools, and list the available ones',
    tools: [createGetTools(catalog), createUseTools(relay, toolsets)],
  };
}
