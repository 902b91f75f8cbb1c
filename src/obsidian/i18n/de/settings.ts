import type { settings as english } from '../en/settings.js';
import { counted, number } from './numbers.js';

const notes = (count: number) => counted(count, 'Notiz', 'Notizen');
const lines = (count: number) => counted(count, 'Zeile', 'Zeilen');
const files = (count: number) => counted(count, 'Datei', 'Dateien');
const events = (count: number) => counted(count, 'Ereignis', 'Ereignisse');
const entries = (count: number) => counted(count, 'Eintrag', 'Einträge');
const added = (count: number, known: number) => `${number(count)} neu, ${number(known)} schon da`;

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
    desc: 'Tage, nach denen Werkzeugaufrufe entfernt werden können. Arbeitsbereiche und Stände bleiben für immer.',
  },
  traceMegabytes: {
    name: 'Werkzeugaufrufe behalten bis zu',
    desc: 'Maximale Größe aller Werkzeugaufrufe in Megabyte. Die ältesten werden zuerst entfernt.',
  },
  wholeNumber: (least, most) =>
    `Bitte eine ganze Zahl von ${number(least)} bis ${number(most)} angeben.`,
  excluded: {
    heading: 'Ausgeschlossene Ordner',
    empty:
      'Keine ausgeschlossenen Ordner. Notizen darin werden nicht durchsucht, nicht vorgeschlagen und nicht in Werkzeugaufrufen genannt.',
    add: 'Ordner ausschließen',
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
      `Legt zu jedem Stand eine Notiz in „${folder}“ an, sodass Stände in Suche, Graph, Rückverweisen und Bases erscheinen, und eine mit den Aufgaben jedes Arbeitsbereichs, in der du Aufgaben abhaken kannst. Nur dieses Gerät schreibt die Notizen. Wenn du eine bearbeitest, wird deine Fassung als Kopie behalten.`,
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
    },
    verify: {
      name: 'Prüfen',
      desc: 'Prüft, dass im Gedächtnis nichts fehlt oder beschädigt ist.',
      button: 'Prüfen',
    },
    cache: {
      name: 'Cache neu aufbauen',
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

  move: {
    title: 'Gedächtnis verschieben',
    intro: (folder) => `Ordner des Gedächtnisses: „${folder}“`,
    field: 'Neuer Ordner',
    hint: 'Ein Ordner dieses Vaults, zum Beispiel „Archiv/Savepoint“.',
    move: 'Verschieben',
    moving: 'Wird verschoben…',
    use: 'Diesen Ordner verwenden',
    cancel: 'Abbrechen',
    empty:
      'Bitte einen Ordner im Vault nennen. Der Vault selbst kann das Gedächtnis nicht aufnehmen.',
    problem: (path, problem) => `„${path}“: ${problem}.`,
    hidden: (path) =>
      `„${path}“ ist verborgen: Was mit einem Punkt beginnt, wird von Obsidian weder angezeigt noch synchronisiert. Bitte einen sichtbaren Ordner wählen.`,
    config: (path) =>
      `In „${path}“ bewahrt Obsidian seine Einstellungen auf. Bitte einen anderen Ordner wählen.`,
    same: (path) => `Das Gedächtnis liegt schon in „${path}“.`,
    inside: (path) =>
      `„${path}“ liegt im jetzigen Datenordner. Bitte einen Ordner außerhalb davon wählen.`,
    file: (path) =>
      `„${path}“ ist eine Datei oder liegt in einer. Bitte einen anderen Ordner wählen.`,
    outside: (path) =>
      `„${path}“ ist ein Link, der aus dem Vault hinausführt. Bitte einen anderen Ordner wählen.`,
    free: (path, from) =>
      `„${path}“ ist frei. Das Gedächtnis kann dorthin verschoben werden; oder es bleibt in „${from}“, wo es nicht mehr gelesen wird, und ein leeres beginnt.`,
    holdsMemory: (path, from) =>
      `„${path}“ enthält schon ein Gedächtnis, deshalb lässt sich nichts dorthin verschieben. Es kann stattdessen verwendet werden; was in „${from}“ liegt, bleibt dort und wird nicht mehr gelesen.`,
    holdsFiles: (path, from) =>
      `„${path}“ enthält andere Dateien, deshalb lässt sich nichts dorthin verschieben. Neben ihnen kann ein leeres Gedächtnis beginnen; was in „${from}“ liegt, bleibt dort und wird nicht mehr gelesen.`,
    otherDevices:
      'Überträgt die Synchronisation keine Einstellungen von Erweiterungen, den Ordner auch auf den anderen Geräten ändern.',
    moved: (path) => `Das Gedächtnis liegt jetzt in „${path}“.`,
    used: (path) => `Savepoint verwendet jetzt das Gedächtnis in „${path}“.`,
    failed: (path, why) =>
      `Das Gedächtnis konnte nicht nach „${path}“ verschoben werden: ${why}. Es liegt, wo es lag.`,
  },

  export: {
    title: 'Gedächtnis exportieren',
    form: 'Format',
    formHint: 'Daten lassen sich wieder importieren; Notizen sind zum Lesen.',
    forms: { jsonl: 'Daten (.jsonl)', notes: 'Notizen (Markdown)' },
    folder: 'Ordner',
    folderHint: 'Neu oder leer, in diesem Vault.',
    folderName: (day) => `Savepoint-Export ${day}`,
    button: 'Exportieren',
    running: 'Gedächtnis wird gelesen…',
    writing: (done, total) => `${number(done)} von ${files(total)} geschrieben…`,
    taken: (path) =>
      `„${path}“ ist nicht leer. Bitte einen neuen oder leeren Ordner wählen; ein Export überschreibt niemals etwas.`,
    inData: (path) =>
      `„${path}“ liegt im Datenordner und würde dort für einen Teil des Gedächtnisses gehalten. Bitte einen anderen Ordner wählen.`,
    nothing: 'Noch ist nichts gespeichert, also gibt es nichts zu exportieren.',
    doneLines: (count, path) => `${events(count)} nach „${path}“ exportiert.`,
    doneNotes: (count, path) => `${notes(count)} nach „${path}“ exportiert.`,
    leftOut: (count) =>
      `${lines(count)} des Gedächtnisses ${count === 1 ? 'war nicht lesbar und fehlt' : 'waren nicht lesbar und fehlen'}; „Prüfen“ sagt, welche.`,
    waiting: (count) =>
      `Der Export ist nicht vollständig: ${files(count)} ${count === 1 ? 'kann' : 'können'} gerade nicht gelesen werden. Die Synchronisation abwarten, dann in einen anderen Ordner exportieren.`,
    close: 'Schließen',
    cancel: 'Abbrechen',
  },

  import: {
    title: 'Gedächtnis importieren',
    files: 'Dateien von diesem Gerät',
    choose: 'Dateien auswählen…',
    filesHint: 'Eine oder mehrere .jsonl-Dateien eines Exports.',
    folder: 'Ordner in diesem Vault',
    folderHint: 'Liest jede .jsonl-Datei darin und in Unterordnern.',
    look: 'Vorschau',
    looking: 'Wird mit dem Gedächtnis verglichen…',
    noFiles: (path) =>
      `„${path}“ enthält keine .jsonl-Datei. Bitte den Ordner eines Exports wählen; ein Export als Notizen lässt sich nicht importieren.`,
    dryRun: 'Vorschau: Noch ist nichts geschrieben.',
    read: (count) => `${events(count)} gelesen`,
    news: (count) => `${number(count)} neu`,
    known: (count) => `${number(count)} schon da`,
    retired: (count) => `${number(count)} ausgelassen: bereits aus diesem Gedächtnis entfernt`,
    lost: (count) =>
      `${events(count)} des ursprünglichen Exports ${count === 1 ? 'fehlt' : 'fehlen'} in dieser Kopie. Bitte eine vollständige Kopie verwenden, falls vorhanden.`,
    bad: 'Diese Zeilen werden übersprungen:',
    more: (count) => `und ${number(count)} weitere`,
    nothingNew: 'Alles ist bereits in diesem Gedächtnis.',
    button: (count) => `${events(count)} importieren`,
    importing: 'Wird geschrieben…',
    otherVault:
      'Dies ist das Gedächtnis eines anderen oder unbekannten Vaults. Das Zusammenführen lässt sich nicht rückgängig machen.',
    merge: 'Beide Gedächtnisse zusammenführen',
    done: (count) => `${events(count)} importiert.`,
    close: 'Schließen',
    cancel: 'Abbrechen',
  },

  importForeign: {
    whose: 'Programm',
    choose: 'Auswählen…',
    programs: {
      savepoint: 'Savepoint',
      nexus: 'Nexus',
      'server-memory': 'MCP-Server „memory“',
      'basic-memory': 'Basic Memory',
    },
    several: 'Diese Dateien enthalten das Gedächtnis mehrerer Programme.',
    found: (program, count, isNotes) =>
      `${program}: ${isNotes ? notes(count) : lines(count)} gelesen.`,
    kind: {
      workspaces: (count, known) => `Arbeitsbereiche: ${added(count, known)}`,
      states: (count, known) => `Stände: ${added(count, known)}`,
      traces: (count, known) => `Werkzeugaufrufe: ${added(count, known)}`,
      conversations: (count, known) => `Unterhaltungen: ${added(count, known)}`,
      messages: (count, known) => `Nachrichten: ${added(count, known)}`,
      records: (count, known) => `Einträge: ${added(count, known)}`,
      changes: (count, known) => `Spätere Änderungen: ${added(count, known)}`,
    },
    archived: (count) => `${number(count)} archiviert (dort bereits archiviert oder gelöscht)`,
    duplicates: (count) =>
      count === 1
        ? '1 doppelte Zeile, einmal gelesen'
        : `${number(count)} doppelte Zeilen, einmal gelesen`,
    troublesTitle:
      'Probleme mit diesen Zeilen. Nach einer Korrektur erneut importieren; nichts wird doppelt angelegt:',
    trouble: {
      damaged: 'beschädigt; übersprungen',
      salvaged: 'beschädigt; der intakte Teil wurde importiert',
      garbled: 'importiert, mit ungültigen Zeichen',
      foreign: 'nicht von diesem Programm; übersprungen',
      tooLong: 'zu lang für einen Eintrag; übersprungen',
    },
    leftOutTitle: 'Ausgelassen:',
    left: {
      lastUse: (count) =>
        `${counted(count, 'Nutzungszeitpunkt', 'Nutzungszeitpunkte')}, nicht importiert`,
      sessions: (count) =>
        `${lines(count)} zu Sitzungen, bereits in den Werkzeugaufrufen enthalten`,
      copies: (count) =>
        `${counted(count, 'Kopie', 'Kopien')} eines Arbeitsbereichs innerhalb eines Stands; der Arbeitsbereich selbst wird importiert`,
      chatSettings: (count) =>
        `${counted(count, 'Satz', 'Sätze')} Unterhaltungseinstellungen, etwa das Modell`,
      emptyMessages: (count) => counted(count, 'leere Nachricht', 'leere Nachrichten'),
      unknown: (count) => `${lines(count)} unbekannter Art`,
      orphans: (count) => `${lines(count)} ohne zugehörigen Eintrag`,
      otherNotes: (count) =>
        counted(
          count,
          'Notiz, die nicht von Basic Memory stammt',
          'Notizen, die nicht von Basic Memory stammen',
        ),
      retired: (count) =>
        `${counted(count, 'Werkzeugaufruf', 'Werkzeugaufrufe')}, früher importiert und seitdem entfernt`,
      forgotten: (count) =>
        `${counted(count, 'Eintrag', 'Einträge')}, früher importiert und seitdem vergessen`,
    },
    renamed: 'Umbenannt (der ursprüngliche Name war vergeben oder ist nicht zulässig):',
    secrets: 'Unverändert importiert, sieht nach Zugangsdaten aus (dort ändern, wo sie gelten):',
    button: (count) => `${entries(count)} importieren`,
    done: (count) => `${entries(count)} importiert.`,
  },

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
    data: {
      name: (folder) => `„${folder}“ im Vault`,
      desc: 'Arbeitsbereiche, Stände und die Aufzeichnung der Werkzeugaufrufe.',
    },
    notes: {
      name: (folder) => `„${folder}“ im Vault`,
      on: 'Die Stände als Notizen, von diesem Gerät geschrieben.',
      off: 'Die Stände als Notizen, nur wo das eingeschaltet ist; auf diesem Gerät ist es aus.',
    },
    roots: {
      name: 'Ordner von Arbeitsbereichen',
      desc: 'Der Ordner eines Arbeitsbereichs wird beim Erstellen des Arbeitsbereichs angelegt, falls es ihn noch nicht gibt.',
    },
    plugin: {
      name: (folder) => `„${folder}“ im Vault`,
      desc: 'Diese Einstellungen, ohne ein Geheimnis darin.',
    },
    device: {
      name: 'Der eigene Speicher dieses Geräts',
      desc: 'Der aktuelle Arbeitsbereich, nicht Gespeichertes und wo das Schreiben endete; nichts davon wird synchronisiert.',
      called: (device) => `Im Gedächtnis heißt dieses Gerät „${device}“.`,
    },
  },
};
