import * as z from 'zod';
import { nonEmptyText } from '../shared/inputs.js';
import { takePage } from '../shared/page.js';
import { defineTool } from '../services.js';
import {
  MAX_SCANNED_ENTRIES,
  readSessions,
  sessionFacts,
  sessionFailures,
  toSessionFacts,
} from './shared/sessions.js';

const MAX_SESSIONS_LISTED = 100;
const IMPLICIT =
  'Sessions are implicit: a session is the id of a conversation, begins with its first call and consists of its calls. To record something in it, use the tool memory with the action store; to save its work, use the tool state with the action create.';

const observed = (sessionId: string, content: string) => ({
  tool: 'logTrace',
  params: { kind: 'observation', content, context: { sessionId } },
});
const twoDays = [observed('monday', 'Read chapter one'), observed('tuesday', 'Read chapter two')];

export const listSessions = defineTool({
  name: 'listSessions',
  isUnlisted: true,
  title: 'List sessions',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'session',
    name: 'list',
    refused: { create: IMPLICIT, update: IMPLICIT },
  },
  description: 'List sessions, latest first.',
  input: z.strictObject({
    limit: z.number().int().min(1).max(MAX_SESSIONS_LISTED).default(20),
    after: nonEmptyText.optional().describe('more.after'),
  }),
  output: z.array(z.object(sessionFacts)),
  failures: sessionFailures,
  examples: [
    {
      title: 'Who worked here',
      before: twoDays,
      params: { limit: 1 },
      data: [{ session: 'tuesday', calls: 1 }],
    },
    {
      title: 'The next page',
      before: twoDays,
      params: { after: 'tuesday' },
      data: [{ session: 'monday', calls: 1 }],
    },
  ],
  async run({ limit, after }, call) {
    const { workspace, fail, addMore, addNotice } = call;
    const { sessions, isTruncated } = await readSessions(call, workspace.id);
    const before = sessions.findIndex(({ id }) => id === after);
    if (after !== undefined && before < 0) fail('sessionNotFound', { session: after });
    const rows = takePage({
      items: sessions.slice(before + 1),
      total: sessions.length,
      limit,
      toRow: toSessionFacts,
      keyOf: ({ session }) => session,
      addMore,
    });
    if (isTruncated)
      addNotice(
        `Only the newest ${MAX_SCANNED_ENTRIES} calls and states were read; earlier ones are not counted.`,
      );
    return rows;
  },
});
