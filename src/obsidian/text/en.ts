import { commands } from './en/commands.js';
import { general } from './en/general.js';
import { memoryView } from './en/memory-view.js';
import { settings } from './en/settings.js';

export const en = { commands, general, memoryView, settings };
