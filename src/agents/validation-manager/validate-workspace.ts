import * as z from 'zod';
import { isHidden, isWithin, readVaultPath, type VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import { createGarden } from '../shared/example-calls.js';
import { filledText } from '../shared/inputs.js';
import { defineTool } from '../services.js';
import { RULE_NAMES, RULES, SEVERITIES, validate } from './shared/rules.js';

/** Of each rule: what goes beyond is counted. */
const MOST = 100;

const notes = {
  'Garden/Plan.md': 'See [[Beds]] and [[Shed#Roof]].',
  'Garden/Shed.md': 'Mend the roof. ![[Roof.png]]',
};

export const validateWorkspace = defineTool({
  name: 'validateWorkspace',
  title: 'Validate workspace',
  access: 'read',
  action: { resource: 'validate', name: 'run' },
  description:
    'Find missing files, dead links, damaged states, look-alike names and log problems, each with its mend. Changes nothing.',
  input: z.strictObject({
    scope: z.enum(['workspace', 'file']).default('workspace'),
    path: filledText.optional().describe('The file'),
    rules: z.array(z.enum(RULE_NAMES)).min(1).optional().describe('Default: all'),
  }),
  output: z.object({
    findings: z.array(
      z.object({
        rule: z.enum(RULE_NAMES),
        severity: z.enum(SEVERITIES),
        where: z.string(),
        line: z.number().optional(),
        what: z.string(),
        mend: z.string(),
      }),
    ),
    more: z
      .array(z.object({ rule: z.enum(RULE_NAMES), count: z.number() }))
      .optional()
      .describe('What else each rule has found'),
    checked: z.object({ notes: z.number(), states: z.number() }),
  }),
  failures: {
    noPath: {
      error: 'A file was to be validated, and none is named.',
      advice: 'Give its path, such as "Projects/Plan.md".',
    },
    strayPath: {
      error: 'A path was given, and the scope is the workspace.',
      advice: 'Give scope "file" with it, or leave it out.',
    },
    badPath: {
      error: 'path "{path}" {problem}.',
      advice: 'Give a file of the vault, such as "Projects/Plan.md".',
    },
    closed: {
      error: '"{path}" is in a folder that must not be read.',
      advice: 'Choose a file of another folder.',
    },
    notFound: { error: 'File "{path}" not found.', advice: 'Use searchDirectory to find it.' },
    notOfFiles: {
      error: 'The rule {rule} says nothing of one file.',
      advice: 'Leave it out, or give scope "workspace".',
    },
  },
  examples: [
    {
      title: 'Everything',
      notes,
      before: [createGarden],
      params: {},
      answer: {
        success: true,
        data: {
          findings: [
            { rule: 'missingFiles', severity: 'warning', where: 'Garden/Beds.md' },
            {
              rule: 'brokenLinks',
              severity: 'warning',
              where: 'Garden/Plan.md',
              line: 1,
              what: 'A link to "Beds" leads nowhere.',
            },
            {
              rule: 'brokenLinks',
              where: 'Garden/Shed.md',
              what: 'A link to "Roof.png" leads nowhere.',
            },
          ],
          checked: { notes: 2, states: 0 },
        },
      },
    },
    {
      title: 'One file',
      notes,
      before: [createGarden],
      params: { scope: 'file', path: 'Garden/Shed.md' },
      answer: { success: true, data: { findings: [{ where: 'Garden/Shed.md', line: 1 }] } },
    },
    {
      title: 'One rule',
      notes,
      before: [createGarden],
      params: { rules: ['missingFiles'] },
      answer: { success: true, data: { findings: [{ where: 'Garden/Beds.md' }] } },
    },
  ],
  async run({ scope, path: typed, rules }, { services, memory, workspace, signal, fail }) {
    if (scope === 'workspace' && typed !== undefined) fail('strayPath');
    const path = scope === 'file' ? await filePath() : undefined;
    const own = RULE_NAMES.filter((rule) => path === undefined || RULES[rule].isOfFiles);
    const stranger = rules?.find((rule) => !own.includes(rule));
    if (stranger) fail('notOfFiles', { rule: stranger });
    const { findings, counts, checked } = await validate(
      services,
      { memory, workspace, path, signal },
      rules ?? own,
      MOST,
    );
    const isNowhere =
      path !== undefined &&
      findings.length === 0 &&
      (await services.files.stat(path)) === undefined;
    if (isNowhere) fail('notFound', { path });
    const more = [...counts].flatMap(([rule, count]) =>
      count > MOST ? [{ rule, count: count - MOST }] : [],
    );
    return { findings, ...(more.length > 0 && { more }), checked };

    async function filePath(): Promise<VaultPath> {
      if (typed === undefined) return fail('noPath');
      const read = readVaultPath(typed.trim());
      if ('problem' in read) return fail('badPath', { path: clip(typed), problem: read.problem });
      const skipped = await services.search.access.skippedFolders();
      const isClosed = isHidden(read.path) || skipped.some((folder) => isWithin(read.path, folder));
      return isClosed ? fail('closed', { path: clip(typed) }) : read.path;
    }
  },
});
