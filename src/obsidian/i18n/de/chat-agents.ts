import type { chatAgents as english } from '../en/chat-agents.js';
import { counted } from './numbers.js';

export const chatAgents: typeof english = {
  settings: {
    name: 'Agenten im Chat',
    desc: 'Claude Code, Codex, Gemini CLI und andere Agenten auf diesem Computer antworten im Chat, mit deinem Gedächtnis.',
    onlyDesktop: 'Agenten laufen nur in der Desktop-App.',
    added: 'Auf diesem Gerät',
    addedEmpty: 'Noch kein Agent hinzugefügt.',
    found: 'Agent hinzufügen',
    inSettings: 'Andere Agenten: Einstellungen, Savepoint, Agenten im Chat.',
    searching: 'Agenten werden gesucht…',
    add: 'Hinzufügen',
    adding: 'Wird gestartet…',
    copy: 'Befehl kopieren',
    copied: 'Kopiert. Führe den Befehl in einem Terminal aus und suche dann erneut.',
    again: 'Erneut suchen',
    missing: (how) => `Nicht installiert. So installierst du ihn: ${how}`,
    ready: (program) => `Installiert: ${program}`,
    freeCloud:
      'Ohne Anmeldung sendet er deinen Text möglicherweise an kostenlose Modelle seiner eigenen Cloud.',
    works: (title) => `${title} funktioniert. Neue Unterhaltungen können ihn jetzt verwenden.`,
    custom: {
      name: 'Anderer Agent',
      desc: 'Ein Befehl, der ein Programm mit dem Agent Client Protocol startet.',
      placeholder: 'my-agent --acp',
    },
  },
  inFlatpak:
    'Obsidian läuft in der Sandbox von Flatpak und kann dort keine Agenten starten. Nutze ein Chatmodell, oder installiere Obsidian von obsidian.md.',
  plan: 'Plan',
  kinds: {
    read: 'Lesen',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    move: 'Verschieben',
    search: 'Suchen',
    execute: 'Befehl ausführen',
    think: 'Nachdenken',
    fetch: 'Abrufen',
    switch_mode: 'Modus wechseln',
    other: 'Werkzeug',
  },
  diffCut: 'Nicht alle geänderten Zeilen werden angezeigt.',
  diffTooLarge: 'Zu viele Zeilen, oder kein Text in UTF-8.',
  notUndoable: (paths) =>
    `Kann nicht rückgängig gemacht werden (über 1 MB oder ausgeschlossen): ${paths}`,
  asksCommand: 'Nur seine Änderungen an Textdateien lassen sich rückgängig machen.',
  settingsOf: 'Einstellungen des Agenten',
  mode: (value) => `Modus: ${value}`,
  noMemory: (title) =>
    `${title} hat sich nicht mit dem Gedächtnis von Savepoint verbunden. Er kann antworten, aber keine Stände speichern oder fortsetzen.`,
  changed: (files) => `${counted(files, 'Datei', 'Dateien')} geändert`,
  changedSettings: (title, path) =>
    `${title} hat die Einstellungen der App geändert: ${path}. Du kannst das im Chat rückgängig machen.`,
  changedMemory: (title, path) =>
    `${title} hat den Ordner von Savepoint geändert: ${path}. Du kannst das im Chat rückgängig machen.`,
  wroteElsewhere: (title, path) =>
    `${title} ändert eine Datei, die er nicht ändern darf: ${path}. Er hat vorher nicht gefragt.`,
  review: 'Ansehen und rückgängig machen',
  changes: {
    title: 'Änderungen des Agenten',
    empty: 'Der Agent hat in dieser Unterhaltung nichts geändert.',
    turn: (number) => `Nachricht ${number}`,
    created: 'erstellt',
    deleted: 'gelöscht',
    edited: 'bearbeitet',
    undone: 'rückgängig gemacht',
    gone: 'Es gibt keine Kopie von vor der Änderung.',
    undoTurn: 'Änderungen dieser Nachricht rückgängig machen',
    undoAll: 'Alle Änderungen rückgängig machen',
    result: (undone) => `${counted(undone, 'Änderung', 'Änderungen')} rückgängig gemacht.`,
    conflicts: (paths) =>
      `Du hattest Zeilen des Agenten in ${paths} umgeschrieben. Beide Fassungen wurden behalten; prüfe sie.`,
    lost: (paths) =>
      `Änderungen an ${paths} konnten nicht rückgängig gemacht werden, weil sie keine Kopie haben.`,
    kept: (paths) =>
      `${paths} wurde nicht rückgängig gemacht: Die Datei hat sich seitdem geändert und ist kein Text in UTF-8.`,
    linked: (path) =>
      `${path} liegt hinter einer Verknüpfung. Entferne sie und versuche es noch einmal.`,
  },
  onlyDesktop: 'Agenten laufen nur in der Desktop-App. Wähle ein Modell, um hier fortzufahren.',
  notAdded: (title) =>
    `${title} wurde auf diesem Gerät nicht hinzugefügt. Füge ihn in den Einstellungen hinzu oder wähle ein anderes Modell.`,
  failures: {
    missing: (title, _, how) =>
      `${title} wurde auf diesem Computer nicht gefunden. Installiere ihn (${how}) und versuche es noch einmal.`,
    ended: (title, words) =>
      words === ''
        ? `${title} wurde ohne Meldung beendet. Versuche es noch einmal.`
        : `${title} wurde beendet. Letzte Ausgabe: ${words}`,
    version: (title, words, how) =>
      `${title} spricht Version ${words} des Protokolls, dieses Plugin Version 1. Installiere die getestete Version (${how}) oder aktualisiere Savepoint.`,
    login: (title, words) =>
      `${title} benötigt eine Anmeldung. Melde dich in einem Terminal an und versuche es noch einmal. Seine Meldung: ${words}`,
    silent: (title, words) =>
      words === ''
        ? `${title} hat nicht rechtzeitig geantwortet. Versuche es noch einmal.`
        : `${title} hat nicht rechtzeitig geantwortet. Letzte Ausgabe: ${words}`,
    stuck: (title) =>
      `${title} ließ sich nicht anhalten und wurde beendet. Die nächste Nachricht startet ihn neu.`,
    cancelled: (title) => `${title} hat die Antwort von sich aus beendet.`,
    error: (title, words) => `${title} hat einen Fehler gemeldet: ${words}`,
    oversized: (title) =>
      `${title} hat eine Nachricht von mehr als 32 MB gesendet. Verlange weniger auf einmal.`,
  },
};
