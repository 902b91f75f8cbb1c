import type { memoryView as english } from '../en/memory-view.js';
import { counted, number } from './numbers.js';

const states = (count: number) => counted(count, 'Stand', 'Stände');
const calls = (count: number) => counted(count, 'Aufruf', 'Aufrufe');
const sessions = (count: number) => counted(count, 'Sitzung', 'Sitzungen');

export const memoryView: typeof english = {
  title: 'Gedächtnis',
  noteTitle: 'Gedächtnis dieser Notiz',
  openMemory: 'Gedächtnis öffnen',

  back: 'Zurück',
  clear: 'Filter leeren',
  showArchived: 'Archivierte anzeigen',
  filterWorkspaces: 'Arbeitsbereiche filtern…',
  filterStates: 'Stände filtern…',
  more: 'Weitere Aktionen',

  workspaces: 'Arbeitsbereiche',
  archivedWorkspaces: 'Archivierte Arbeitsbereiche',
  current: 'Aktuell',
  archived: 'Archiviert',
  missingWorkspace: 'Arbeitsbereich fehlt',
  missingWorkspaceId: (id) => `Seine ID ist ${id}`,
  stateCount: states,
  neverUsed: 'Noch nicht benutzt',
  enter: (name) => `Zu „${name}“ wechseln`,
  entered: (name) => `Dieses Gerät ist jetzt im Arbeitsbereich „${name}“.`,
  isCurrent: 'Dieses Gerät ist in diesem Arbeitsbereich',
  open: 'Öffnen',
  archive: 'Archivieren',
  restore: 'Wiederherstellen',
  archiveWorkspace: 'Arbeitsbereich archivieren',
  restoreWorkspace: 'Arbeitsbereich wiederherstellen',

  noOwnWorkspace: 'Noch kein eigener Arbeitsbereich',
  noOwnWorkspaceHelp:
    'Ein Arbeitsbereich fasst zusammen, was zu einem Vorhaben gehört. Die KI-App einen erstellen lassen oder den Befehl „Arbeitsbereich erstellen“ ausführen.',
  noArchivedWorkspace: 'Keine archivierten Arbeitsbereiche',
  noArchivedWorkspaceHelp:
    'Ein archivierter Arbeitsbereich bleibt hier, bis er wiederhergestellt wird.',
  noMatch: (query) => `Keine Übereinstimmung mit „${query}“`,
  noMatchingWorkspace: 'Der Filter berücksichtigt Namen, Beschreibungen, Zwecke und Ordner.',
  workspaceGone: 'Dieser Arbeitsbereich ist nicht im Gedächtnis dieses Vaults',
  workspaceGoneHelp:
    'Vielleicht ist er auf diesem Gerät noch nicht angekommen. Sobald er da ist, erscheint er hier.',

  details: 'Einzelheiten',
  description: 'Beschreibung',
  purpose: 'Zweck',
  rootFolder: 'Hauptordner',
  wholeVault: 'Der ganze Vault',
  keyFiles: 'Wichtige Dateien',
  workflows: 'Arbeitsweisen',
  preferences: 'Vorlieben',
  created: 'Erstellt',

  noStates: 'Noch keine Stände',
  noStatesHelp:
    'Die KI-App bitten: „Speichere, wo wir stehen“, oder den Befehl „Stand speichern“ ausführen. Was gespeichert ist, erscheint hier.',
  noArchivedStates: 'Keine archivierten Stände',
  noArchivedStatesHelp: 'Ein archivierter Stand bleibt hier, bis er wiederhergestellt wird.',
  noMatchingState: 'Der Filter berücksichtigt Namen, Tags, Aufgaben, Beschreibungen und Kontexte.',
  searchEverything: 'Alles durchsuchen',
  searchEverythingHint: 'Eingabetaste, um alles zu durchsuchen, auch Werkzeugaufrufe',
  searching: 'Suche läuft…',
  foundBySearch: (query, count) => `${number(count)} insgesamt gefunden für „${query}“`,
  foundNothing: (query) => `Nirgends etwas gefunden für „${query}“`,
  foundNothingHelp:
    'Durchsucht wurden Stände und Werkzeugaufrufe dieses Arbeitsbereichs. Weniger oder andere Wörter versuchen.',
  searchFailed: 'Die Suche ist fehlgeschlagen',
  statesFound: (count) => `${states(count)} gefunden`,
  workspacesFound: (count) => `${counted(count, 'Arbeitsbereich', 'Arbeitsbereiche')} gefunden`,

  callCount: calls,
  sessionCount: sessions,
  failed: (count) => `${number(count)} fehlgeschlagen`,
  session: (id) => `Sitzung ${id}`,
  readingCalls: 'Aufrufe werden gelesen…',
  activity: 'Werkzeugaufrufe',
  call: 'Werkzeugaufruf',
  callsFailed: 'Die Werkzeugaufrufe können nicht gelesen werden',
  callFields: {
    agent: 'Agent',
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
  told: {
    observation: 'Beobachtung',
    execution: 'Ausführung',
    quality_gate: 'Qualitätsprüfung',
    error_pattern: 'Fehlermuster',
    tool_call: 'Werkzeugaufruf anderswo',
    delegation: 'Delegation',
  },
  succeeded: 'Erledigt',

  stateGone: 'Dieser Stand ist nicht im Gedächtnis dieses Vaults',
  stateGoneHelp:
    'Vielleicht ist er auf diesem Gerät noch nicht angekommen. Sobald er da ist, erscheint er hier.',
  saved: 'Gespeichert',
  resume: 'Fortsetzen',
  resumeHint: 'Von hier aus in einer neuen Unterhaltung weitermachen',
  copyAsPrompt: 'Als Prompt kopieren',
  compare: 'Mit anderem Stand vergleichen',
  exportNote: 'Als Notiz exportieren',
  archiveState: 'Stand archivieren',
  restoreState: 'Stand wiederherstellen',
  isArchivedState: 'Dieser Stand ist archiviert: Agenten sehen ihn nicht.',
  isArchivedWorkspace:
    'Dieser Arbeitsbereich ist archiviert: Agenten sehen ihn nicht in ihren Listen.',
  activeTask: 'Laufende Aufgabe',
  nextSteps: 'Nächste Schritte',
  activeFiles: 'Dateien',
  conversationContext: 'Kontext',
  tags: 'Tags',
  nothing: 'Keine',
  fileGone: 'Nicht mehr da',
  fileChanged: 'Seitdem geändert',
  fileOutside: 'Außerhalb dieses Vaults',
  checking: 'Inhalt wird geprüft…',
  contentVerified: 'Inhalt geprüft',
  contentVerifiedHelp: (sha) => `Seine SHA-256 ist die gespeicherte: ${sha}`,
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
    'Kein Stand nennt sie, kein Arbeitsbereich führt sie als wichtige Datei, und kein Werkzeugaufruf betraf sie.',
};
