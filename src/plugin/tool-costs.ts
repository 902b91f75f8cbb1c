import { estimateToolTokens } from '../model/text/estimate-tokens.js';
import { listTools } from '../bridge/mcp-tools.js';
import { listsEachTool } from '../toolkit/surfaces.js';
import type { SettingsHost } from '../obsidian/settings/host.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import { toolsetsOn } from '../obsidian/settings-schema.js';
import type { Store } from '../obsidian/store.js';
import { DEFAULT_SURFACE, type Surface } from '../toolkit/surfaces.js';

/** Estimates the tokens of the tools shown to an app; undefined while no memory is open. */
export function createToolCosts(
  savepoint: Store<Savepoint | undefined>,
): SettingsHost['toolTokens'] {
  return ({ surface = DEFAULT_SURFACE, toolsets }) => {
    const opened = savepoint.get();
    if (!opened) return undefined;
    const enabled = enabledToolsets(surface, toolsets, toolsetsOn(opened.settings));
    const tools = listTools(opened.toolkit, surface, enabled);
    return estimateToolTokens(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
  };
}

/** Returns the toolsets allowed by this value of `--toolsets`; undefined for all. */
function enabledToolsets(
  surface: Surface,
  wished: string,
  always: readonly string[],
): readonly string[] | undefined {
  if (wished === '') return listsEachTool(surface) ? always : undefined;
  if (wished === 'all') return undefined;
  return wished === 'none' ? [] : wished.split(',').map((name) => name.trim());
}
