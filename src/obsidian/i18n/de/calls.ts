import type { calls as english } from '../en/calls.js';

const SENTENCES: Readonly<Record<string, string>> = {
  createState: 'Stand {} gespeichert',
  loadState: 'Stand {} geladen',
  archiveState: 'Stand {} archiviert',
  listStates: 'Stände aufgelistet',
  createWorkspace: 'Arbeitsbereich {} erstellt',
  loadWorkspace: 'Arbeitsbereich {} geladen',
  updateWorkspace: 'Arbeitsbereich {} geändert',
  archiveWorkspace: 'Arbeitsbereich {} archiviert',
  listWorkspaces: 'Arbeitsbereiche aufgelistet',
  searchMemory: 'Gedächtnis nach {} durchsucht',
  searchContent: 'Notizen nach {} durchsucht',
  searchDirectory: 'Dateinamen nach {} durchsucht',
  timeline: 'Zeitachse gelesen',
  logTrace: 'Beobachtung festgehalten',
  indexStatus: 'Suchindex geprüft',
  rebuildIndex: 'Suchindex neu erstellt',
  validateWorkspace: 'Arbeitsbereich geprüft',
  analyzeWorkspace: 'Arbeitsbereich ausgewertet',
  readContent: 'Datei {} gelesen',
  writeContent: 'Datei {} geschrieben',
};

export const calls: typeof english = {
  sentences: SENTENCES,
  quoted: (subject) => `„${subject}“`,
  failed: (action) => `${action}: fehlgeschlagen`,
};
