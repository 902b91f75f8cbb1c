import type { commands as english } from '../en/commands.js';
import { number } from './numbers.js';

export const search: (typeof english)['search'] = {
  placeholder: 'Gedächtnis und Notizen durchsuchen…',
  enter: 'zum Öffnen',
  start: 'Durchsucht werden Stände, Einträge, Unterhaltungen, Notizen und Werkzeugaufrufe.',
  nothing: (query) => `Keine Treffer für „${query}“.`,
  nothingHere: (query) =>
    `Keine Treffer für „${query}“ in diesem Arbeitsbereich. Alle Arbeitsbereiche durchsuchen.`,
  searching: 'Notizen werden durchsucht…',
  scopes: 'Suchen in',
  allWorkspaces: 'Alle Arbeitsbereiche',
  groups: {
    state: 'Stände',
    record: 'Einträge',
    chat: 'Unterhaltungen',
    note: 'Notizen',
    call: 'Werkzeugaufrufe',
  },
  kinds: {
    state: 'Stand',
    record: 'Eintrag',
    chat: 'Unterhaltung',
    note: 'Notiz',
    call: 'Werkzeugaufruf',
  },
};

export const searchNotes: (typeof english)['searchNotes'] = {
  placeholder: 'Alle Notizen durchsuchen…',
  enter: 'zum Öffnen',
  newTab: 'zum Öffnen in neuem Tab',
  start:
    'Suchbegriff eingeben, in Worten der Notizen oder in eigenen: Durchsucht werden Überschriften, Tags und Texte.',
  nothing: (query) => `Keine Notiz enthält „${query}“ oder etwas Ähnliches.`,
  alsoIn: (count) =>
    count === 1 ? 'auch in einer weiteren Notiz' : `auch in ${number(count)} weiteren Notizen`,
  stillReading: (done, total) =>
    `Noch nichts gefunden. Die Notizen werden noch indiziert: ${number(done)} von ${number(total)}.`,
  gone: (path) => `„${path}“ ist nicht mehr da. Bitte erneut suchen.`,
};
