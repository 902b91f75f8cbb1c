import * as z from 'zod';
import { nonEmptyText } from '../shared/inputs.js';
import { defineTool } from '../services.js';
import { draftName, draftState } from './shared/session-draft.js';
import {
  MAX_SCANNED_ENTRIES,
  readSessions,
  requireSession,
  sessionFailures,
  sessionIdAlias,
} from './shared/sessions.js';

const failing = {
  tool: 'logTrace',
  params: {
    kind: 'error_pattern',
    content: 'Two watchers fail with EMFILE',
    files: ['src/watch.ts'],
    context: { sessionId: 'monday', goal: 'Make the build pass' },
  },
};

export const summarizeSession = defineTool({
  name: 'summarizeSession',
  isUnlisted: true,
  title: 'Summarize session',
  access: 'read',
  usesWorkspace: () => true,
  action: { resource: 'session', name: 'summarize', aliases: [sessionIdAlias('summarize')] },
  description: 'Draft a state from its calls.',
  input: z.strictObject({
    session: nonEmptyText.optional().describe('Default: this session'),
  }),
  output: z
    .object({
      name: z.string(),
      description: z.string(),
      conversationContext: z.string(),
      activeTask: z.string(),
      activeFiles: z.array(z.string()),
      nextSteps: z.array(z.string()),
    })
    .describe('Parameters of createState'),
  failures: sessionFailures,
  examples: [
    {
      title: 'A session that ended without saving',
      before: [failing],
      params: { session: 'monday' },
      data: {
        description: '1 call',
        activeTask: 'Make the build pass',
        activeFiles: ['src/watch.ts'],
        nextSteps: [],
      },
    },
  ],
  async run({ session: typed }, call) {
    const { memory, workspace, sessionId, fail, addNotice } = call;
    const { sessions, isTruncated } = await readSessions(call, workspace.id);
    const session = requireSession(sessions, typed ?? sessionId, fail);
    if (isTruncated)
      addNotice(
        `Only the newest ${MAX_SCANNED_ENTRIES} calls of the workspace were read, so earlier calls of the session may be missing.`,
      );
    return draftState(session, draftName(memory, workspace.id, session));
  },
});
