/**
 * Which tools a program outside of the app sees: each under its own name (`full`); the two through which all others are reached
 * (`compact`); or one for each thing that there is, with actions (`actions`).
 */
export const SURFACES = ['full', 'compact', 'actions'] as const;

export type Surface = (typeof SURFACES)[number];

/** What it is where nothing is said. */
export const USUAL_SURFACE: Surface = 'full';

/** The surface of that name; undefined where there is none. */
export function surfaceNamed(name: string | undefined): Surface | undefined {
  return SURFACES.find((surface) => surface === name);
}
