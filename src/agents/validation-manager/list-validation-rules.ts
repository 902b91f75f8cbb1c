import * as z from 'zod';
import { defineTool } from '../services.js';
import { RULE_NAMES, SEVERITIES } from './shared/findings.js';
import { RULES } from './shared/rules.js';

export const listValidationRules = defineTool({
  name: 'listValidationRules',
  isUnlisted: true,
  title: 'List validation rules',
  access: 'read',
  action: { resource: 'validate', name: 'list_rules' },
  description: 'List the rules of validation.',
  input: z.strictObject({}),
  output: z.array(
    z.object({
      rule: z.enum(RULE_NAMES),
      checks: z.string(),
      severity: z.enum(SEVERITIES).describe('Highest severity that the rule reports'),
      scopes: z.array(z.enum(['workspace', 'file'])),
    }),
  ),
  failures: {},
  examples: [
    {
      title: 'Every rule',
      params: {},
      data: [{ rule: 'logProblems', severity: 'error', scopes: ['workspace'] }, {}, {}, {}],
    },
  ],
  run() {
    return RULE_NAMES.map((rule) => {
      const { checks, severity, appliesToFiles } = RULES[rule];
      return {
        rule,
        checks,
        severity,
        scopes: appliesToFiles ? ['workspace', 'file'] : ['workspace'],
      };
    });
  },
});
