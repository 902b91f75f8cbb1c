import { chat } from './en/chat.js';
import { commands } from './en/commands.js';
import { connections } from './en/connections.js';
import { general } from './en/general.js';
import { memoryView } from './en/memory-view.js';
import { settings } from './en/settings.js';

export const en = { chat, commands, connections, general, memoryView, settings };
