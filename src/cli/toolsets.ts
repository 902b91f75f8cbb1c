import { listsEachTool, type Surface } from '../toolkit/surfaces.js';
import { UsageError } from './usage-error.js';

/**
 * Parses the value of `--toolsets`: names separated by commas, or `all`, or `none`. Returns
 * undefined if the option is absent. Throws a `UsageError` if a name is unknown. The tools are
 * loaded only if there is a value.
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

/**
 * Returns the toolsets for a client that is started without `--toolsets`; undefined means all of
 * them. A surface that lists each tool costs tokens, so there the settings decide.
 */
export function defaultToolsets(
  surface: Surface,
  enabled: readonly string[],
): readonly string[] | undefined {
  return listsEachTool(surface) ? enabled : undefined;
}
