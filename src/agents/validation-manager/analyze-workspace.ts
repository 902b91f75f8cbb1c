import * as z from 'zod';
import { createGarden } from '../shared/example-calls.js';
import { defineTool } from '../services.js';
import { findingOutput, RULE_NAMES } from './shared/findings.js';
import { validate } from './shared/rules.js';

const TOP_FINDINGS = 5;

export const analyzeWorkspace = defineTool({
  name: 'analyzeWorkspace',
  isUnlisted: true,
  title: 'Analyze workspace',
  access: 'read',
  usesWorkspace: () => true,
  action: { resource: 'validate', name: 'analyze' },
  description: 'Summarize what validation finds per rule, and say what to fix first.',
  input: z.strictObject({}),
  output: z.object({
    findings: z.number(),
    rules: z.array(z.object({ rule: z.enum(RULE_NAMES), count: z.number() })),
    fixFirst: z.array(findingOutput),
    checked: z.object({ notes: z.number(), states: z.number() }),
  }),
  failures: {},
  examples: [
    {
      title: 'An overview',
      notes: { 'Garden/Plan.md': 'See [[Beds]].' },
      before: [createGarden],
      params: {},
      data: {
        findings: 2,
        rules: [
          { rule: 'missingFiles', count: 1 },
          { rule: 'brokenLinks', count: 1 },
        ],
        checked: { notes: 1 },
      },
    },
  ],
  async run(_, { services, memory, workspace, defaults, signal }) {
    const { findings, counts, checked } = await validate(
      services,
      { memory, workspace, path: undefined, project: defaults.project, signal },
      RULE_NAMES,
      TOP_FINDINGS,
    );
    return {
      findings: [...counts.values()].reduce((sum, count) => sum + count, 0),
      rules: [...counts].flatMap(([rule, count]) => (count > 0 ? [{ rule, count }] : [])),
      fixFirst: findings.slice(0, TOP_FINDINGS),
      checked,
    };
  },
});
