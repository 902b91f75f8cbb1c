import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { getSession } from './get-session.js';
import { listSessions } from './list-sessions.js';
import { logTrace } from './log-trace.js';
import { summarizeSession } from './summarize-session.js';
import { timeline } from './timeline.js';

export const traceManager: Toolset<Services> = {
  name: 'traceManager',
  description: 'A timeline of activity, and notes on work done elsewhere',
  tools: [logTrace, timeline, listSessions, getSession, summarizeSession],
};
