import * as z from 'zod';
import { clip } from '../../model/refusal.js';
import { nonEmptyText } from '../shared/inputs.js';
import { defineTool } from '../services.js';
import {
  itemsOf,
  readSessions,
  requireSession,
  sessionFacts,
  sessionFailures,
  sessionIdAlias,
  toSessionFacts,
} from './shared/sessions.js';
import { timelineRow, toTimelineRow } from './shared/timeline-row.js';

const MAX_ROWS = 100;
const MAX_TEXT_LENGTH = 160;
const MAX_FILES = 5;

const context = { sessionId: 'monday' };
const planned = {
  tool: 'logTrace',
  params: { kind: 'observation', content: 'Planned it', context },
};
const built = { tool: 'logTrace', params: { kind: 'execution', content: 'Built it', context } };

export const getSession = defineTool({
  name: 'getSession',
  isUnlisted: true,
  title: 'Get session',
  access: 'read',
  usesWorkspace: () => true,
  action: { resource: 'session', name: 'get', aliases: [sessionIdAlias('get')] },
  description: 'Get its timeline.',
  input: z.strictObject({
    session: nonEmptyText.optional().describe('Default: this session'),
    limit: z.number().int().min(1).max(MAX_ROWS).default(50),
  }),
  output: z.object({
    ...sessionFacts,
    timeline: z.array(timelineRow.omit({ session: true })).describe('Texts are shortened'),
  }),
  failures: sessionFailures,
  examples: [
    {
      title: 'What a session did',
      before: [planned, built],
      params: { session: 'mon' },
      data: {
        session: 'monday',
        calls: 2,
        timeline: [
          { kind: 'observation', content: 'Planned it' },
          { kind: 'execution', content: 'Built it' },
        ],
      },
    },
    {
      title: 'Only the latest entry',
      before: [planned, built],
      params: { session: 'monday', limit: 1 },
      data: { timeline: [{ content: 'Built it' }] },
    },
  ],
  async run({ session: typed, limit }, call) {
    const { workspace, sessionId, fail, addNotice } = call;
    const { sessions } = await readSessions(call, workspace.id);
    const session = requireSession(sessions, typed ?? sessionId, fail);
    const items = itemsOf(session);
    const rows = items.slice(0, limit).reverse().map(toTimelineRow).map(shorten);
    if (rows.length < items.length)
      addNotice(
        `These are the last ${rows.length} of ${items.length} entries. Use timeline with this session and an earlier "around" for the others.`,
      );
    return { ...toSessionFacts(session), timeline: rows };
  },
});

/** Shortens the texts, and omits the session, which all rows share. */
function shorten({
  session: _,
  content,
  outcome,
  files,
  goal,
  ...row
}: z.output<typeof timelineRow>) {
  return {
    ...row,
    content: clip(content, MAX_TEXT_LENGTH),
    ...(outcome !== undefined && { outcome: clip(outcome, MAX_TEXT_LENGTH) }),
    ...(files && { files: files.slice(0, MAX_FILES) }),
    ...(goal !== undefined && { goal: clip(goal, MAX_TEXT_LENGTH) }),
  };
}
