import type { general as english } from '../en/general.js';
import { number } from './numbers.js';

export const general: typeof english = {
  undo: 'Rückgängig machen',
  tryAgain: 'Erneut versuchen',
  fault:
    'In Savepoint selbst ist ein Fehler aufgetreten. Nichts ging verloren; Einzelheiten stehen in der Entwicklerkonsole.',
  newerLog:
    'Eine neuere Version von Savepoint hat hier etwas gespeichert, das diese nicht versteht. Es ist sicher; nach einer Aktualisierung von Savepoint auf diesem Gerät ist es zu sehen.',
  reading: 'Gedächtnis wird gelesen…',
  readingFailed: 'Das Gedächtnis kann nicht gelesen werden',
  indexing: (done, total) => `Notizen werden indiziert: ${number(done)} von ${number(total)}`,
  statusLabel: (workspace) => `Savepoint: ${workspace}`,
  stateArchived: (name) => `Stand „${name}“ archiviert.`,
  stateRestored: (name) => `Stand „${name}“ wiederhergestellt.`,
  workspaceArchived: (name) => `Arbeitsbereich „${name}“ archiviert.`,
  workspaceRestored: (name) => `Arbeitsbereich „${name}“ wiederhergestellt.`,
  stateSaved: (name) => `Stand „${name}“ gespeichert.`,
  promptCopied: (name) =>
    `Stand „${name}“ als Prompt kopiert. In einen beliebigen Chat einfügen, um weiterzumachen.`,
};
