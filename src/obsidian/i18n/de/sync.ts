import type { sync as english } from '../en/sync.js';

export const sync: typeof english = {
  name: 'Obsidian Sync',
  desc: 'Obsidian Sync bezieht das Gedächtnis nur ein, wenn auf jedem Gerät „Alle anderen Dateien synchronisieren“ eingeschaltet ist.',
  leftOut:
    'Obsidian Sync bezieht das Gedächtnis von Savepoint auf diesem Gerät nicht ein, es bleibt also hier: „Alle anderen Dateien synchronisieren“ unter Einstellungen, Sync, Selektive Synchronisation ist aus.',
  fine: 'Auf diesem Gerät ist nichts zu tun.',
  open: 'Sync-Einstellungen öffnen',
};
