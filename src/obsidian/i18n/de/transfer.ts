import type { settings as english } from '../en/settings.js';
import { counted, number } from './numbers.js';

const notes = (count: number) => counted(count, 'Notiz', 'Notizen');
const lines = (count: number) => counted(count, 'Zeile', 'Zeilen');
const files = (count: number) => counted(count, 'Datei', 'Dateien');
const events = (count: number) => counted(count, 'Ereignis', 'Ereignisse');
const entries = (count: number) => counted(count, 'Eintrag', 'Einträge');
const added = (count: number, known: number) => `${number(count)} neu, ${number(known)} schon da`;

export const move: (typeof english)['move'] = {
  title: 'Gedächtnis verschieben',
  intro: (folder) => `Ordner des Gedächtnisses: „${folder}“`,
  field: 'Neuer Ordner',
  hint: 'Ein Ordner dieses Vaults, zum Beispiel „Archiv/Savepoint“.',
  move: 'Verschieben',
  moving: 'Wird verschoben…',
  use: 'Diesen Ordner verwenden',
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
};

export const exportTexts: (typeof english)['export'] = {
  title: 'Gedächtnis exportieren',
  form: 'Format',
  formHint: 'Daten lassen sich wieder importieren; Notizen sind zum Lesen.',
  forms: { jsonl: 'Daten (.jsonl)', notes: 'Notizen (Markdown)' },
  folder: 'Ordner',
  folderHint: 'Neu oder leer, in diesem Vault.',
  folderName: (day) => `Savepoint-Export ${day}`,
  button: 'Exportieren',
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
};

export const importTexts: (typeof english)['import'] = {
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
  forgotten: (count) => `${number(count)} ausgelassen: in diesem Gedächtnis vergessen`,
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
};

export const importForeign: (typeof english)['importForeign'] = {
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
    sessions: (count) => `${lines(count)} zu Sitzungen, bereits in den Werkzeugaufrufen enthalten`,
    copies: (count) =>
      `${counted(count, 'Kopie', 'Kopien')} eines Arbeitsbereichs innerhalb eines Stands; der Arbeitsbereich selbst wird importiert`,
    chatSettings: (count) =>
      `${counted(count, 'Satz', 'Sätze')} Unterhaltungseinstellungen, etwa das Modell`,
    emptyMessages: (count) => counted(count, 'leere Nachricht', 'leere Nachrichten'),
    unknown: (count) => `${lines(count)} unbekannter Art`,
    orphans: (count) => `${lines(count)} ohne zugehörigen Eintrag`,
    oddValues: (count) =>
      `${counted(count, 'Wert', 'Werte')} von Einträgen, weil sie kein Text sind`,
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
  renamed:
    'Umbenannt (der Name war vergeben, auch in anderer Schreibweise, etwa durch einen früheren Import desselben Eintrags, der bleibt; oder er ist nicht zulässig):',
  secrets: 'Unverändert importiert, sieht nach Zugangsdaten aus (dort ändern, wo sie gelten):',
  button: (count) => `${entries(count)} importieren`,
  done: (count) => `${entries(count)} importiert.`,
};
