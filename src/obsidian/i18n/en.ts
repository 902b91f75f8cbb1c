import { chat } from './en/chat.js';
import { commands } from './en/commands.js';
import { connections } from './en/connections.js';
import { general } from './en/general.js';
import { memoryView } from './en/memory-view.js';
import { meaning } from './en/meaning.js';
import { settings } from './en/settings.js';

/** The texts in English; the other languages have their shape. `locale` is the language of numbers and dates. */
export const en = {
  locale: 'en',
  chat,
  commands,
  connections,
  general,
  meaning,
  memoryView,
  settings,
};
