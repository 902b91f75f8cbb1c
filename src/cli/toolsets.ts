import { listsEachTool, type Surface } from '../toolkit/surfaces.js';
import { UsageError } from './usage-error.js';

/**
 * Parses `--toolsets`: names separated by commas, `all` or `none`; undefined if absent. Throws a
 * `UsageError` for an unknown name. Loads the tools only if there is a value.
 */
export async function parseToolsets(list: string | undefined): Promise<string[] | undefined> {
  if (list === undefined) return undefined;
  const { OPTIONAL_TOOLSETS } = await import('../agents/index.js');
  const known = Object.keys(OPTIONAL_TOOLSETS);
  if (list === 'all') return known;
  const names = list === 'none' ? [] : list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown toolset "${unknown}". Valid: ${known.join(', ')}, all, none.`);
  return names;
}

/** Returns undefined for all toolsets. The settings decide where each listed tool costs tokens. */
export function defaultToolsets(
  surface: Surface,
  enabled: readonly string[],
): readonly string[] | undefined {
  return listsEachTool(surface) ? enabled : undefined;
}
