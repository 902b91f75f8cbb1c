import type { settings as english } from '../en/settings.js';
import { counted, number } from './numbers.js';
import { move, exportTexts, importTexts, importForeign } from './transfer.js';

const notes = (count: number) => counted(count, 'Notiz', 'Notizen');
const files = (count: number) => counted(count, 'Datei', 'Dateien');

export const settings: typeof english = {
  dataFolder: {
    name: 'Datenordner',
    desc: 'Der Ordner in diesem Vault, in dem das Gedächtnis gespeichert ist. Er wird mit deinen Notizen synchronisiert.',
    move: 'Verschieben…',
  },
  defaultWorkspace: {
    name: 'Standard-Arbeitsbereich',
    desc: 'Der Arbeitsbereich, in dem ein neues Gerät beginnt.',
    archived: (name) => `${name} (archiviert)`,
    unknown: (id) => `Unbekannter Arbeitsbereich (${id})`,
  },
  deviceName: {
    name: 'Gerätename',
    desc: 'Wird mit jedem Stand gespeichert, damit du siehst, auf welchem Gerät er entstanden ist.',
    tooLong: (most) => `Bitte höchstens ${number(most)} Zeichen verwenden.`,
  },
  traceDays: {
    name: 'Werkzeugaufrufe behalten für',
    unit: 'Tage',
    desc: 'Tage, nach denen Werkzeugaufrufe entfernt werden können. Arbeitsbereiche und Stände bleiben für immer.',
  },
  callLimit: {
    name: 'Werkzeugaufrufe je Antwort',
    desc: 'Nach so vielen hält eine Antwort an. Sie lässt sich fortsetzen.',
  },
  traceMegabytes: {
    name: 'Werkzeugaufrufe behalten bis zu',
    unit: 'MB',
    desc: 'Maximale Größe aller Werkzeugaufrufe in Megabyte. Die ältesten werden zuerst entfernt.',
  },
  wholeNumber: (least, most) =>
    `Bitte eine ganze Zahl von ${number(least)} bis ${number(most)} angeben.`,
  excluded: {
    heading: 'Ausgeschlossene Ordner',
    empty:
      'Keine ausgeschlossenen Ordner. Notizen darin werden nicht durchsucht, nicht vorgeschlagen und nicht in Werkzeugaufrufen genannt.',
    placeholder: 'Auszuschließenden Ordner auswählen…',
    none: 'Es gibt keinen weiteren Ordner zum Ausschließen.',
    isSub: notes,
    gone: 'Zurzeit nicht im Vault',
  },

  toolsets: {
    heading: 'Zusätzliche Werkzeuge',
    about: 'Über zusätzliche Werkzeuge',
    aboutDesc:
      'Mehr Werkzeuge machen jede Anfrage länger. „Automatisch“ bietet sie nur an, wo das wenig kostet. Apps sehen die Änderung, wenn sie sich neu verbinden.',
    where: { usual: 'Automatisch', on: 'Immer', off: 'Nie' },
  },

  mirrorHeading: 'Stände als Notizen',
  mirror: {
    name: 'Jeden Stand als Notiz schreiben',
    desc: (folder) =>
      `Legt zu jedem Stand eine Notiz in „${folder}“ an, sodass Stände in Suche, Graph, Rückverweisen und Bases erscheinen, und eine mit den Aufgaben jedes Arbeitsbereichs, die du bearbeiten kannst. Nur dieses Gerät schreibt die Notizen. Wenn du eine andere bearbeitest, wird deine Fassung als Kopie behalten.`,
    status: 'Notizen zu Ständen',
    waiting: 'Warten, bis das Gedächtnis gelesen ist…',
    writing: 'Notizen werden geschrieben…',
    done: (count, folder) =>
      count === 0
        ? 'Es gibt noch keinen Stand zu schreiben.'
        : `${notes(count)} in „${folder}“ ${count === 1 ? 'ist' : 'sind'} aktuell.`,
    skipped: (count) =>
      count === 1
        ? 'Eine deiner Notizen mit gleichem Namen wurde behalten.'
        : `${number(count)} deiner Notizen mit gleichem Namen wurden behalten.`,
    leftAlone: (count) =>
      count === 1
        ? 'Eine Notiz wird nicht mehr aktualisiert, weil sie nach jedem Schreiben bearbeitet wird.'
        : `${number(count)} Notizen werden nicht mehr aktualisiert, weil sie nach jedem Schreiben bearbeitet werden.`,
    kept: (name, copy) =>
      `Savepoint schreibt die Notiz „${name}“. Deine bearbeitete Fassung heißt jetzt „${copy}“.`,
    keptSeveral: (copy, others) =>
      `Savepoint schreibt die Notizen, die du bearbeitet hast. Deine Fassungen sind jetzt „${copy}“ und ${number(others)} weitere.`,
    notPutBack: (name, copy) =>
      `„${name}“ wurde seitdem geändert oder verschoben, daher heißt deine Fassung weiterhin „${copy}“.`,
    remove: 'Notizen entfernen',
    removeButton: 'Entfernen…',
    removeDesc:
      'Verschiebt unveränderte Notizen zu Ständen in den Papierkorb. Das Gedächtnis selbst bleibt unverändert.',
    removeQuestion: (folder) =>
      `Unveränderte Notizen in „${folder}“ kommen in den Papierkorb. Das Gedächtnis selbst bleibt unverändert.`,
    removed: (count) =>
      count === 0 ? 'Es gab keine Notiz zu entfernen.' : `${notes(count)} entfernt.`,
  },
  mirrorFailed: (folder, why) =>
    `Nicht jede Notiz in „${folder}“ konnte geschrieben werden (${why}). Mit der nächsten Änderung wird es erneut versucht, oder sobald dies aus- und eingeschaltet wird.`,

  storage: {
    name: 'Speicher',
    desc: 'Größe, Geräte, Prüfen, Export und Import.',
    notOpen: 'Das Gedächtnis ist nicht geöffnet.',
    reading: 'Wird gelesen…',
    size: {
      name: 'Größe',
      desc: 'Speicherplatz des Datenordners.',
      lanes: {
        core: 'Arbeitsbereiche und Stände',
        chat: 'Unterhaltungen',
        trace: 'Werkzeugaufrufe',
        session: 'Sitzungen',
      },
      files,
      empty: 'noch nichts',
    },
    devices: {
      name: 'Geräte',
      desc: 'Geräte, die Arbeitsbereiche und Stände gespeichert haben, und wann.',
      empty: 'Noch nichts gespeichert.',
      columns: { device: 'Gerät', events: 'Änderungen', last: 'Zuletzt' },
      unnamed: 'Unbenanntes Gerät',
      thisOne: (name) => `${name} (dieses Gerät)`,
      alone: 'Bisher hat kein anderes Gerät hier geschrieben.',
      intro:
        'Bestätige die Geräte, die dir gehören. Vergleiche jeden Namen mit dem, den das Gerät selbst hier als „Dieses Gerät“ zeigt: Wer in diesen Vault schreiben kann, kann ein Gerät nachahmen.',
      trusts: { own: 'Dieses Gerät', confirmed: 'Bestätigt', unknown: 'Nicht bestätigt' },
      newWriters: (count) =>
        `Schrieb auch unter ${counted(count, 'neuen Kennung, die nicht bestätigt ist', 'neuen Kennungen, die nicht bestätigt sind')}`,
      counts: (states, others) =>
        `${counted(states, 'Stand', 'Stände')}, ${counted(others, 'weitere Zeile', 'weitere Zeilen')}`,
      namesake: 'Heißt wie dieses Gerät und kann deshalb nicht bestätigt werden',
      confirm: 'Bestätigen',
      withdraw: 'Zurücknehmen',
      more: (count) => `Und ${counted(count, 'weiteres Gerät', 'weitere Geräte')}.`,
    },
    verify: {
      name: 'Prüfen',
      desc: 'Prüft, dass im Gedächtnis nichts fehlt oder beschädigt ist.',
    },
    cache: {
      desc: 'Baut Suchindex und Start-Cache dieses Geräts neu auf. Deine Daten bleiben unberührt.',
      button: 'Neu aufbauen',
    },
    export: {
      name: 'Export',
      desc: 'Kopiert das ganze Gedächtnis in einen neuen Ordner dieses Vaults, zum Aufbewahren oder zum Import anderswo.',
      button: 'Exportieren…',
    },
    import: {
      name: 'Import',
      desc: 'Fügt hinzu, was in einem Export neu ist, oder das Gedächtnis von Nexus, dem MCP-Server „memory“ oder Basic Memory. Vorher wird eine Vorschau angezeigt.',
      button: 'Importieren…',
    },
  },

  move,

  export: exportTexts,

  import: importTexts,

  importForeign,

  outflow: {
    name: 'Datenschutz',
    desc: 'Was dieses Gerät verlässt und was wo gespeichert wird.',
    network: {
      name: 'Von Savepoint selbst gesendet: nichts',
      desc: 'Kein Server von uns, keine Telemetrie, keine Suche nach Aktualisierungen; kein Modell wird im Hintergrund gefragt, außer für die Suche wurde eines eingerichtet.',
    },
    chat: {
      name: 'Beim Chatten gesendet',
      desc: 'Die Nachricht, was in der Unterhaltung davor kam, was angefügt ist, die offene Notiz, wenn ihr Chip an ist, und die Antworten der Werkzeuge, die das Modell aufruft, gehen mit dem eigenen Schlüssel an den gewählten Anbieter; an niemanden sonst.',
    },
    sync: {
      name: 'Von der Synchronisation mitgenommen',
      desc: (folder) =>
        `Was im Vault liegt, geht dorthin, wohin die Synchronisation den Vault bringt, und der Datenordner „${folder}“ mit ihm.`,
    },
    apps: {
      name: 'Von verbundenen KI-Apps gelesen',
      desc: 'Eine verbundene App außerhalb von Obsidian liest, was sie lesen darf, und schreibt, wo sie darf; was sie dann an ihr eigenes Modell sendet, ist Sache dieser App. Ist eine Adresse für HTTP geöffnet, erreichen sie nur Programme auf diesem Computer, jedes mit einem Token, das auf diesem Gerät außerhalb des Vaults liegt.',
    },
    clipboard: {
      name: 'Selbst kopiert',
      desc: 'Ein Stand kommt in die Zwischenablage, wenn er als Prompt kopiert wird, und nirgendwohin sonst.',
    },
    written: 'Was wo gespeichert wird',
    inVault: (folder) => `„${folder}“ im Vault`,
    data: 'Arbeitsbereiche, Stände und die Aufzeichnung der Werkzeugaufrufe.',
    notes: {
      on: 'Die Stände als Notizen, von diesem Gerät geschrieben.',
      off: 'Die Stände als Notizen, nur wo das eingeschaltet ist; auf diesem Gerät ist es aus.',
    },
    roots: {
      name: 'Ordner von Arbeitsbereichen',
      desc: 'Der Ordner eines Arbeitsbereichs wird beim Erstellen des Arbeitsbereichs angelegt, falls es ihn noch nicht gibt.',
    },
    plugin: 'Diese Einstellungen, ohne ein Geheimnis darin.',
    device: {
      name: 'Der eigene Speicher dieses Geräts',
      desc: 'Der aktuelle Arbeitsbereich, nicht Gespeichertes und wo das Schreiben endete; nichts davon wird synchronisiert.',
      called: (device) => `Im Gedächtnis heißt dieses Gerät „${device}“.`,
    },
  },
};
