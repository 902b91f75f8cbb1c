/**
 * Ways to present the tools to an MCP client: each by its own name, only `getTools` and `useTools`,
 * or one tool per resource with an `action` parameter.
 */
export const SURFACES = ['full', 'compact', 'actions'] as const;

export type Surface = (typeof SURFACES)[number];

export const DEFAULT_SURFACE: Surface = 'full';

export function parseSurface(name: string | undefined): Surface | undefined {
  return SURFACES.find((surface) => surface === name);
}

/** Listing each tool with its own schema costs the model tokens for every one. */
export function listsEachTool(surface: Surface): boolean {
  return surface === 'full';
}
