import type { commands as english } from '../en/commands.js';
import { search, searchNotes } from './search.js';
import { number } from './numbers.js';
import { verify } from './verify.js';

export const commands: typeof english = {
  names: {
    openMemory: 'Gedächtnis öffnen',
    openMemoryOfNote: 'Gedächtnis dieser Notiz öffnen',
    createWorkspace: 'Arbeitsbereich erstellen',
    switchWorkspace: 'Arbeitsbereich wechseln',
    archiveWorkspace: 'Arbeitsbereich archivieren',
    restoreWorkspace: 'Arbeitsbereich wiederherstellen',
    saveState: 'Stand speichern',
    resumeState: 'Stand fortsetzen',
    archiveState: 'Stand archivieren',
    compareStates: 'Stände vergleichen',
    restoreState: 'Stand wiederherstellen',
    forgetState: 'Stand vergessen',
    undoLastAction: 'Rückgängig',
    searchMemory: 'Gedächtnis durchsuchen',
    searchNotes: 'Notizen durchsuchen',
    verifyMemory: 'Gedächtnis prüfen',
    rebuildCache: 'Cache neu aufbauen',
  },
  waiting: 'Wird noch geladen. Der Befehl läuft, sobald das Gedächtnis bereit ist.',
  rebuilding: 'Cache wird neu aufgebaut…',
  rebuilt: (ms) => `Cache in ${number(ms / 1000, 1)} s neu aufgebaut.`,
  copyFailed:
    'In die Zwischenablage kann hier nicht geschrieben werden. In das Fenster klicken, dann erneut versuchen.',
  notOpen:
    'Savepoint öffnet gerade das Gedächtnis dieses Vaults. Bitte gleich noch einmal versuchen.',
  leftArchived: (name, now) => `Arbeitsbereich „${name}“ archiviert. Aktuell ist jetzt „${now}“.`,
  workspaceEntered: (name) => `Zu Arbeitsbereich „${name}“ gewechselt.`,
  workspaceCreated: (name) => `Arbeitsbereich „${name}“ erstellt und dorthin gewechselt.`,

  pick: {
    navigate: 'zum Navigieren',
    dismiss: 'zum Abbrechen',
    noMatch: 'Keine Übereinstimmung. Weniger Buchstaben eingeben.',
    empty: 'Hier gibt es nichts zur Auswahl.',
    current: 'Aktuell',
    archive: 'zum Archivieren',
    restore: 'zum Wiederherstellen',
    switchWorkspace: {
      placeholder: 'Zu Arbeitsbereich wechseln…',
      enter: 'zum Wechseln',
    },
    moveState: {
      placeholder: 'In Arbeitsbereich verschieben…',
      enter: 'zum Verschieben',
      empty: 'Kein anderer Arbeitsbereich. Mit „Arbeitsbereich erstellen“ einen anlegen.',
    },
    resumeState: {
      enter: 'zum Weitermachen',
      empty: 'Es gibt noch keinen Stand. Mit „Stand speichern“ kommt einer hinzu.',
    },
  },

  form: {
    remove: (entry) => `${entry} entfernen`,
    sending: 'Wird gespeichert…',
    addNote: 'Notiz hinzufügen…',
    submitHint: (key) => `${key === 'Ctrl' ? 'Strg' : key} + Eingabe zum Speichern`,
    discardTitle: 'Eingaben verwerfen?',
    discard: 'Verwerfen',
    keepEditing: 'Weiter bearbeiten',
    workspace: 'Arbeitsbereich',
    noteWorkspace: (note) => `Die Notiz „${note}“ liegt in seinem Ordner.`,
    entryProblem: (entry, problem) => `Eintrag ${entry}: ${problem}.`,
    problem: (label, problem) => `${label}: ${problem}.`,
    noPair: (line) =>
      `Zeile ${line} braucht Name, Doppelpunkt und Wert, zum Beispiel „Ton: schlicht“.`,
    twice: (line, key) =>
      `Zeile ${line} legt „${key}“ ein zweites Mal fest. Nur eine Angabe behalten.`,
  },

  createWorkspace: {
    labels: {
      name: 'Name',
      description: 'Beschreibung',
      purpose: 'Zweck',
      rootFolder: 'Ordner',
      keyFiles: 'Wichtige Dateien',
      workflows: 'Workflows',
      preferences: 'Einstellungen',
    },
    folderHint: 'Wo seine Notizen liegen; ein neuer Ordner wird angelegt. „/“ ist der ganze Vault.',
    examples: { workflows: 'Einer pro Zeile', preferences: 'Ton: schlicht' },
    taken: (name) =>
      `Ein Arbeitsbereich namens „${name}“ ist schon vorhanden, vielleicht ein archivierter. Bitte einen anderen Namen wählen.`,
  },

  saveState: {
    labels: {
      name: 'Name',
      conversationContext: 'Kontext',
      activeTask: 'Laufende Aufgabe',
      activeFiles: 'Aktive Dateien',
      nextSteps: 'Nächste Schritte',
      description: 'Beschreibung',
      tags: 'Tags',
    },
    where: 'Wo stehst du?',
    next: 'Was kommt als Nächstes?',
    named: 'Nach den ersten Worten benannt',
    missing: 'Hier ein paar Worte schreiben.',
    examples: { nextSteps: 'Mindestens ein Schritt, einer pro Zeile', tags: 'Tag hinzufügen…' },
    draftKept: 'Das zuvor Eingegebene ist wieder da.',
    startOver: 'Neu beginnen',
    taken: (name) =>
      `Ein Stand namens „${name}“ ist in diesem Arbeitsbereich schon vorhanden. Bitte einen anderen Namen wählen.`,
  },

  search,
  searchNotes,

  verify,
};
