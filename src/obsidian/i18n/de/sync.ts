import type { sync as english } from '../en/sync.js';

export const sync: typeof english = {
  name: 'Obsidian Sync',
  desc: 'Obsidian Sync bezieht das Gedächtnis nur ein, wenn auf jedem Gerät „Alle anderen Dateien synchronisieren“ eingeschaltet ist.',
  leftOut:
    '„Alle anderen Dateien synchronisieren“ ist in Obsidian Sync (Selektive Synchronisation) aus: Das Gedächtnis von Savepoint bleibt auf diesem Gerät.',
  fine: 'Auf diesem Gerät ist nichts zu tun.',
  open: 'Sync-Einstellungen öffnen',
};
