import * as z from 'zod';
import { clip } from '../../../model/refusal.js';

/** Most severe first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const RULE_NAMES = ['logProblems', 'missingFiles', 'brokenLinks', 'lookAlikes'] as const;

export type RuleName = (typeof RULE_NAMES)[number];

/** One problem as tools return it. Nothing is fixed automatically. */
export const findingOutput = z.object({
  rule: z.enum(RULE_NAMES),
  severity: z.enum(SEVERITIES),
  /** A path, or the name of a state, a workspace or a writer of the log. */
  where: z.string(),
  /** Line number from 1. */
  line: z.number().optional(),
  what: z.string(),
  /** Suggested, as a sentence. */
  fix: z.string(),
});

export type ValidationFinding = Readonly<z.infer<typeof findingOutput>>;

export type RuleFinding = Omit<ValidationFinding, 'rule'>;

const MAX_LISTED_NAMES = 3;

/** Returns `state "A"` for one name, `3 states ("A", "B", "C")` for several. */
export function namesText(names: readonly string[], noun: string): string {
  const listed = names.slice(0, MAX_LISTED_NAMES).map((name) => `"${clip(name)}"`);
  if (names.length === 1) return `${noun} ${listed.join()}`;
  const more = names.length > listed.length ? ', …' : '';
  return `${names.length} ${noun}s (${listed.join(', ')}${more})`;
}
