import type { Provider } from './providers.js';

/** How much the models of these families read at least, in tokens, as their makers say; the first that fits counts. */
const FAMILIES: readonly (readonly [RegExp, number])[] = [
  [/^claude-(?:instant|1|2\.0)/, 100_000],
  [/^claude/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 272_000],
  [/^(?:gpt-4o|chatgpt-4o|gpt-4-turbo|o1-mini|o1-preview)/, 128_000],
  [/^o[1-9]/, 200_000],
  [/^gpt-4/, 8192],
  [/^gpt-3\.5/, 16_385],
  [/^gemini/, 1_048_576],
];

/**
 * How much a model reads, by its name, where the provider does not say so in its list. A server of one's own is set up by whoever
 * runs it: of that nothing is known.
 */
export function contextLimitOf({ keyUrl }: Provider, model: string): number | undefined {
  if (keyUrl === undefined) return undefined;
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return FAMILIES.find(([family]) => family.test(name))?.[1];
}
