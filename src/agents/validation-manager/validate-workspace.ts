import * as z from 'zod';
import { createGarden } from '../shared/example-calls.js';
import { nonEmptyText } from '../shared/inputs.js';
import { pathFailures, resolveReadablePath } from '../shared/readable-notes.js';
import { defineTool } from '../services.js';
import { findingOutput, RULE_NAMES } from './shared/findings.js';
import { RULES, validate } from './shared/rules.js';

const MAX_FINDINGS_PER_RULE = 100;

const notes = {
  'Garden/Plan.md': 'See [[Beds]] and [[Shed#Roof]].',
  'Garden/Shed.md': 'Repair the roof. ![[Roof.png]]',
};

export const validateWorkspace = defineTool({
  name: 'validateWorkspace',
  title: 'Validate workspace',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'validate',
    name: 'run',
    aliases: [{ action: 'run', when: { scope: 'project' } }],
  },
  description:
    'Check a workspace for missing files, dead links, damaged states, similar names and log problems, with a suggested fix for each. Read-only.',
  input: z.strictObject({
    scope: z.enum(['workspace', 'file']).default('workspace'),
    path: nonEmptyText.optional().describe('The file'),
    rules: z.array(z.enum(RULE_NAMES)).min(1).optional().describe('Default: all'),
  }),
  output: z.object({
    findings: z.array(findingOutput),
    more: z
      .array(z.object({ rule: z.enum(RULE_NAMES), count: z.number() }))
      .optional()
      .describe('Number of further findings per rule'),
    checked: z.object({ notes: z.number(), states: z.number() }),
  }),
  failures: {
    pathMissing: {
      error: 'scope "file" requires "path".',
      advice: 'Pass the path of a file, such as "Projects/Plan.md".',
    },
    pathUnexpected: {
      error: '"path" only applies when scope is "file".',
      advice: 'Set scope to "file", or leave path out.',
    },
    ...pathFailures,
    notFound: {
      error: 'File "{path}" not found.',
      advice: 'Use searchDirectory with query "{path}" to find it.',
    },
    notForFiles: {
      error: 'Rule "{rule}" does not apply to single files.',
      advice: 'Leave it out, or set scope to "workspace".',
    },
  },
  examples: [
    {
      title: 'Everything',
      notes,
      before: [createGarden],
      params: {},
      data: {
        findings: [
          { rule: 'missingFiles', severity: 'warning', where: 'Garden/Beds.md' },
          {
            rule: 'brokenLinks',
            severity: 'warning',
            where: 'Garden/Plan.md',
            line: 1,
            what: 'The target of the link "Beds" does not exist.',
          },
          {
            rule: 'brokenLinks',
            where: 'Garden/Shed.md',
            what: 'The target of the link "Roof.png" does not exist.',
          },
        ],
        checked: { notes: 2, states: 0 },
      },
    },
    {
      title: 'One file',
      notes,
      before: [createGarden],
      params: { scope: 'file', path: 'Garden/Shed.md' },
      data: { findings: [{ where: 'Garden/Shed.md', line: 1 }] },
    },
    {
      title: 'One rule',
      notes,
      before: [createGarden],
      params: { rules: ['missingFiles'] },
      data: { findings: [{ where: 'Garden/Beds.md' }] },
    },
  ],
  async run(
    { scope, path: typed, rules },
    { services, memory, workspace, defaults, signal, fail },
  ) {
    if (scope === 'workspace' && typed !== undefined) fail('pathUnexpected');
    if (scope === 'file' && typed === undefined) fail('pathMissing');
    const path = typed === undefined ? undefined : await resolveReadablePath(services, typed, fail);
    const applicable = RULE_NAMES.filter(
      (rule) => path === undefined || RULES[rule].appliesToFiles,
    );
    const inapplicable = rules?.find((rule) => !applicable.includes(rule));
    if (inapplicable) fail('notForFiles', { rule: inapplicable });
    const { findings, counts, checked } = await validate(
      services,
      { memory, workspace, path, project: defaults.project, signal },
      rules ?? applicable,
      MAX_FINDINGS_PER_RULE,
    );
    const isMissing =
      path !== undefined &&
      findings.length === 0 &&
      (await services.files.stat(path)) === undefined;
    if (isMissing) fail('notFound', { path });
    const more = [...counts].flatMap(([rule, count]) =>
      count > MAX_FINDINGS_PER_RULE ? [{ rule, count: count - MAX_FINDINGS_PER_RULE }] : [],
    );
    return { findings, ...(more.length > 0 && { more }), checked };
  },
});
