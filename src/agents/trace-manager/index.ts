import type { Agent } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { logTrace } from './log-trace.js';
import { timeline } from './timeline.js';

export const traceManager: Agent<Services> = {
  name: 'traceManager',
  description: 'What was done when, and notes on what was done elsewhere',
  tools: [logTrace, timeline],
};
