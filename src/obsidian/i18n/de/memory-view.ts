import type { memoryView as english } from '../en/memory-view.js';
import { counted, number } from './numbers.js';

const states = (count: number) => counted(count, 'Stand', 'Stände');
const calls = (count: number) => counted(count, 'Aufruf', 'Aufrufe');
const sessions = (count: number) => counted(count, 'Sitzung', 'Sitzungen');

export const memoryView: typeof english = {
  title: 'Gedächtnis',
  noteTitle: 'Gedächtnis dieser Notiz',

  back: 'Zurück',
  clear: 'Filter leeren',
  showArchived: 'Archivierte anzeigen',
  filterWorkspaces: 'Arbeitsbereiche filtern…',
  filterStates: 'Stände und Einträge filtern…',
  add: 'Neu',
  more: 'Weitere Aktionen',

  workspaces: 'Arbeitsbereiche',
  archivedWorkspaces: 'Archivierte Arbeitsbereiche',
  archived: 'Archiviert',
  missingWorkspace: 'Arbeitsbereich fehlt',
  missingWorkspaceId: (id) => `Seine ID ist ${id}`,
  stateCount: states,
  neverUsed: 'Noch nicht benutzt',
  enter: (name) => `Zu „${name}“ wechseln`,
  editWorkspace: {
    action: 'Arbeitsbereich bearbeiten…',
    title: 'Arbeitsbereich bearbeiten',
    submit: 'Speichern',
  },
  workspaceSaved: (name) => `Arbeitsbereich „${name}“ gespeichert.`,

  noOwnWorkspace: 'Noch kein eigener Arbeitsbereich',
  noOwnWorkspaceHelp:
    'Ein Arbeitsbereich hält die Stände eines Projekts zusammen. Lass deine KI-App einen erstellen oder erstelle selbst einen.',
  noArchivedWorkspace: 'Keine archivierten Arbeitsbereiche',
  noArchivedWorkspaceHelp:
    'Ein archivierter Arbeitsbereich bleibt hier, bis er wiederhergestellt wird.',
  noMatch: (query) => `Keine Übereinstimmung mit „${query}“`,
  noMatchingWorkspace: 'Der Filter berücksichtigt Namen, Beschreibungen, Zwecke und Ordner.',
  workspaceGone: 'Arbeitsbereich nicht gefunden',
  goneHelp: 'Vielleicht ist er auf diesem Gerät noch nicht synchronisiert.',

  details: 'Einzelheiten',
  rootFolder: 'Hauptordner',
  wholeVault: 'Der ganze Vault',
  created: 'Erstellt',

  noStates: 'Noch keine Stände',
  noStatesHelp: 'Die KI-App bitten: „Speichere, wo wir stehen“, oder selbst einen Stand speichern.',
  noArchivedStates: 'Keine archivierten Stände',
  noArchivedStatesHelp: 'Ein archivierter Stand bleibt hier, bis er wiederhergestellt wird.',
  noMatchingState:
    'Der Filter berücksichtigt jedes Feld der Stände und Einträge in diesem Arbeitsbereich.',
  searchEverything: 'Alles durchsuchen',
  searchEverythingHint:
    'Eingabetaste, um alle Arbeitsbereiche, Unterhaltungen und Notizen zu durchsuchen',
  statesFound: (count) => `${states(count)} gefunden`,
  workspacesFound: (count) => `${counted(count, 'Arbeitsbereich', 'Arbeitsbereiche')} gefunden`,

  callCount: calls,
  failed: (count) => `${number(count)} fehlgeschlagen`,
  readingCalls: 'Aufrufe werden gelesen…',
  callsFailed: 'Die Werkzeugaufrufe können nicht gelesen werden',
  callFields: {
    app: 'App',
    tool: 'Werkzeug',
    toolset: 'Werkzeuggruppe',
    when: 'Wann',
    session: 'Sitzung',
    goal: 'Ziel',
    memory: 'Was vorausging',
    constraints: 'Einschränkungen',
    input: 'Parameter',
    outcome: 'Ergebnis',
    content: 'Inhalt',
    files: 'Dateien',
  },
  traceKinds: {
    observation: 'Beobachtung',
    execution: 'Ausführung',
    quality_gate: 'Qualitätsprüfung',
    error_pattern: 'Fehlermuster',
    tool_call: 'Werkzeugaufruf anderswo',
    delegation: 'Delegation',
    checkpoint: 'Zwischenstand',
  },
  forgetMessage: (message) => `Diese Nachricht und ihre Antwort vergessen: ${message}`,
  succeeded: 'Erledigt',

  stateGone: 'Stand nicht gefunden',
  saved: 'Gespeichert',
  savedBy: 'Gespeichert von',
  onDevice: 'auf',
  filesChanged: (changed, count) =>
    changed === 0
      ? `${count === 1 ? 'Datei' : 'Dateien'} unverändert`
      : `${number(changed)} von ${counted(count, 'Datei', 'Dateien')} seitdem geändert`,
  gitBranch: 'Git-Branch',
  gitCommit: 'Git-Commit',
  resumeHint: 'Von hier aus in einer neuen Unterhaltung weitermachen',
  copyAsPrompt: 'Als Prompt kopieren',
  compare: 'Mit anderem Stand vergleichen',
  exportNote: 'Als Notiz exportieren',
  isArchivedState: 'Dieser Stand ist archiviert: Agenten sehen ihn nicht.',
  isArchivedWorkspace:
    'Dieser Arbeitsbereich ist archiviert: Agenten sehen ihn nicht in ihren Listen.',
  activeFiles: 'Dateien',
  fileGone: 'Fehlt',
  fileCreated: 'Seitdem erstellt',
  fileChanged: 'Seitdem geändert',
  fileChangedByTime: 'Seitdem geändert, laut Datum',
  fileSampled: 'Über 1 MB; anhand von Stichproben verglichen',
  fileOutside: 'Außerhalb dieses Vaults',
  contentBroken: 'Der Inhalt entspricht nicht dem gespeicherten',
  contentBrokenHelp:
    'Jemand oder etwas hat ihn seitdem verändert. Der Befehl „Gedächtnis prüfen“ sagt mehr dazu.',
  exported: (path) => `Nach „${path}“ exportiert.`,

  pickOther: {
    placeholder: 'Vergleichen mit…',
    enter: 'zum Vergleichen',
    empty: 'In diesem Arbeitsbereich gibt es keinen anderen Stand zum Vergleichen.',
  },
  comparison: 'Vergleich',
  added: 'hinzugefügt',
  removed: 'entfernt',
  addedHeading: 'Hinzugefügt',
  removedHeading: 'Entfernt',
  noDifference: 'Keine Unterschiede',
  noDifferenceHelp: 'Die beiden Stände enthalten dasselbe, von ihren Namen abgesehen.',
  unchanged: (fields) => `Unverändert: ${fields}`,

  noNote: 'Keine Notiz geöffnet',
  noNoteHelp: 'Eine Notiz öffnen, um zu sehen, welche Stände und Sitzungen mit ihr zu tun hatten.',
  statesOfNote: 'Stände',
  sessionsOfNote: 'Sitzungen',
  statesNaming: (count) =>
    count === 1 ? '1 Stand nennt diese Notiz' : `${number(count)} Stände nennen diese Notiz`,
  workspacesNaming: (count) =>
    `Sie ist eine wichtige Datei von ${counted(count, 'Arbeitsbereich', 'Arbeitsbereichen')}`,
  sessionsNaming: (count, looked, isAll) =>
    `${sessions(count)} unter ${looked === 1 ? (isAll ? 'dem einen Aufruf' : 'dem letzten Aufruf') : `${isAll ? 'allen' : 'den letzten'} ${number(looked)} Aufrufen`}`,
  lookingAtCalls: 'Werkzeugaufrufe werden durchgesehen…',
  lookFurther: 'Weiter zurückschauen',
  noteUnknown: 'An diese Notiz gibt es keine Erinnerung',
  noteUnknownHelp:
    'Kein Stand nennt sie, kein Arbeitsbereich führt sie als wichtige Datei, und kein Werkzeugaufruf betraf sie. Hat ein anderes Programm sie umbenannt und geändert, gib ihr in Obsidian ihren alten Namen und benenne sie dann wieder um.',
};
