import type { general as english } from '../en/general.js';

export const general: typeof english = {
  undo: 'Rückgängig machen',
  redo: 'Wiederholen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  stop: 'Stopp',
  showReport: 'Bericht anzeigen',
  open: 'Öffnen',
  resume: 'Fortsetzen',
  tryAgain: 'Erneut versuchen',
  fault:
    'In Savepoint ist ein Fehler aufgetreten. Nichts ging verloren; Details stehen in der Entwicklerkonsole.',
  newerLog:
    'Dieses Gedächtnis enthält Daten einer neueren Version von Savepoint. Sie sind sicher; aktualisiere Savepoint auf diesem Gerät, um sie zu sehen.',
  reading: 'Gedächtnis wird gelesen…',
  readingFailed: 'Das Gedächtnis kann nicht gelesen werden',
  indexing: 'Notizen werden indiziert',
  statusLabel: (workspace) => `Savepoint: ${workspace}`,
  stateArchived: (name) => `Stand „${name}“ archiviert.`,
  stateMoved: (name, workspace) =>
    `Stand „${name}“ in den Arbeitsbereich „${workspace}“ verschoben.`,
  stateRestored: (name) => `Stand „${name}“ wiederhergestellt.`,
  workspaceArchived: (name) => `Arbeitsbereich „${name}“ archiviert.`,
  workspaceRestored: (name) => `Arbeitsbereich „${name}“ wiederhergestellt.`,
  stateSaved: (name) => `Stand „${name}“ gespeichert.`,
  promptCopied: (name) =>
    `Stand „${name}“ als Prompt kopiert. In einen beliebigen Chat einfügen, um weiterzumachen.`,
};
