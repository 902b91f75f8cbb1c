import type {
  losses as englishLosses,
  pages as english,
  sync as englishSync,
} from '../en/pages.js';
import { counted } from './numbers.js';

export const pages: typeof english = {
  headings: { chat: 'Chat und Apps', memory: 'Gedächtnis', search: 'Suche' },
  advanced: { name: 'Erweitert', desc: 'Werkzeuge für Agenten und Apps.' },
  permissions: {
    name: 'Rechte im Chat',
    desc: 'Was Agenten im Chat tun dürfen.',
    allowed: 'Werkzeuge, die ohne Nachfrage schreiben dürfen',
    allowedEmpty:
      'Keine: Jedes Werkzeug, das schreibt, fragt zuerst, außer wenn es in einer Unterhaltung erlaubt wurde.',
  },
  promptFolder: {
    name: 'Prompt-Ordner',
    desc: 'Der Chat bietet jede Notiz in diesem Ordner nach einem Schrägstrich an.',
    example: 'Vorlagen',
    noFolder: 'Diesen Ordner gibt es im Vault nicht. Bitte erst anlegen.',
  },
  excludedVault:
    'Ein Eintrag, vielleicht einer neueren Version, wird nicht verstanden; deshalb wird nichts durchsucht. Aktualisiere Savepoint oder entferne ihn.',
};

export const sync: typeof englishSync = {
  name: 'Obsidian Sync',
  desc: 'Obsidian Sync bezieht das Gedächtnis nur ein, wenn auf jedem Gerät „Alle anderen Dateien synchronisieren“ eingeschaltet ist.',
  leftOut:
    '„Alle anderen Dateien synchronisieren“ ist in Obsidian Sync (Selektive Synchronisation) aus: Das Gedächtnis von Savepoint bleibt auf diesem Gerät.',
  fine: 'Auf diesem Gerät ist nichts zu tun.',
  open: 'Sync-Einstellungen öffnen',
};

export const losses: typeof englishLosses = {
  missing: (count, device, day, file) =>
    `${counted(count, 'Eintrag', 'Einträge')} des Gedächtnisses ${count === 1 ? 'fehlt' : 'fehlen'}, zuerst einer, den ${device} um den ${day} geschrieben hat, neben ${file}. Lass alle Geräte synchronisieren.`,
  unknownPlace: (count, device) =>
    `${counted(count, 'Eintrag', 'Einträge')} des Gedächtnisses von ${device} ${count === 1 ? 'fehlt' : 'fehlen'}. Lass alle Geräte synchronisieren.`,
  show: 'Gedächtnis prüfen',
};

/** Findings of a check about what is not here on purpose, or not here yet. */
export const moreFindings = {
  alone: {
    means: 'andere Geräte, von denen kein Stand, Eintrag oder Arbeitsbereich hier ist',
    advice: 'Dort synchronisieren; Obsidian Sync braucht „Alle anderen Dateien synchronisieren“.',
  },
  refused: {
    means: 'endgültig gelöschte Ereignisse, die dieses Gerät behält, weil du es so wolltest',
    advice: 'Nichts zu tun; andere Geräte zeigen sie nicht.',
  },
  asked: {
    means: 'Ereignisse, die ein Gerät löschen will und die hier ausgeblendet sind',
    advice:
      'Unter Einstellungen → Speicher → Löschanfragen entscheiden; sonst entfernt dieses Gerät sie, nachdem es an sieben Tagen darauf hingewiesen hat.',
  },
  forgotten: {
    means: 'Ereignisse, die mit Absicht endgültig gelöscht wurden',
    advice: 'Nichts zu tun.',
  },
};
