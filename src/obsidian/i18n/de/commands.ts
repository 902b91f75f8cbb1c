import type { commands as english } from '../en/commands.js';
import { search, searchNotes } from './search.js';
import { number } from './numbers.js';
import { verify } from './verify.js';

export const commands: typeof english = {
  names: {
    openMemory: 'Gedächtnis öffnen',
    openNoteMemory: 'Gedächtnis dieser Notiz öffnen',
    createWorkspace: 'Arbeitsbereich erstellen',
    switchWorkspace: 'Arbeitsbereich wechseln',
    archiveWorkspace: 'Arbeitsbereich archivieren',
    restoreWorkspace: 'Arbeitsbereich wiederherstellen',
    saveState: 'Stand speichern',
    resumeState: 'Stand fortsetzen',
    archiveState: 'Stand archivieren',
    restoreState: 'Stand wiederherstellen',
    forgetState: 'Stand vergessen',
    undo: 'Letzte Aktion rückgängig machen',
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
    preparing: 'Gedächtnis wird gelesen…',
    noMatch: 'Keine Übereinstimmung. Weniger Buchstaben eingeben.',
    current: 'Aktuell',
    switchWorkspace: {
      placeholder: 'Zu Arbeitsbereich wechseln…',
      enter: 'zum Wechseln',
      empty:
        'Es gibt keinen anderen Arbeitsbereich. Mit „Arbeitsbereich erstellen“ kommt einer hinzu.',
    },
    archiveWorkspace: {
      placeholder: 'Arbeitsbereich archivieren…',
      enter: 'zum Archivieren',
      empty: 'Es gibt keinen Arbeitsbereich zum Archivieren. Der eingebaute bleibt immer da.',
    },
    restoreWorkspace: {
      placeholder: 'Arbeitsbereich wiederherstellen…',
      enter: 'zum Wiederherstellen',
      empty: 'Kein Arbeitsbereich ist archiviert. Archivierte lassen sich hier wiederherstellen.',
    },
    moveState: {
      placeholder: 'In Arbeitsbereich verschieben…',
      enter: 'zum Verschieben',
      empty: 'Kein anderer Arbeitsbereich. Mit „Arbeitsbereich erstellen“ einen anlegen.',
    },
    resumeState: {
      placeholder: 'Stand fortsetzen…',
      enter: 'zum Weitermachen',
      empty: 'Es gibt noch keinen Stand. Mit „Stand speichern“ kommt einer hinzu.',
    },
    archiveState: {
      placeholder: 'Stand archivieren…',
      enter: 'zum Archivieren',
      empty: 'Es gibt keinen Stand zum Archivieren. Mit „Stand speichern“ kommt einer hinzu.',
    },
    restoreState: {
      placeholder: 'Stand wiederherstellen…',
      enter: 'zum Wiederherstellen',
      empty: 'Kein Stand ist archiviert. Archivierte lassen sich hier wiederherstellen.',
    },
  },

  form: {
    remove: (entry) => `${entry} entfernen`,
    cancel: 'Abbrechen',
    submitHint: (key) => `${key === 'Ctrl' ? 'Strg' : key} + Eingabe zum Speichern`,
    required: 'Erforderlich.',
    discardTitle: 'Eingaben verwerfen?',
    discardText: 'Dieses Formular wurde nicht gespeichert.',
    discard: 'Verwerfen',
    keepEditing: 'Weiter bearbeiten',
    workspace: 'Arbeitsbereich',
    workspaceHint: 'Der Arbeitsbereich, in dem gespeichert wird.',
    noteWorkspace: (note) => `Die Notiz „${note}“ liegt in seinem Ordner.`,
    entryProblem: (entry, problem) => `Eintrag ${entry}: ${problem}.`,
    problem: (label, problem) => `${label}: ${problem}.`,
    noColon: (line) => `In Zeile ${line} fehlt der Doppelpunkt. Beispiel: „Ton: schlicht“.`,
    noKey: (line) =>
      `In Zeile ${line} steht nichts vor dem Doppelpunkt. Beispiel: „Ton: schlicht“.`,
    twice: (line, key) =>
      `Zeile ${line} legt „${key}“ ein zweites Mal fest. Nur eine Angabe behalten.`,
  },

  createWorkspace: {
    title: 'Arbeitsbereich erstellen',
    submit: 'Arbeitsbereich erstellen',
    sending: 'Wird erstellt…',
    labels: {
      name: 'Name',
      description: 'Beschreibung',
      purpose: 'Zweck',
      rootFolder: 'Ordner',
      keyFiles: 'Wichtige Dateien',
      workflows: 'Workflows',
      preferences: 'Einstellungen',
    },
    hints: {
      name: 'Einmalig in diesem Vault.',
      description: 'Wofür er da ist, in einer Zeile.',
      purpose: 'Was damit erreicht werden soll.',
      rootFolder:
        'Wo seine Notizen liegen; ein neuer Ordner wird angelegt. „/“ ist der ganze Vault.',
      keyFiles: 'Optional: die wichtigsten Notizen. Die Eingabetaste fügt eine hinzu.',
      workflows: 'Optional, eine pro Zeile.',
      preferences: 'Optional, eine pro Zeile, zum Beispiel „Ton: schlicht“.',
    },
    examples: {
      name: 'Gemüsegarten',
      rootFolder: 'Projekte/Garten',
      keyFiles: 'Notiz hinzufügen…',
    },
    taken: (name) =>
      `Ein Arbeitsbereich namens „${name}“ ist schon vorhanden, vielleicht ein archivierter. Bitte einen anderen Namen wählen.`,
  },

  saveState: {
    title: 'Stand speichern',
    submit: 'Stand speichern',
    sending: 'Wird gespeichert…',
    labels: {
      name: 'Name',
      conversationContext: 'Kontext',
      activeTask: 'Laufende Aufgabe',
      activeFiles: 'Aktive Dateien',
      nextSteps: 'Nächste Schritte',
      description: 'Beschreibung',
      tags: 'Tags',
    },
    hints: {
      name: 'Einmalig im Arbeitsbereich. Kann später nicht geändert werden.',
      conversationContext: 'Was zum Weitermachen nötig ist, für Mensch oder Agent.',
      activeTask: 'Woran gerade gearbeitet wird.',
      activeFiles:
        'Die jetzt geöffneten Notizen. Entfernen, was nicht dazugehört; die Eingabetaste fügt eine hinzu.',
      nextSteps: 'Optional: was beim Fortsetzen zuerst zu tun ist, eines pro Zeile.',
      description: 'Optional: eine Zeile für Listen.',
      tags: 'Optional. Die Eingabetaste fügt eines hinzu.',
    },
    examples: { activeFiles: 'Notiz hinzufügen…', tags: 'Tag hinzufügen…' },
    draftKept: 'Das zuvor Eingegebene ist wieder da.',
    startOver: 'Neu beginnen',
    taken: (name) =>
      `Ein Stand namens „${name}“ ist in diesem Arbeitsbereich schon vorhanden. Bitte einen anderen Namen wählen.`,
  },

  search,
  searchNotes,

  verify,
};
