import * as z from 'zod';
import { textList } from '../shared/inputs.js';
import { recordFailures, requireLiveRecord } from '../shared/records/record-lookups.js';
import { supersededData, supersedingFailures } from '../shared/records/superseding.js';
import { defineTool } from '../services.js';

const decide = (title: string) => ({
  tool: 'createState',
  params: {
    name: title,
    conversationContext: 'Planned the cart.',
    activeTask: 'Build the cart',
    activeFiles: [],
    nextSteps: [],
    decisions: [title],
  },
});

export const replaceDecisions = defineTool({
  name: 'replaceDecisions',
  isUnlisted: true,
  title: 'Mark decisions as replaced',
  access: 'write',
  usesWorkspace: () => true,
  action: { resource: 'state', name: 'replace' },
  description: 'Mark decisions, by title or id.',
  input: z.strictObject({
    replaces: textList,
    by: z.string().describe('"" undoes'),
  }),
  failures: { ...recordFailures, ...supersedingFailures },
  examples: [
    {
      title: 'A later decision holds',
      before: [decide('Use cookies'), decide('Use JWT')],
      params: { replaces: ['Use cookies'], by: 'Use JWT' },
    },
    {
      title: 'A decision that does not exist',
      before: [decide('Use JWT')],
      params: { replaces: ['Use cookies'], by: 'Use JWT' },
      success: false,
    },
  ],
  async run({ replaces, by }, { services: { log }, workspace, key, fail }) {
    await log.write((memory) => {
      const drafts = replaces.map((decision) => {
        const record = requireLiveRecord(memory, workspace.id, decision, fail, 'decision');
        return { t: 'set', e: record.id, d: supersededData(memory, record, by, fail) };
      });
      return { drafts, answer: undefined };
    }, key);
  },
});
