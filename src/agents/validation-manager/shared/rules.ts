import type { Services } from '../../services.js';
import { findBrokenLinks } from './broken-links.js';
import {
  RULE_NAMES,
  SEVERITIES,
  type RuleFinding,
  type RuleName,
  type Severity,
  type ValidationFinding,
} from './findings.js';
import { findLogProblems } from './log-problems.js';
import { findLookAlikes } from './look-alikes.js';
import { findMissingFiles } from './missing-files.js';
import { createRuleContext, type RuleContext, type ValidationScope } from './rule-context.js';

interface Rule {
  /** The highest severity of its findings. */
  readonly severity: Severity;
  readonly checks: string;
  readonly appliesToFiles: boolean;
  readonly find: (context: RuleContext) => AsyncGenerator<RuleFinding>;
}

export const RULES: Readonly<Record<RuleName, Rule>> = {
  logProblems: {
    severity: 'error',
    appliesToFiles: false,
    find: findLogProblems,
    checks:
      'The data folder of the whole vault has no missing events, damaged or edited lines, states that do not match their hash, or conflicts',
  },
  missingFiles: {
    severity: 'warning',
    appliesToFiles: true,
    find: findMissingFiles,
    checks: 'Key files of the workspace and active files of its states exist',
  },
  brokenLinks: {
    severity: 'warning',
    appliesToFiles: true,
    find: findBrokenLinks,
    checks:
      'Links and embeds in the notes of the root folder lead to a file; headings and blocks are not checked',
  },
  lookAlikes: {
    severity: 'warning',
    appliesToFiles: false,
    find: findLookAlikes,
    checks: 'Names of states and workspaces are not easily confused',
  },
};

/** Returns at most `limitPerRule` findings of each rule. Throws a `Refusal` if cancelled. */
export async function validate(
  services: Services,
  scope: ValidationScope,
  rules: readonly RuleName[],
  limitPerRule: number,
) {
  const context = createRuleContext(services, scope);
  const findings: ValidationFinding[] = [];
  const counts = new Map<RuleName, number>();
  for (const rule of RULE_NAMES.filter((name) => rules.includes(name))) {
    let count = 0;
    for await (const finding of RULES[rule].find(context)) {
      if (count < limitPerRule) findings.push({ rule, ...finding });
      count++;
    }
    counts.set(rule, count);
  }
  const includesAny = (...names: readonly RuleName[]) => names.some((name) => rules.includes(name));
  const checksStates = includesAny('lookAlikes', 'missingFiles');
  return {
    /** Most severe first. */
    findings: findings.sort(
      (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
    ),
    /** Number of problems per rule, including those beyond the limit. */
    counts,
    checked: {
      notes: includesAny('brokenLinks') ? (await context.notes()).length : 0,
      states: checksStates ? (await context.states()).length : 0,
    },
  };
}
