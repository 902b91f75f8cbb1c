/**
 * Throws an error that names what the simulated Obsidian lacks, so that no call silently does
 * nothing.
 */
export function refuse(what: string): never {
  throw new Error(`The stand-in has no ${what}`);
}
