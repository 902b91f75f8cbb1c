import { calls } from './de/calls.js';
import { capture } from './de/capture.js';
import { chatAgents } from './de/chat-agents.js';
import { chat } from './de/chat.js';
import { commands } from './de/commands.js';
import { connections } from './de/connections.js';
import { forget } from './de/forget.js';
import { general } from './de/general.js';
import { memoryView } from './de/memory-view.js';
import { meaning } from './de/meaning.js';
import { losses, pages, sync } from './de/pages.js';
import { records } from './de/records.js';
import { settings } from './de/settings.js';
import type { en } from './en.js';

/**
 * The German texts. Glossary: Arbeitsbereich (workspace), Stand (state), Gedächtnis (memory),
 * Werkzeugaufruf (tool call), Unterhaltung (conversation), Anbieter (provider), Datenordner (data
 * folder), prüfen (verify).
 */
export function germanTexts(): typeof en {
  return {
    locale: 'de',
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
}
