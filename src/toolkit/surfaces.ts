/**
 * The ways to present the tools to an MCP client: each tool by its own name (`full`), only
 * `getTools` and `useTools` (`compact`), or one tool per resource with an `action` parameter
 * (`actions`).
 */
export const SURFACES = ['full', 'compact', 'actions'] as const;

export type Surface = (typeof SURFACES)[number];

export const DEFAULT_SURFACE: Surface = 'full';

/** Returns the surface with this name, or undefined if there is none. */
export function parseSurface(name: string | undefined): Surface | undefined {
  return SURFACES.find((surface) => surface === name);
}

/**
 * Returns true if the surface lists each tool with its own schema, which costs the model tokens for
 * every tool.
 */
export function listsEachTool(surface: Surface): boolean {
  return surface === 'full';
}
