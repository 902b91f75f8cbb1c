import type { records as english } from '../en/records.js';
import { counted, number } from './numbers.js';

const entries = (count: number) => counted(count, 'Eintrag', 'Einträge');

export const records: typeof english = {
  toDo: 'Zu tun',
  kinds: { decision: 'Entscheidung', question: 'Frage', task: 'Aufgabe', phase: 'Phase' },
  newRecord: {
    decision: 'Neue Entscheidung',
    question: 'Neue Frage',
    task: 'Neue Aufgabe',
    phase: 'Neue Phase',
  },
  statuses: { open: 'Offen', done: 'Erledigt', dropped: 'Verworfen' },
  superseded: 'Ersetzt',
  due: 'Fällig',
  openCount: (count) => `${number(count)} offen`,
  closedCount: (count) => `${count} abgeschlossen`,
  dueIn: (count, workspace) => `${count} fällig in ${workspace}`,
  dueCount: (count) => `${number(count)} fällig`,
  recordsFound: (count) => `${entries(count)} gefunden`,
  showMore: (count) => `${number(count)} weitere anzeigen`,
  dueOn: (day) => `fällig am ${day}`,
  waitsFor: (title) => `wartet auf „${title}“`,
  inPhase: (title) => `in „${title}“`,

  markDone: 'Als erledigt markieren',
  markDoneHint: 'Als erledigt markieren (Leertaste)',
  reopen: 'Wieder öffnen',
  reopenHint: 'Wieder öffnen (Leertaste)',
  edit: 'Bearbeiten…',
  changeDecision: 'Entscheidung ändern…',
  drop: 'Verwerfen',
  replace: 'Ersetzen durch…',
  keepAfterAll: 'Ersetzung aufheben',
  remind: 'Erinnerung setzen…',
  archive: 'Eintrag archivieren',
  restore: 'Eintrag wiederherstellen',

  markedDone: (title) => `„${title}“ als erledigt markiert.`,
  ticked: (count) => `${counted(count, 'Aufgabe', 'Aufgaben')} aktualisiert.`,
  longLine: (line) => `„${line}“ ist keine Aufgabe: mehr als 2.000 Zeichen. Bitte kürzen.`,
  hiddenInLine: (line) =>
    `„${line}“ ist keine Aufgabe: ein Zeichen darin ist unsichtbar. Bitte neu eintippen.`,
  unlinkedNote: (note) =>
    `Nichts in „${note}“ ist eine Aufgabe, weil Eigenschaften und Block-IDs fehlen. Mach das rückgängig, oder benenne die Notiz um; dann entsteht eine neue.`,
  reopened: (title) => `„${title}“ wieder geöffnet.`,
  dropped: (title) => `„${title}“ verworfen.`,
  replaced: (title, successor) => `„${title}“ durch „${successor}“ ersetzt.`,
  notReplaced: (title) => `„${title}“ gilt wieder.`,
  archived: (title) => `„${title}“ archiviert.`,
  restored: (title) => `„${title}“ wiederhergestellt.`,
  saved: (title) => `„${title}“ gespeichert.`,
  savedRelated: (title, older) => `„${title}“ gespeichert. Siehe auch „${older}“.`,
  replaceOlder: (older) => `„${older}“ ersetzen`,
  remindsOn: (title, date) => `Erinnerung an „${title}“: ${date}.`,
  reminderRemoved: (title) => `Erinnerung an „${title}“ entfernt.`,

  gone: 'Eintrag nicht gefunden',
  isArchived: 'Dieser Eintrag ist archiviert. Agenten sehen ihn nicht.',
  replacedBy: 'Ersetzt durch',
  replaces: 'Ersetzt',
  needs: 'Braucht',
  neededBy: 'Gebraucht von',
  savedWith: 'Gespeichert mit dem Stand',
  reminder: 'Erinnerung',
  missing: 'Noch nicht auf diesem Gerät',
  savedWithState: 'Entscheidungen und Fragen',
  ofNote: 'Entscheidungen, Fragen und Aufgaben',
  aboutNote: (count) => `${entries(count)} zu dieser Notiz`,

  replaceDecision: 'Entscheidung ändern',
  reason: {
    label: 'Grund',
    hint: 'Warum sie sich ändert. Die bisherige bleibt als ersetzt erhalten.',
    missing: 'Grund: angeben, warum sich die Entscheidung ändert.',
  },
  form: {
    submit: 'Speichern',
    labels: { title: 'Titel', body: 'Einzelheiten', files: 'Dateien', remindAt: 'Erinnern am' },
    remindHint: 'An diesem Tag wird der Eintrag fällig, hier und für Agenten.',
    taken: 'In diesem Arbeitsbereich gibt es schon einen offenen Eintrag mit diesem Titel.',
  },
  reminderForm: {
    title: 'Erinnerung setzen',
    hint: 'An diesem Tag wird der Eintrag fällig. Ohne Datum wird die Erinnerung entfernt.',
  },
  pickDone: {
    enter: 'zum Erledigen',
    empty: 'Keine offenen Fragen, Aufgaben oder Phasen.',
  },
  pickSuccessor: {
    enter: 'zum Ersetzen',
    empty: 'Kein anderer offener Eintrag dieser Art. Bitte zuerst einen erstellen.',
  },
};
