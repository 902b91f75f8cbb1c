import type { Provider } from './providers.js';

/** Smallest context window of each model family in tokens, by its maker; the first match counts. */
const FAMILY_LIMITS: readonly (readonly [RegExp, number])[] = [
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

/** Context window in tokens by model name; undefined if unknown and for local servers. */
export function contextLimitOf({ keyUrl }: Provider, model: string): number | undefined {
  if (keyUrl === undefined) return undefined;
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return FAMILY_LIMITS.find(([family]) => family.test(name))?.[1];
}
