import { moreFindings } from './pages.js';
import type { DeviceAgreement } from '../../../storage/integrity/device-agreement.js';
import type { commands as english } from '../en/commands.js';
import { search, searchNotes } from './search.js';
import { counted, number } from './numbers.js';

/** Texts about a device's last report, which follow the device's name. */
const AGREEMENTS: Record<DeviceAgreement['state'], (here: string, there: string) => string> = {
  agrees: (_, there) =>
    there === '0'
      ? 'stimmt überein: Es hatte keine Ereignisse der anderen, und hier sind keine'
      : `stimmt überein: Es hatte dieselben ${there} Ereignisse der anderen, die hier sind`,
  lags: (here, there) =>
    `liegt zurück: Es hatte ${there} der ${here} Ereignisse der anderen, die aus der Zeit davor hier sind`,
  ahead: (here, there) =>
    `hat mehr: Es hatte ${there} Ereignisse der anderen, und nur ${here} aus der Zeit davor sind hier; beide synchronisieren lassen, dann erneut prüfen`,
  differs: (_, there) =>
    `weicht ab: Es hatte ${there} Ereignisse der anderen, so viele wie hier sind, aber nicht dieselben; beide synchronisieren lassen, dann erneut prüfen`,
};

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

  verify: {
    title: 'Gedächtnis prüfen',
    running: 'Alle Dateien werden gelesen…',
    progress: (read, total) => `${number(read)} von ${number(total)} Dateien gelesen`,
    whole: 'Alles ist vollständig',
    wholeText: 'Nichts fehlt, und jeder Stand ist so, wie er gespeichert wurde.',
    notWhole: 'Daten fehlen oder sind beschädigt',
    notWholeText: 'Die Befunde stehen unten, mit Abhilfe.',
    noticed: 'Soweit bekannt, fehlt nichts',
    noticedText: 'Die Befunde stehen unten, mit Abhilfe.',
    empty: 'Noch ist nichts gespeichert',
    emptyText:
      'Der Datenordner enthält keine Ereignisse. Sobald ein Stand gespeichert ist, wird er hier geprüft.',
    failed: 'Das Gedächtnis konnte nicht geprüft werden',
    stopped: 'Die Prüfung wurde angehalten.',
    facts: (events, writers) =>
      `${counted(events, 'Ereignis', 'Ereignisse')} von ${number(writers)} ${writers === 1 ? 'Schreiber' : 'Schreibern'}`,
    digest: 'Prüfsumme',
    digestHint: 'Zwei Geräte mit derselben Prüfsumme enthalten dasselbe.',
    details: 'Details',
    dismiss: 'Auf diesem Gerät nicht mehr melden',
    recover: 'Zurückholen',
    recovered: (count) => `${number(count)} Ereignisse wurden zurückgeholt.`,
    whatToDo: 'Was zu tun ist',
    first: (detail) => `zuerst ${detail}`,
    more: (count) => `und ${number(count)} weitere; der kopierte Bericht enthält alle`,
    writers: 'Schreiber',
    devices: 'Letzte Meldung jedes Geräts',
    columns: { writer: 'Schreiber', lane: 'Spur', held: 'Vorhanden', notes: 'Anmerkungen' },
    heldOf: (held, claimed) => `${number(held)} von ${number(claimed)}`,
    missing: (ranges) => `es fehlen ${ranges}`,
    forked: (count) => `${number(count)} doppelt vergeben`,
    retired: (count) => `${number(count)} entfernt`,
    nothingMissing: 'vollständig',
    findings: {
      restorable: {
        means: 'Ereignisse, die hier fehlen und von denen dieses Gerät Kopien hat',
        advice:
          '„savepoint verify --heal“ stellt sie sofort wieder her; sonst tut Savepoint es innerhalb von zwei Minuten, solange es läuft.',
      },
      uncopied: {
        means: 'Ereignisse, die hier sind, aber auf diesem Gerät nicht kopiert werden konnten',
        advice:
          'Auf dem Datenträger mit den Daten von Savepoint Platz schaffen, dann „savepoint verify --heal“ ausführen; ohne Kopien kann dieses Gerät sie nicht wiederherstellen.',
      },
      removed: {
        means:
          'Ereignisse eines Gedächtnisses, das als Ganzes aus diesem Vault entfernt wurde und von dem dieses Gerät Kopien hat',
        advice:
          'Wurde der Ordner nicht mit Absicht entfernt, das Gedächtnis zurückholen, hier oder mit „savepoint verify --recover ID“; sonst auf diesem Gerät nicht mehr melden.',
      },
      replaced: {
        means:
          'Ereignisse, die nicht hier sind, während andere mit denselben Nummern es sind, etwa nach dem Einspielen einer Sicherung oder wenn Zeilen neu geschrieben wurden',
        advice:
          'Alle Geräte synchronisieren lassen, dann erneut prüfen; ein Gerät, das sie noch hat, stellt sie wieder her, ebenso der Import eines Exports; wurde keine Sicherung eingespielt, nachsehen, wer in diesen Vault schreiben kann.',
      },
      duplicate: {
        means: 'Ereignisse, die etwas ein zweites Mal erstellen und nicht wirken',
        advice:
          'Savepoint schreibt solche Zeilen nie: nachsehen, wer in diesen Vault schreiben kann und ob der wirksame Eintrag der richtige ist.',
      },
      impossible: {
        means:
          'Ereignisse, die entfernen sollen, was nie entfernt wird, die weit mehr erwähnen, als geschrieben sein kann, oder von denen mehr als 100 zugleich einen Wert setzen',
        advice:
          'Savepoint schreibt solche Zeilen nie: nachsehen, wer in diesen Vault schreiben kann; ein neuer Wert ersetzt die anderen.',
      },
      forgery: {
        means:
          'Ereignisse, die Zeilen löschen sollen, deren Inhalt sie nicht kennen, und nichts löschen',
        advice:
          'Savepoint schreibt solche Zeilen nie: nachsehen, wer in diesen Vault schreiben kann, und sie mit „savepoint forget --refuse ID“ ablehnen, damit die Zeilen wieder zu sehen sind.',
      },
      stub: {
        means: 'Ereignisse, deren Inhalt entfernt wurde, obwohl niemand ihn löschen ließ',
        advice:
          'Alle Geräte synchronisieren lassen, dann erneut prüfen; bleiben sie, stellt ein Gerät mit Kopien sie wieder her; nachsehen, wer in diesen Vault schreiben kann.',
      },
      ...moreFindings,
      future: {
        means: 'Ereignisse, die mehr als einen Tag in der Zukunft liegen',
        advice:
          'Die Uhr des Geräts prüfen, das sie geschrieben hat. Sie wirken, spätere Änderungen gehen vor, und neue Einträge erhalten das richtige Datum.',
      },
      misplaced: {
        means: 'Zeilen im Ordner einer anderen Art von Zeilen',
        advice: 'Sie wirken, also ist nichts zu tun.',
      },
      healed: {
        means:
          'Zeilen, die verändert oder beschädigt wurden und deren Originale hier sind und wirken',
        advice:
          'Es ist nichts zu tun; hat sie niemand mit Absicht verändert, nachsehen, wer in diesen Vault schreiben kann.',
      },
      missing: {
        means: 'Ereignisse, die geschrieben wurden und nicht hier sind',
        advice:
          'Alle Geräte synchronisieren lassen, dann erneut prüfen; eine Kopie der fehlenden Datei in ihrem Ordner (core, chat oder trace) behebt es, unter beliebigem Namen, ebenso der Import eines Exports.',
      },
      content: {
        means: 'Stände, die nicht das sind, was gespeichert wurde, denn ihr Hash passt nicht',
        advice:
          'Ihnen in nichts Wichtigem vertrauen und nachsehen, wer in diesen Vault schreiben kann; der nächste unter neuem Namen gespeicherte Stand ist in Ordnung.',
      },
      stray: {
        means:
          'Stände oder Einträge eines Arbeitsbereichs, der nicht hier ist, sodass keine Liste sie zeigt',
        advice:
          'Sie sind sicher und erscheinen wieder, sobald die Zeile zurück ist, die ihren Arbeitsbereich erstellt hat: alle Geräte synchronisieren lassen oder einen Export importieren.',
      },
      edited: {
        means: 'Zeilen, die von Hand oder von einem Programm verändert wurden und nicht wirken',
        advice:
          'Die Datei wieder so herstellen, wie sie war, von einem anderen Gerät oder aus einer Sicherung; dann zählt wieder, was die Zeile vorher sagte.',
      },
      damaged: {
        means: 'Zeilen, die abgerissen oder beschädigt sind und nicht wirken',
        advice:
          'Fehlt nichts, ist alles aus ihnen in einer anderen Kopie hier, und es ist nichts zu tun; sonst die Datei von einem anderen Gerät oder aus einer Sicherung holen.',
      },
      waiting: {
        means:
          'Dateien, die jetzt nicht gelesen werden können oder noch nicht heruntergeladen sind',
        advice:
          'Sie vom Synchronisationsdienst herunterladen lassen oder diesem Programm das Lesen erlauben, dann erneut prüfen.',
      },
      newer: {
        means: 'Zeilen, die ein neueres Savepoint geschrieben hat und dieses nicht versteht',
        advice:
          'Sie sind sicher und zählen wieder, sobald Savepoint auf diesem Gerät aktualisiert ist.',
      },
      fork: {
        means:
          'Ereignisse mit einer Nummer, die auch ein anderes trägt, etwa nachdem ein Vault kopiert oder zurückgesetzt wurde',
        advice:
          'Alle zählen, also ist nichts zu tun; geht es weiter, darauf achten, dass nicht zwei Computer denselben Zustandsordner benutzen.',
      },
      marker: {
        means: 'Zeilen, die Git nach einem Konflikt hinterlassen hat und die nicht wirken',
        advice:
          'Durch sie geht nichts verloren; den Konflikt in Git auflösen und dabei die Zeilen beider Seiten behalten.',
      },
      foreign: {
        means: 'Zeilen, die keine Ereignisse dieses Protokolls sind und nicht wirken',
        advice:
          'Nichts hängt von ihnen ab; stammt eine Datei nicht von Savepoint, sie aus dem Datenordner nehmen.',
      },
      pending: {
        means: 'letzte Zeilen, die noch nicht vollständig sind',
        advice:
          'Ein anderes Gerät schreibt oder synchronisiert vielleicht noch: später erneut prüfen; bleibt eine Zeile so, wurde sie nie bestätigt, oder sie wird als fehlend gemeldet.',
      },
      dismissed: {
        means:
          'Ereignisse, die nicht hier sind und die du auf diesem Gerät nicht mehr gemeldet haben willst',
        advice: 'Es ist nichts zu tun; tauchen sie auf, wirken sie.',
      },
      retired: {
        means: 'Ereignisse, die mit Absicht entfernt wurden',
        advice: 'Es ist nichts zu tun.',
      },
    },
    agreement: ({ state, here, there }) => AGREEMENTS[state](number(here), number(there)),
    copy: 'Bericht kopieren',
    copied: 'Bericht kopiert.',
    again: 'Erneut prüfen',
    close: 'Schließen',
  },
};
