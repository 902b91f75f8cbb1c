import { calls } from './en/calls.js';
import { capture } from './en/capture.js';
import { chatAgents } from './en/chat-agents.js';
import { chat } from './en/chat.js';
import { commands } from './en/commands.js';
import { connections } from './en/connections.js';
import { forget } from './en/forget.js';
import { general } from './en/general.js';
import { memoryView } from './en/memory-view.js';
import { meaning } from './en/meaning.js';
import { losses, pages, sync } from './en/pages.js';
import { records } from './en/records.js';
import { settings } from './en/settings.js';

/** English texts, which define the type of all languages. `locale` formats numbers and dates. */
export const en = {
  locale: 'en',
  calls,
  capture,
  chat,
  chatAgents,
  commands,
  connections,
  forget,
  general,
  meaning,
  memoryView,
  pages,
  records,
  settings,
  sync,
  losses,
};
