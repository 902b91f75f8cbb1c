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
    desc: 'Der Ordner dieses Vaults, in dem das Gedächtnis liegt; die Synchronisation nimmt ihn mit den Notizen mit.',
    move: 'Verschieben…',
  },
  defaultWorkspace: {
    name: 'Standard-Arbeitsbereich',
    desc: 'Wo ein Gerät beginnt, das noch in keinem Arbeitsbereich war.',
    archived: (name) => `${name} (archiviert)`,
    unknown: (id) => `Unbekannter Arbeitsbereich (${id})`,
  },
  traceDays: {
    name: 'Werkzeugaufrufe behalten für',
    desc: 'Tage, nach denen die Aufzeichnung eines Werkzeugaufrufs entfernt werden darf; Arbeitsbereiche und Stände bleiben für immer.',
  },
  traceMegabytes: {
    name: 'Werkzeugaufrufe behalten bis zu',
    desc: 'Megabyte, die die Aufzeichnung der Werkzeugaufrufe belegen darf; die ältesten werden zuerst entfernt.',
  },
  wholeNumber: (least, most) =>
    `Bitte eine ganze Zahl von ${number(least)} bis ${number(most)} angeben.`,
  excluded: {
    heading: 'Ausgeschlossene Ordner',
    empty:
      'Kein Ordner ist ausgeschlossen. Notizen in einem ausgeschlossenen Ordner werden nicht durchsucht, nicht in Formularen angeboten und nicht in der Aufzeichnung der Werkzeugaufrufe genannt.',
    add: 'Ordner ausschließen',
    placeholder: 'Auszuschließenden Ordner auswählen…',
    none: 'Es gibt keinen weiteren Ordner zum Ausschließen.',
    isSub: notes,
    gone: 'Zurzeit nicht im Vault',
  },

  agents: {
    heading: 'Weitere Werkzeuge',
    about: 'Werkzeuge neben Gedächtnis und Suche',
    aboutDesc:
      'Eine App, die jedes Werkzeug einzeln sieht, hat mit jedem dieser Bereiche mehr zu lesen und erhält sie deshalb nur, wo „Überall“ gewählt ist. Der Chat und andere Apps erhalten sie überall, wo es wenig kostet. Eine App bemerkt die Änderung, wenn sie sich neu verbindet.',
    where: { usual: 'Wo es wenig kostet', on: 'Überall', off: 'Nirgends' },
  },

  mirrorHeading: 'Stände als Notizen',
  mirror: {
    name: 'Jeden Stand als Notiz schreiben',
    desc: (folder) =>
      `Legt zu jedem Stand eine schreibgeschützte Notiz in „${folder}“ an, sodass Stände in Suche, Graph, Rückverweisen und Bases erscheinen; das tut nur dieses Gerät.`,
    status: 'Notizen zu Ständen',
    off: 'Dieses Gerät schreibt keine Notizen.',
    waiting: 'Warten, bis das Gedächtnis gelesen ist…',
    writing: 'Notizen werden geschrieben…',
    done: (count, folder) =>
      count === 0
        ? 'Es gibt noch keinen Stand zu schreiben.'
        : `${notes(count)} in „${folder}“ ${count === 1 ? 'ist' : 'sind'} aktuell.`,
    passed: (count) =>
      count === 1
        ? 'Eine eigene Notiz war im Weg und bleibt, wie sie ist.'
        : `${number(count)} eigene Notizen waren im Weg und bleiben, wie sie sind.`,
    remove: 'Notizen entfernen',
    removeDesc:
      'Verschiebt die Notizen, die niemand verändert hat, in den Papierkorb, falls sie nicht mehr gewünscht sind; das Gedächtnis selbst bleibt, wie es ist.',
    removeQuestion: (folder) =>
      `Die Notizen in „${folder}“, die niemand verändert hat, kommen in den Papierkorb. Das Gedächtnis selbst bleibt, wie es ist.`,
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
      desc: 'Was das Gedächtnis im Datenordner belegt.',
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
      desc: 'Wer Arbeitsbereiche und Stände in dieses Gedächtnis geschrieben hat, und wann zuletzt.',
      empty: 'Noch ist nichts gespeichert. Wer etwas speichert, erscheint hier.',
      columns: { device: 'Gerät', events: 'Änderungen', last: 'Zuletzt' },
      unnamed: 'Ein Gerät ohne Namen',
      thisOne: (name) => `${name} (dieses Gerät)`,
      alone:
        'Bisher hat kein anderes Gerät hier geschrieben. Bei mehreren Geräten mit Obsidian Sync auf jedem „Alle anderen Dateien synchronisieren“ unter Einstellungen, Sync, Selektive Synchronisation einschalten: Sonst bleibt das Gedächtnis auf dem jeweiligen Gerät.',
      several:
        'Mit Obsidian Sync muss auf jedem Gerät „Alle anderen Dateien synchronisieren“ unter Einstellungen, Sync, Selektive Synchronisation eingeschaltet sein.',
    },
    verify: {
      name: 'Prüfen',
      desc: 'Liest das ganze Gedächtnis neu und prüft, dass nichts fehlt oder beschädigt ist.',
      button: 'Prüfen',
    },
    cache: {
      name: 'Cache neu aufbauen',
      desc: 'Verwirft, was dieses Gerät außerhalb des Vaults zum schnelleren Starten und Suchen aufbewahrt, und legt es neu an; nichts geht verloren.',
      button: 'Neu aufbauen',
    },
    export: {
      name: 'Export',
      desc: 'Kopiert das ganze Gedächtnis in einen neuen Ordner dieses Vaults, zum Aufbewahren oder zum Import anderswo.',
      button: 'Exportieren…',
    },
    import: {
      name: 'Import',
      desc: 'Fügt hinzu, was ein Export enthält und dieses Gedächtnis nicht, oder was Nexus, der MCP-Server „memory“ oder Basic Memory aufbewahrt haben; was sich ändern würde, ist vorher zu sehen.',
      button: 'Importieren…',
    },
  },

  move: {
    title: 'Gedächtnis verschieben',
    intro: (folder) => `Das Gedächtnis liegt in „${folder}“.`,
    field: 'Neuer Ordner',
    hint: 'Ein Ordner dieses Vaults, zum Beispiel „Archiv/Savepoint“.',
    move: 'Gedächtnis dorthin verschieben',
    moving: 'Wird verschoben…',
    use: 'Diesen Ordner verwenden, wie er ist',
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
    form: 'Form',
    formHint: 'Zeilen lassen sich wieder importieren; Notizen sind für Menschen zum Lesen.',
    forms: { jsonl: 'Zeilen (.jsonl)', notes: 'Notizen (Markdown)' },
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
    filesHint: 'Die .jsonl-Datei eines Exports, oder mehrere.',
    folder: 'Ordner in diesem Vault',
    folderHint: 'Nimmt jede .jsonl-Datei darin und darunter.',
    look: 'Ansehen',
    looking: 'Wird mit dem Gedächtnis verglichen…',
    noFiles: (path) =>
      `„${path}“ enthält keine .jsonl-Datei. Bitte den Ordner eines Exports wählen; ein Export als Notizen lässt sich nicht importieren.`,
    dryRun: 'Dies würde geschehen. Noch ist nichts geschrieben.',
    read: (count) => `${events(count)} gelesen`,
    news: (count) => `${number(count)} neu`,
    known: (count) => `${number(count)} schon da`,
    retired: (count) => `${number(count)} ausgelassen: mit Absicht aus diesem Gedächtnis entfernt`,
    lost: (count) =>
      `${events(count)}, mit ${count === 1 ? 'dem' : 'denen'} der Export gemacht wurde, ${count === 1 ? 'fehlt' : 'fehlen'} jetzt darin. Bitte eine vollständige Kopie suchen.`,
    bad: 'Diese Zeilen werden übersprungen:',
    more: (count) => `und ${number(count)} weitere`,
    nothingNew: 'Alles davon ist schon in diesem Gedächtnis. Es gibt nichts zu importieren.',
    button: (count) => `${events(count)} importieren`,
    importing: 'Wird geschrieben…',
    otherVault:
      'Dies ist das Gedächtnis eines anderen Vaults, oder es ist nicht zu erkennen, wessen. Einmal zusammengeführt, lassen sich zwei Gedächtnisse nicht mehr trennen.',
    merge: 'Beide Gedächtnisse zusammenführen',
    done: (count) => `${events(count)} importiert.`,
    close: 'Schließen',
    cancel: 'Abbrechen',
  },

  importOthers: {
    whose: 'Wessen Gedächtnis',
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
      changes: (count, known) => `Spätere Änderungen: ${added(count, known)}`,
    },
    archived: (count) => `${number(count)} archiviert, denn so war es dort, oder es war gelöscht`,
    duplicates: (count) =>
      count === 1 ? 'Eine Zeile kam doppelt' : `${number(count)} Zeilen kamen doppelt`,
    troublesTitle: 'Schwierigkeiten mit diesen Zeilen:',
    trouble: {
      damaged: 'beschädigt; übersprungen',
      salvaged: 'beschädigt; was daran heil war, wurde gelesen',
      garbled: 'gelesen, mit Zeichen, die kein Text sind',
      foreign: 'nichts von diesem Programm; übersprungen',
      tooLong: 'zu lang für einen Eintrag; übersprungen',
    },
    leftOutTitle: 'Ausgelassen:',
    left: {
      lastUse: (count) =>
        `${counted(count, 'Zeitpunkt', 'Zeitpunkte')} der letzten Nutzung: kein Wort darüber, was getan wurde`,
      sessions: (count) =>
        `${lines(count)} über Sitzungen: Die Werkzeugaufrufe tragen deren Adressen`,
      copies: (count) =>
        `${counted(count, 'Kopie', 'Kopien')} eines Arbeitsbereichs innerhalb eines Stands: Der Arbeitsbereich selbst ist da`,
      tasks: (count) => `${lines(count)} über Projekte und Aufgaben: Die gibt es hier nicht`,
      chatSettings: (count) =>
        `${counted(count, 'Satz', 'Sätze')} Einstellungen einer Unterhaltung, etwa ihr Modell`,
      emptyMessages: (count) =>
        counted(count, 'Nachricht, die nichts sagt', 'Nachrichten, die nichts sagen'),
      unknown: (count) => `${lines(count)} unbekannter Art`,
      orphans: (count) => `${lines(count)} über etwas, von dem keine andere Zeile berichtet`,
      otherNotes: (count) =>
        counted(
          count,
          'Notiz, die nicht von Basic Memory ist',
          'Notizen, die nicht von Basic Memory sind',
        ),
      retired: (count) =>
        `${counted(count, 'Werkzeugaufruf', 'Werkzeugaufrufe')}, früher übernommen, seine Zeit lang aufbewahrt und seitdem entfernt`,
    },
    renamed: 'Umbenannt, weil der Name vergeben war oder hier keiner sein kann:',
    button: (count) => `${entries(count)} importieren`,
    done: (count) => `${entries(count)} importiert.`,
  },

  outflow: {
    name: 'Was dieses Gerät verlässt',
    desc: 'Von selbst nichts; und was wohin geschrieben wird.',
    network: {
      name: 'Von Savepoint selbst gesendet: nichts',
      desc: 'Kein Server von uns, keine Telemetrie, keine Suche nach Aktualisierungen; kein Modell wird im Hintergrund gefragt, außer für die Suche wurde eines eingerichtet.',
    },
    chat: {
      name: 'Beim Chatten gesendet',
      desc: 'Die Nachricht, was in der Unterhaltung davor kam, was angefügt ist, und die Antworten der Werkzeuge, die das Modell aufruft, gehen mit dem eigenen Schlüssel an den gewählten Anbieter; an niemanden sonst.',
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
    written: 'Was wohin geschrieben wird',
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
      desc: 'Der aktuelle Arbeitsbereich und wo das Schreiben endete; nichts davon wird synchronisiert.',
      called: (device) => `Im Gedächtnis heißt dieses Gerät „${device}“.`,
    },
  },
};
