import { connections as english } from '../en/connections.js';
import { counted, number } from './numbers.js';

const calls = (count: number) => counted(count, 'Aufruf', 'Aufrufe');

export const connections: typeof english = {
  commands: {
    connect: 'KI-App verbinden',
    check: 'Verbindungen prüfen',
    copy: 'MCP-Konfiguration kopieren',
  },
  copied:
    'MCP-Konfiguration kopiert. In die Einstellungen der App einfügen, neben ihre anderen Server.',
  none: 'Auf diesem Computer wurde keine KI-App gefunden, die sich verbinden lässt. Eine installieren und einmal starten; für jede andere App gibt es „MCP-Konfiguration kopieren“.',
  using: (client) => `${client} benutzt dieses Gedächtnis`,

  pick: {
    placeholder: 'App verbinden…',
    enter: 'für eine Vorschau der Änderung',
    held: (name) => `Verbunden als „${name}“`,
    heldReadOnly: (name) => `Verbunden als „${name}“, schreibgeschützt`,
    free: 'Nicht verbunden',
    broken: 'Die Einstellungen können nicht gelesen werden',
  },

  connect: {
    title: (app) => `${app} verbinden`,
    reading: 'Einstellungen werden gelesen…',
    vault: 'Vault',
    file: 'Datei',
    readOnly: 'Schreibgeschützt',
    readOnlyDesc: 'Die App kann dieses Gedächtnis lesen, aber nicht schreiben.',
    readOnlyHeld:
      'Die App kann dieses Gedächtnis lesen, aber nicht schreiben. Verbinde sie neu, um Schreiben zu erlauben.',
    surface: 'Werkzeuge',
    surfaceDesc: 'Wie Werkzeuge angeboten werden. Weniger Werkzeuge brauchen weniger Tokens.',
    surfaces: { full: 'Alle Werkzeuge', actions: 'Gruppiert', compact: 'Minimal' },
    toolsetsDesc: 'Werkzeuge für Dateien, Suchindex, Prüfung und Protokoll.',
    toolsetChoices: { '': 'Wie in den Einstellungen', all: 'Alle', none: 'Keine' },
    change: 'Änderung an der Datei',
    nothing: (name) => `Bereits verbunden als „${name}“; es würde sich nichts ändern.`,
    disconnect: 'Verbindung trennen',
    writing: 'Datei wird geschrieben…',
    proving: 'Verbindung wird getestet…',
    steps: 'Prüfungen',
    backup: (file) => `Sicherung: ${file}`,
    done: (app) => `${app} ist verbunden`,
    failed: (app) => `${app} erreicht dieses Gedächtnis noch nicht`,
    failedText: 'Die Einstellungen wurden geschrieben. Siehe den fehlgeschlagenen Schritt oben.',
    notWritten: 'Nichts wurde geändert',
    undone: (app) => `Die Einstellungen von ${app} sind wieder wie vorher.`,
    disconnected: (app) => `Verbindung zu ${app} getrennt`,
    disconnectedText: 'Die Einstellungen der App nennen diesen Vault nicht mehr.',
  },

  step: {
    node: 'Node gefunden',
    program: 'Savepoint gefunden',
    vault: 'Vault gefunden',
    initialize: 'Server startet',
    version: 'Gleiche Version',
    'tools/list': 'Werkzeuge werden gelistet',
    'tools/call': 'Testaufruf funktioniert',
    enabled: 'Eintrag aktiviert',
    trust: 'Vertrauenswürdige Ordner',
    'mcp list': 'App führt Savepoint auf',
  },
  ms: (ms) => `${number(ms)} ms`,
  well: 'OK',
  unsure: 'Unsicher',
  wrong: 'Problem',
  fix: (what) => `Abhilfe: ${what}.`,

  check: {
    running: 'Jede Verbindung wird getestet…',
    well: 'Alle Verbindungen funktionieren',
    wellText: (count) =>
      count === 1
        ? 'Eine App erreicht dieses Gedächtnis.'
        : `${number(count)} Verbindungen erreichen dieses Gedächtnis.`,
    unsure: 'Nichts ist fehlgeschlagen, aber nicht alles ist sicher',
    unsureText: 'Was sich nicht feststellen ließ, steht unten, mit Abhilfe.',
    unwell: 'Einige Verbindungen haben Probleme',
    unwellText: 'Die Probleme stehen unten, mit Abhilfe.',
    none: 'Mit diesem Vault ist keine KI-App verbunden',
    noneText: 'Verbinde eine, damit sie deine Arbeit speichern und fortsetzen kann.',
    entry: (app, name) => `${app}: „${name}“`,
    here: 'Dieser Vault',
    names: { 'state folder': 'Zustandsordner', memory: 'Gedächtnis', vault: 'Vault' },
    failed: 'Die Verbindungen konnten nicht geprüft werden',
    again: 'Erneut prüfen',
  },

  approvals: {
    command: 'Anfragen von KI-Apps prüfen',
    title: 'Freigabe nötig',
    unnamed: 'Unbenannte App',
    wants: (client) => `${client} möchte in dieses Gedächtnis schreiben`,
    action: (title, subject) => `${title}: ${subject}`,
    inWorkspace: (workspace) => `Im Arbeitsbereich ${workspace}`,
    nothing: 'nichts',
    does: 'Aktion',
    workspace: 'Arbeitsbereich',
    what: 'Zu schreibender Inhalt',
    data: 'Rohdaten',
    more: (count) =>
      count === 1 ? '1 weitere Anfrage wartet' : `${number(count)} weitere Anfragen warten`,
    waiting: (count) =>
      count === 1
        ? 'Eine KI-App wartet auf Freigabe'
        : `${number(count)} Anfragen von KI-Apps warten auf Freigabe`,
    once: 'Einmal erlauben',
    session: 'Für diese Sitzung erlauben',
    always: 'Immer erlauben',
    deny: 'Ablehnen',
    options: 'Weitere Möglichkeiten',
    details: 'Einzelheiten…',
    refusals: english.approvals.refusals, // a model reads them
  },

  notices: {
    did: (client, action) => `${client}: ${action}.`,
    failed: (client, action) => `${client}: ${action} (fehlgeschlagen).`,
    earlier: (count) =>
      count === 1 ? 'Und ein früherer Aufruf.' : `Und ${number(count)} frühere Aufrufe.`,
  },

  settings: {
    name: 'KI-Apps',
    desc: 'Apps außerhalb von Obsidian, die dieses Gedächtnis nutzen, und was sie dürfen.',
    onlyDesktop: 'KI-Apps können sich nur auf einem Computer verbinden.',
    unclear: {
      name: 'Einige Berechtigungen werden nicht verstanden',
      desc: (keys) =>
        `${keys} in data.json, vielleicht von einer neueren Version. Was sie verbieten könnten, ist verboten. Aktualisiere Savepoint oder stelle diese Berechtigungen neu ein.`,
    },
    bridge: {
      name: 'KI-Apps verbinden lassen',
      desc: 'Solange dieser Vault geöffnet ist, antwortet Obsidian verbundenen Apps, und du siehst, was sie tun. Ist dies aus, greifen Apps direkt auf den Ordner zu. Was sie dürfen, bleibt gleich; nur was erst nachfragt, wird abgelehnt.',
    },
    readOnly: {
      name: 'Schreibgeschützt für alle',
      desc: 'Keine KI-App kann schreiben, ob dieser Vault geöffnet ist oder nicht.',
    },
    connect: {
      name: 'Verbinden',
      desc: 'Zeigt eine Vorschau der Änderung und testet dann die Verbindung.',
      button: 'Verbinden…',
    },
    update: {
      name: 'Programm für KI-Apps',
      desc: (version) => `KI-Apps starten Version ${version}, die älter als dieses Plugin ist.`,
      button: 'Aktualisieren',
      done: 'Aktualisiert. KI-Apps verwenden es beim nächsten Start.',
    },
    check: {
      name: 'Prüfen',
      desc: 'Testet jede Verbindung zu diesem Vault.',
    },
    others: {
      name: 'Zugriff für alle Apps',
      desc: 'Für alle Apps ohne eigenen Zugriff. Mit „fragen“ wartet Schreiben auf deine Freigabe; ist Obsidian geschlossen, wird es abgelehnt.',
    },
    access: {
      write: 'Lesen und schreiben',
      ask: 'Vor dem Schreiben fragen',
      read: 'Nur lesen',
    },
    notices: {
      name: 'Benachrichtigungen',
      desc: 'Zeigt eine Benachrichtigung, wenn eine App dieses Gedächtnis nutzt.',
      options: { off: 'Nie', writes: 'Beim Schreiben', all: 'Bei jedem Aufruf' },
    },
    seen: 'Zugriff je App',
    seenEmpty: 'Seit dem Start von Obsidian hat sich keine App verbunden.',
    notSeen: 'Hat sich seit dem Start von Obsidian nicht verbunden.',
    activity: (count, tool, when) =>
      `${calls(count)} seit dem Start von Obsidian; zuletzt ${tool}, ${when}.`,
    accessOf: (client) => `Zugriff von ${client}`,
    asOthers: 'Wie für alle Apps',
    http: {
      heading: 'Apps, die sich über HTTP verbinden',
      toggle: {
        name: 'HTTP-Server',
        desc: 'Öffnet eine Adresse auf diesem Computer für Apps, die sich über eine URL verbinden, solange dieser Vault geöffnet ist. Erfordert ein Token; andere Computer und Webseiten erreichen sie nicht. Gilt nur für dieses Gerät.',
      },
      at: 'Adresse',
      opening: 'Wird geöffnet…',
      copyUrl: 'Adresse kopieren',
      urlCopied: 'Adresse kopiert.',
      port: {
        name: 'Port',
        desc: '0 für einen freien Port, der möglichst beibehalten wird.',
      },
      tokens: {
        name: 'Apps mit einem Token',
        desc: 'Jede App sendet ihr Token als „Authorization: Bearer“. Tokens sind auf diesem Gerät gespeichert, außerhalb des Vaults.',
        newName: 'Name der App',
        add: 'Hinzufügen',
        hidden: 'Token verborgen',
        show: { button: 'Anzeigen', of: (client) => `Token von ${client} anzeigen` },
        copy: { button: 'Kopieren', of: (client) => `Token von ${client} kopieren` },
        renew: {
          button: 'Erneuern',
          of: (client) => `${client} ein neues Token geben; das alte wird ungültig`,
        },
        remove: {
          button: 'Entfernen',
          of: (client) => `${client} entfernen; das Token wird ungültig`,
        },
        copied: (client) => `Token von ${client} kopiert.`,
        renewed: (client) => `Neues Token für ${client} erstellt. Kopiere es in die App.`,
        removed: (client) => `${client} entfernt.`,
      },
    },
    restApi: {
      name: 'Werkzeuge über Local REST API anbieten',
      desc: 'Apps, die mit der Erweiterung „Local REST API“ (ab Version 5) verbunden sind, erhalten diese Werkzeuge auch. Sie zählen als eine App.',
      states: {
        off: '',
        absent: 'Die Erweiterung ist nicht aktiviert.',
        old: 'Die Erweiterung ist zu alt: Version 5 oder neuer ist nötig.',
        on: 'Die Werkzeuge sind dort verfügbar.',
        failed: '',
      },
    },
    audit: {
      name: 'Aktivität',
      desc: 'Letzte Aufrufe von KI-Apps, auch abgelehnte.',
      empty: 'Noch keine Aufrufe.',
      last: (count) =>
        `${count === 1 ? 'Der letzte Aufruf' : `Die letzten ${number(count)} Aufrufe`}. Ein Export enthält bis zu 1.000.`,
      csv: 'Als CSV kopieren',
      noteName: (day) => `Aufrufe von KI-Apps ${day}`,
      noteTitle: 'Aufrufe von KI-Apps',
      csvCopied: (count) => `${calls(count)} kopiert.`,
      nothing: 'Keine Aufrufe zum Exportieren.',
    },
  },
};
