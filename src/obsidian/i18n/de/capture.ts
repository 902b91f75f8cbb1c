import type { capture as english } from '../en/capture.js';
import { number } from './numbers.js';

export const capture: typeof english = {
  continue: 'Fortsetzen',
  allStates: 'Alle Stände…',
  notSaved: 'Nicht gespeichert',
  saveAsState: 'Als Stand speichern',
  checkpoint: 'Zwischenstand',
  savedFrom: (app, day) => `Aus dem Zwischenstand einer Sitzung in ${app} am ${day} gespeichert.`,

  commands: {
    pause: 'Erfassung eine Stunde lang anhalten',
    resume: 'Erfassung fortsetzen',
  },
  makePrivate: 'Diese Unterhaltung nicht mehr erfassen',
  makePublic: 'Diese Unterhaltung erfassen',
  chips: { paused: 'Angehalten', excluded: 'Ausgeschlossen', private: 'Privat' },
  hints: {
    paused:
      'Die Erfassung ist auf diesem Gerät angehalten; diese Unterhaltung hinterlässt keine Zwischenstände.',
    excluded:
      'Die Erfassung ist für diesen Ordner aus; diese Unterhaltung hinterlässt keine Zwischenstände.',
    private: 'Diese Unterhaltung hinterlässt keine Zwischenstände.',
  },
  status: {
    on: 'Unterhaltungen hinterlassen Zwischenstände. Klicken, um das eine Stunde lang anzuhalten.',
    paused: (until) => `Erfassung bis ${until} angehalten. Zum Fortsetzen klicken.`,
    pausedShort: (until) => `Angehalten bis ${until}`,
    excluded:
      'Unterhaltungen in diesem Arbeitsbereich hinterlassen auf diesem Gerät keine Zwischenstände.',
    nowPaused: (until) =>
      `Die Erfassung ist auf diesem Gerät bis ${until} angehalten. Unterhaltungen und gespeicherte Stände sind nicht betroffen.`,
    resumed: 'Die Erfassung läuft wieder.',
  },

  recalled: {
    count: (count) => `${count} aus dem Gedächtnis`,
    found: (count) => `Mit dieser Nachricht wird gesendet: ${count} aus dem Gedächtnis.`,
    remove: 'Aus dieser Nachricht weglassen',
  },

  settings: {
    name: 'Erfassung',
    folder: 'Ordner',
    desc: 'Was Sitzungen von selbst hinterlassen, und wie viele Token das Gedächtnis kostet.',
    vault: {
      name: 'Sitzungen in diesem Vault erfassen',
      desc: 'Unterhaltungen des Chats hinterlassen einen Zwischenstand: deine Nachrichten, die Antworten und Dateien. Kein Modell wird aufgerufen. Gilt für dieses Gerät.',
    },
    pause: {
      name: 'Anhalten',
      desc: 'Hält die Erfassung auf diesem Gerät eine Stunde lang an.',
      until: (time) => `Die Erfassung ist auf diesem Gerät bis ${time} angehalten.`,
    },
    projects: {
      heading: 'Verknüpfte Projekte',
      none: 'Keine verknüpften Projekte. Sitzungen von KI-Apps werden nur in Projekten erfasst, die du verknüpfst.',
      captured: (folder) => `Was von Sitzungen in ${folder} bleibt`,
      levels: {
        off: 'Nichts',
        task: 'Aufgabe, Dateien und Befehle',
        all: 'Alle Nachrichten und Antworten',
      },
      told: (folder) => `Was Agenten in ${folder} aus dem Gedächtnis erfahren`,
      tellLevels: {
        off: 'Nichts mitteilen',
        start: 'Zu Beginn mitteilen',
        prompt: 'Auch bei Prompts',
        all: 'Auch bei Dateien und in Subagenten',
      },
      toolHooks:
        'Bei Dateien und in Subagenten erfahren Agenten etwas, sobald ihre Hooks neu hinzugefügt sind, mit savepoint connect und --hooks.',
      unlinked: (folder) =>
        `Verknüpfung von „${folder}“ aufgehoben. Seine Sitzungen werden nicht mehr erfasst.`,
      form: {
        title: 'Projekt verknüpfen',
        submit: 'Verknüpfen',
        folderHint: 'Absoluter Pfad des Ordners eines Projekts auf diesem Gerät.',
        workspaceHint: 'Sitzungen im Projekt gehören zu diesem Arbeitsbereich.',
        capture: 'Von Sitzungen behalten',
        captureHint:
          'Aus KI-Apps mit Hooks, ohne Modell. Alle, die den Vault haben, können es ein Jahr lang lesen.',
        noProject: (folder) =>
          `„${folder}“ ist kein Projekt: Es ist kein Ordner, oder es ist dieser Vault, dein Home-Ordner oder ein Laufwerk.`,
      },
    },
    excluded: {
      heading: 'Ordner ohne Erfassung auf diesem Gerät',
      none: 'Keine Ordner.',
      form: {
        title: 'Ordner ausschließen',
        submit: 'Ausschließen',
        folderHint: 'Absoluter Pfad eines Ordners auf diesem Gerät, in dem nichts erfasst wird.',
        noFolder: (folder) => `Es gibt keinen Ordner „${folder}“.`,
      },
    },
    cost: {
      heading: 'Was das Gedächtnis kostet',
      reading: 'Wird gezählt…',
      apps: {
        name: 'Werkzeuge',
        desc: 'Eine App sendet die Beschreibungen ihrer Werkzeuge an das Modell, in der Regel einmal je Unterhaltung.',
      },
      app: (title, tokens) => `${title}: etwa ${number(tokens)} Token je Unterhaltung`,
      noApps: 'Keine KI-App ist verbunden.',
      brief: {
        name: 'Überblick',
        desc: 'Was eine Sitzung in einem verknüpften Projekt zu Beginn erfährt. Die Erfassung selbst kostet nichts.',
      },
      briefSize: (workspace, tokens, budget) =>
        `${workspace}: etwa ${number(tokens)} von höchstens ${number(budget)} Token`,
    },
  },

  links: {
    unknownAction: (given) =>
      `${given === '' ? 'Dieser Savepoint-Link hat keine Aktion' : `Savepoint-Links kennen keine Aktion „${given}“`}. Möglich sind resume, save und brief.`,
    tooLong: (field, limit) =>
      `Der Parameter „${field}“ dieses Links ist zu lang. Höchstens ${number(limit)} Zeichen verwenden.`,
    noWorkspace: (name) => `In diesem Vault gibt es keinen Arbeitsbereich „${name}“.`,
    noState: (name) => `In diesem Vault gibt es keinen Stand „${name}“.`,
    severalStates: (name) =>
      `Mehrere Stände heißen „${name}“. Den Arbeitsbereich im Link ergänzen.`,
    nothing: 'Es gibt noch nichts fortzusetzen. Zuerst einen Stand speichern.',
    resumed: (name) => `„${name}“ in einer neuen Unterhaltung fortgesetzt.`,
    formOpened: 'Das Formular ist in Obsidian geöffnet. Den Stand dort speichern.',
    briefTitle: 'Überblick für einen Agenten',
    copyBrief: 'Kopieren',
    briefCopied: 'Überblick kopiert. Er lässt sich in jeden Chat einfügen.',
  },
  cli: {
    resume:
      'Einen Stand in einer neuen Unterhaltung fortsetzen; ohne Angabe das, was am neuesten ist',
    save: 'Das ausgefüllte Formular öffnen, mit dem ein Stand gespeichert wird',
    brief: 'Ausgeben, was ein Agent wissen sollte, bevor er in einem Arbeitsbereich arbeitet',
  },
  flags: {
    workspace: 'Name des Arbeitsbereichs (ohne ihn der aktuelle)',
    state: 'Name des Stands',
    name: 'Name des neuen Stands',
    task: 'Die aktuelle Aufgabe',
    context: 'Was bisher geschah',
    next: 'Nächste Schritte, einer je Zeile',
    files: 'Dateien, eine je Zeile',
    tags: 'Tags, durch Kommas getrennt',
    description: 'Eine Zeile für Listen',
  },
};
