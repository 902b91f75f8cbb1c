import { clip } from '../../../model/refusal.js';

/** Most severe first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const RULE_NAMES = ['logProblems', 'missingFiles', 'brokenLinks', 'lookAlikes'] as const;

export type RuleName = (typeof RULE_NAMES)[number];

/** One problem. Nothing is fixed automatically. */
export interface ValidationFinding {
  readonly rule: RuleName;
  readonly severity: Severity;
  /** A path, or the name of a state, a workspace or a writer of the log. */
  readonly where: string;
  /** Line number from 1. */
  readonly line?: number;
  readonly what: string;
  /** The suggested fix, as a sentence. */
  readonly fix: string;
}

export type RuleFinding = Omit<ValidationFinding, 'rule'>;

/** Returns the finding as the tools output it. */
export function findingToJson(finding: ValidationFinding) {
  return { ...finding };
}

const MAX_LISTED_NAMES = 3;

/** Returns `state "A"` for one name, `3 states ("A", "B", "C")` for several. */
export function namesText(names: readonly string[], noun: string): string {
  const listed = names.slice(0, MAX_LISTED_NAMES).map((name) => `"${clip(name)}"`);
  if (names.length === 1) return `${noun} ${listed.join()}`;
  const more = names.length > listed.length ? ', …' : '';
  return `${names.length} ${noun}s (${listed.join(', ')}${more})`;
}

/** Adds a value to the list of a key. */
export function addToList(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
