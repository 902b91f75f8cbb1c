import type { chat as english } from '../en/chat.js';
import { failures, models } from './models.js';
import { counted, number } from './numbers.js';

type ImportProblem = Parameters<typeof english.import.problem>[0]['kind'];

const IMPORT_PROBLEMS: Record<ImportProblem, string> = {
  damaged: 'beschädigt. Den Export noch einmal anfordern.',
  cut: 'die Datei endet mittendrin. Sie noch einmal entpacken oder herunterladen.',
  unknown: 'keine Unterhaltung von Claude oder ChatGPT.',
  empty: 'leer.',
  tooLong: 'größer als 64 MB.',
};

const conversations = (count: number) => counted(count, 'Unterhaltung', 'Unterhaltungen');
const tokens = (count: number) => counted(count, 'Token', 'Tokens');
const percent = (share: number) => `${Math.round(share * 100)} %`;
const dollars = (cost: number) => (cost < 0.01 ? 'weniger als 0,01 $' : `${number(cost, 2)} $`);

export const chat: typeof english = {
  title: 'Chat',
  commands: {
    open: 'Chat öffnen',
    fresh: 'Neue Unterhaltung',
    importChats: 'Chats importieren',
    export: 'Unterhaltung als Notiz exportieren',
  },

  all: 'Alle Unterhaltungen',
  saveState: 'Stand speichern',
  rename: 'Umbenennen',
  save: 'Speichern',
  noTitle: 'Bitte der Unterhaltung einen Namen geben.',
  hiddenInTitle: (code) =>
    `Der Name enthält das unsichtbare Zeichen ${code}. Bitte ohne dieses Zeichen eingeben.`,
  pin: 'Anheften',
  unpin: 'Loslösen',
  archive: 'Archivieren',
  restore: 'Wiederherstellen',
  archived: (title) => `„${title}“ archiviert.`,
  restored: (title) => `„${title}“ wiederhergestellt.`,
  isArchived: 'Diese Unterhaltung ist archiviert.',
  export: 'Als Notiz exportieren',
  exported: (path) => `Als „${path}“ exportiert.`,
  readOnly: (source) =>
    `Diese Unterhaltung wurde aus ${source} importiert und ist schreibgeschützt. Du kannst sie in einer neuen fortsetzen.`,
  goOnFrom: 'In neuer Unterhaltung weitermachen',
  importedData: (title, source) => `die Unterhaltung „${title}“, importiert aus ${source}`,
  workspaceIs: (name) => `Arbeitsbereich: ${name}`,
  pickWorkspace: {
    placeholder: 'Weitermachen in Arbeitsbereich…',
    enter: 'zum Auswählen',
    empty:
      'Es gibt keinen anderen Arbeitsbereich. Mit „Arbeitsbereich erstellen“ kommt einer hinzu.',
  },
  modelIs: (name) => `Modell: ${name}`,
  noModel: 'Kein Modell',
  pickModel: {
    placeholder: 'Modell auswählen oder seinen Namen eingeben…',
    enter: 'zum Auswählen',
    empty: 'Es ist noch kein Anbieter eingerichtet.',
    loading: 'Modelle werden geladen…',
    setUp: 'Anbieter hinzufügen oder ändern…',
    custom: (model) => `„${model}“ verwenden`,
    context: (limit) => `${limit} Tokens Kontext`,
    agent: 'Agent auf diesem Gerät',
  },
  meterOf: (shown, limit, share) => `${shown} von ${limit} Tokens (${percent(share)})`,
  spent: (used, cost) =>
    `Dieser Zweig hat laut Anbieter insgesamt ${tokens(used)} verbraucht${cost === undefined ? '' : `, für etwa ${dollars(cost)}`}.`,
  context: {
    nearLimit: (share) =>
      `Diese Unterhaltung füllt ${percent(share)} dessen, was das Modell lesen kann. Einen Stand speichern und in einer neuen Unterhaltung weitermachen; diese bleibt, wie sie ist.`,
    overLimit:
      'Diese Unterhaltung ist länger, als das Modell lesen kann. Einen Stand speichern und in einer neuen Unterhaltung weitermachen oder ein Modell wählen, das mehr liest.',
    cutByServer: (shown) =>
      `Etwa ${shown} Tokens dieser Unterhaltung wurden nicht gelesen: Der Server schneidet ab, was ihm zu lang ist. Einen Stand speichern und in einer neuen Unterhaltung weitermachen oder den Server mehr lesen lassen.`,
    later: 'Nicht jetzt',
  },
  drafting: {
    working: (model) => `${model} füllt dies aus der Unterhaltung aus…`,
    stop: 'Stopp',
    stopped: 'Angehalten. Was zuletzt gesagt wurde, ist eingetragen.',
    offer: (model) => `${model} kann dies aus der Unterhaltung ausfüllen.`,
    start: 'Ausfüllen',
    done: (model, used) =>
      `Ausgefüllt von ${model}${used === undefined ? '' : `, mit ${tokens(used)}`}. Bitte vor dem Speichern prüfen.`,
    refused: (model) => `${model} hat keinen Stand geliefert. Nichts wurde geändert.`,
    partly: (read, of) =>
      `Gelesen wurden nur die letzten ${number(read)} von ${number(of)} Nachrichten.`,
  },

  loading: 'Unterhaltung wird gelesen…',
  cannotRead: 'Die Unterhaltung kann nicht gelesen werden',
  earlier: 'Frühere Nachrichten anzeigen',
  later: 'Spätere Nachrichten anzeigen',
  you: 'Du',
  assistant: 'Assistent',
  start: 'Woran wird gerade gearbeitet?',
  startHelp: '[[ fügt eine Notiz an, @ einen Stand.',

  copy: 'Kopieren',
  copied: 'Kopiert.',
  edit: 'Bearbeiten und erneut senden',
  editing: 'Nachricht bearbeiten',
  sendEdited: 'Senden',
  cancel: 'Abbrechen',
  retry: 'Erneut versuchen',
  retryIn: (seconds) => `Neuer Versuch in ${seconds} s`,
  another: 'Neu generieren',
  answerThis: 'Antwort anfordern',
  branch: 'Hier abzweigen',
  branchedHere: 'Die nächste Nachricht schließt hier an. Was danach kam, bleibt, wie es ist.',
  branchEnd: 'Zurück zum Ende',
  alternative: (at, of) => `${at} von ${of}`,
  previous: 'Vorherige Fassung',
  next: 'Nächste Fassung',
  reasoning: 'Gedankengang',
  thinking: 'Denkt nach…',
  waiting: 'Warten auf das Modell…',
  stopping: 'Wird angehalten…',
  ended: {
    stopped: 'Diese Antwort wurde angehalten.',
    length: 'Die Antwort endet hier, weil sie ihre größte Länge erreicht hat.',
    steps: (calls) => `Nach ${counted(calls, 'Werkzeugaufruf', 'Werkzeugaufrufen')} angehalten.`,
    limit: 'Das ist die Grenze in den Einstellungen.',
  },
  resume: 'Weiter',
  failed: 'Die Antwort ist fehlgeschlagen',
  interrupted:
    'Obsidian wurde geschlossen, bevor die Antwort fertig war. Bis hierhin war sie angekommen.',
  modelNeeded: 'Für eine Antwort ein Modell auswählen.',
  setUpModel: 'Modell einrichten',
  checkKey: 'Schlüssel prüfen',
  goOn: 'Stand speichern und in neuer Unterhaltung weitermachen',
  finished: (words) => `Antwort: ${words}`,
  needsApproval: (tool) => `Das Modell möchte „${tool}“ ausführen. Erlauben oder ablehnen.`,

  call: {
    parameters: 'Parameter',
    result: 'Ergebnis',
    once: 'Einmal erlauben',
    conversation: 'In dieser Unterhaltung erlauben',
    always: 'Immer erlauben',
    deny: 'Ablehnen',
    options: 'Weitere Möglichkeiten',
    again: 'Erneut ausführen…',
    unknown: (tool) => `Unbekanntes Werkzeug „${tool}“`,
  },

  data: {
    note: 'Notiz',
    image: 'Bild',
    state: 'Stand',
    other: 'Angefügt:',
    from: (workspace, day) => `${workspace} · gespeichert am ${day}`,
    savedBy: (who, device) => `von ${who} auf ${device}`,
    cut: (kilobytes) => `Nur die ersten 100 von ${number(kilobytes)} KB`,
    show: 'Gesendeter Inhalt',
    selection: 'Auswahl in',
    cutOpen: (chars) => `Nur die ersten 40.000 von ${number(chars)} Zeichen`,
    notKept: 'Text nicht gespeichert',
  },

  openNote: {
    label: (receiver) => `Offene Notiz für ${receiver}:`,
    selection: 'Auswahl',
    cut: 'erste 40.000 Zeichen',
    off: 'nicht gesendet',
    help: (receiver) =>
      `Ein Druck auf das Auge sendet den Text der offenen Notiz an ${receiver}, und danach, was sich darin ändert. Savepoint merkt sich das für ${receiver}.`,
  },

  insert: {
    atCursor: 'Am Cursor einfügen',
    replace: 'Auswahl ersetzen',
    inserted: 'Am Cursor eingefügt.',
    replaced: 'Auswahl ersetzt.',
    noEditor: 'Öffne zuerst eine Notiz zum Bearbeiten.',
    noSelection: 'Wähle zuerst Text in der Notiz aus.',
  },

  slash: {
    save: { name: 'speichern', note: 'Einen Stand dieser Unterhaltung speichern' },
    resume: { name: 'fortsetzen', note: 'Mit einem gespeicherten Stand weitermachen' },
    find: { name: 'suchen', note: 'Gedächtnis und Notizen durchsuchen' },
    task: { name: 'aufgabe', note: 'Eine Aufgabe anlegen' },
    decision: { name: 'entscheidung', note: 'Eine Entscheidung festhalten' },
    brief: { name: 'überblick', note: 'Was in diesem Arbeitsbereich gerade zählt' },
    prompt: 'Eigener Prompt',
    more: { name: 'Mehr…', note: 'Alle Werkzeuge' },
  },

  composer: {
    label: 'Nachricht',
    placeholder: 'Nachricht, oder / für Befehle',
    send: 'Senden',
    stop: 'Stopp',
    remove: (name) => `${name} entfernen`,
    notes: 'Notizen',
    states: 'Stände',
    tools: 'Befehle',
    nothing: 'Keine Treffer',
    notSent: (why) => `Nicht gesendet: ${why}`,
  },
  stillSending: 'Die letzte Nachricht wird noch beantwortet. Anhalten oder das Ende abwarten.',
  noteGone: (path) => `„${path}“ ist nicht mehr im Vault. Bitte aus der Nachricht entfernen.`,
  stateGone: (name) =>
    `Der Stand „${name}“ ist nicht mehr zu finden. Bitte aus der Nachricht entfernen.`,

  tool: {
    run: 'Ausführen',
    running: 'Läuft…',
    lines: 'Eines pro Zeile.',
    pairs: 'Eines pro Zeile, in der Form Schlüssel: Wert.',
    optional: 'Optional.',
    notNumber: (label) => `${label} muss eine Zahl sein.`,
    chooseOf: (values) => `Eines von: ${values}.`,
  },

  list: {
    search: 'Unterhaltungen durchsuchen…',
    empty: 'Noch keine Unterhaltungen',
    emptyHelp: 'Was im Chat gesagt wird, bleibt in diesem Vault und erscheint hier.',
    noMatch: 'Keine Treffer',
    noMatchHelp: 'Weniger Wörter versuchen oder auch archivierte Unterhaltungen anzeigen.',
    archived: 'Archivierte Unterhaltungen anzeigen',
    isArchived: 'Archiviert',
    inTitle: 'Im Titel',
    searching: 'Unterhaltungen werden durchsucht…',
    found: (count, hasMore) =>
      `${hasMore ? `${count}+ Stellen` : counted(count, 'Stelle', 'Stellen')} gefunden`,
  },

  import: {
    title: 'Chats importieren',
    how: [
      'Claude: Settings, Privacy, Export data. ChatGPT: Settings, Data controls, Export data. Beide schicken einen Link zu einer .zip-Datei.',
      'Diese Datei hier auswählen, so wie sie ist; oder die conversations.json daraus.',
    ],
    files: 'Dateien',
    filesHint:
      'Die Unterhaltungen lassen sich lesen und durchsuchen, nicht fortsetzen. Wird eine Datei erneut importiert, kommt nur das Neue hinzu.',
    choose: 'Dateien auswählen…',
    close: 'Schließen',
    show: 'Unterhaltungen anzeigen',
    unfinished: (files) =>
      `Der Import von ${files} wurde unterbrochen. Die Datei erneut auswählen, dann kommt der Rest hinzu; nichts wird doppelt hinzugefügt.`,
    reading: (count) => (count === 0 ? 'Wird gelesen…' : `Bisher ${conversations(count)} gelesen…`),
    from: (source, count) => `${conversations(count)} von ${source} in der Datei.`,
    news: (count) => `${conversations(count)} hinzugefügt.`,
    more: (count) =>
      count === 1
        ? 'Eine bereits vorhandene Unterhaltung hat neue Nachrichten; diese kamen hinzu.'
        : `${number(count)} bereits vorhandene Unterhaltungen haben neue Nachrichten; diese kamen hinzu.`,
    nothing: 'Alles darin war schon da.',
    same: (count) => `${conversations(count)} schon vorhanden.`,
    forgotten: (count) => `${conversations(count)} ausgelassen, weil bereits endgültig gelöscht.`,
    stopped:
      'Angehalten. Was hinzugefügt wurde, bleibt; um weiterzumachen, die Datei erneut importieren.',
    noChats:
      'In dieser Datei ist keine Unterhaltung von Claude oder ChatGPT. Bitte die .zip-Datei eines Exports auswählen, oder die conversations.json daraus.',
    zipFaults: {
      damaged:
        'Diese .zip-Datei ist beschädigt oder nicht vollständig. Bitte noch einmal herunterladen.',
      encrypted:
        'Diese .zip-Datei ist mit einem Passwort geschützt. Bitte entpacken und die conversations.json daraus auswählen.',
      unsupported:
        'Diese .zip-Datei ist auf eine Weise gepackt, die hier nicht gelesen werden kann. Bitte entpacken und die conversations.json daraus auswählen.',
      tooLarge:
        'Diese .zip-Datei enthält zu viele Dateien. Bitte entpacken und die conversations.json daraus auswählen.',
    },
    unreadable:
      'Die Datei hat sich geändert, seit sie ausgewählt wurde, oder ist nicht mehr lesbar. Bitte noch einmal auswählen.',
    soFar: 'Was bis dahin gelesen war, kam hinzu:',
    secrets:
      'Unverändert importiert, enthält aber anscheinend Zugangsdaten (sie bleiben im Protokoll, also dort ändern, wo sie gelten):',
    bad: (count) =>
      count === 1
        ? 'Ein Eintrag wurde ausgelassen:'
        : `${number(count)} Einträge wurden ausgelassen:`,
    others: (count) => `und ${number(count)} weitere.`,
    problem: ({ entry, title, kind }) =>
      `Eintrag ${number(entry)}${title === undefined ? '' : ` („${title}“)`}: ${IMPORT_PROBLEMS[kind]}`,
  },

  first: {
    title: 'Speichere, wo du bist. Mach überall weiter.',
    apps: {
      title: 'KI-App verbinden',
      text: 'Claude Desktop, Claude Code, Cursor und andere auf diesem Computer Stände in diesem Vault lesen und speichern lassen, mit ihren eigenen Modellen.',
      button: 'Verbinden…',
      phone: 'KI-Apps werden an einem Computer verbunden. Diesen Vault dort in Obsidian öffnen.',
    },
    provider: {
      title: 'Modell hinzufügen',
      text: 'Hier chatten mit Anthropic, OpenAI, Google, OpenRouter oder mit einem Modell auf diesem Computer.',
      button: 'Modell einrichten',
    },
    agent: {
      title: 'Einen vorhandenen Agenten verwenden',
      text: 'Claude Code, Codex, Gemini CLI und andere auf diesem Computer antworten hier, mit deinem Konto und deinem Gedächtnis.',
      button: 'Agenten hinzufügen',
    },
    state: {
      title: 'Ohne Modell ausprobieren',
      text: 'Speichern, wo die Arbeit gerade steht, und den Stand dann öffnen oder fortsetzen.',
      button: 'Stand speichern',
    },
  },

  failures,
  models,
};
