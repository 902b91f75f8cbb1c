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
    enter: 'zum Ansehen der Änderungen',
    held: (name) => `Verbunden als „${name}“`,
    heldReadOnly: (name) => `Verbunden als „${name}“, schreibgeschützt`,
    free: 'Nicht verbunden',
    broken: 'Die Einstellungen können nicht gelesen werden',
  },

  connect: {
    title: (app) => `${app} verbinden`,
    reading: 'Einstellungen werden angesehen…',
    vault: 'Vault',
    file: 'Datei',
    readOnly: 'Schreibgeschützt',
    readOnlyDesc: 'Die App darf dieses Gedächtnis lesen und nichts schreiben.',
    readOnlyHeld:
      'Die App darf dieses Gedächtnis lesen und nichts schreiben. Damit sie schreiben darf, die Verbindung trennen und neu verbinden.',
    surface: 'Werkzeuge',
    surfaceDesc:
      'Was das Modell der App zu lesen hat, bevor es beginnt: Jedes Werkzeug einzeln ist am klarsten, eines je Sache ist kürzer, und mit zweien findet es die anderen, wenn es sie braucht.',
    surfaces: { full: 'Jedes Werkzeug', actions: 'Eines je Sache', compact: 'Zwei Werkzeuge' },
    agents: 'Werkzeuge neben Gedächtnis und Suche',
    agentsDesc: 'Für Ablage, Index, Prüfungen und Aufzeichnungen.',
    agentChoices: { '': 'Wie in den Einstellungen', all: 'Alle', none: 'Keine' },
    change: 'Was sich in der Datei ändert',
    nothing: (name) => `Bereits verbunden als „${name}“; es würde sich nichts ändern.`,
    button: 'Verbinden',
    update: 'Aktualisieren',
    prove: 'Prüfen',
    disconnect: 'Verbindung trennen',
    cancel: 'Abbrechen',
    close: 'Schließen',
    writing: 'Datei wird geschrieben…',
    proving: 'Wird gestartet wie von der App…',
    steps: 'Was geprüft wurde',
    backup: (file) => `Was vorher da war, steht in ${file}.`,
    done: (app) => `${app} ist verbunden`,
    failed: (app) => `${app} erreicht dieses Gedächtnis noch nicht`,
    failedText:
      'Der Eintrag ist geschrieben. Was im Weg steht, steht oben, samt dem, was zu tun ist.',
    notWritten: 'Nichts wurde geändert',
    undo: 'Rückgängig machen',
    undone: (app) => `Die Einstellungen von ${app} sind wieder wie vorher.`,
    disconnected: (app) => `Verbindung zu ${app} getrennt`,
    disconnectedText: 'Die Einstellungen der App nennen diesen Vault nicht mehr.',
  },

  step: {
    node: 'Node ist da',
    program: 'Savepoint ist da',
    vault: 'Der Vault ist da',
    initialize: 'Es startet',
    version: 'Es ist diese Version',
    'tools/list': 'Es nennt seine Werkzeuge',
    'tools/call': 'Ein Aufruf wird beantwortet',
  },
  ms: (ms) => `${number(ms)} ms`,
  well: 'In Ordnung',
  wrong: 'Nicht in Ordnung',
  mend: (what) => `Was zu tun ist: ${what}.`,

  check: {
    title: 'Verbindungen prüfen',
    running: 'Jede Verbindung wird gestartet wie von ihrer App…',
    well: 'Alles in Ordnung',
    wellText: (count) =>
      count === 1
        ? 'Eine App erreicht dieses Gedächtnis.'
        : `${number(count)} Verbindungen erreichen dieses Gedächtnis.`,
    unwell: 'Nicht alles ist in Ordnung',
    unwellText: 'Was nicht stimmt, steht unten, samt dem, was zu tun ist.',
    none: 'Mit diesem Vault ist keine KI-App verbunden',
    noneText:
      'Eine verbundene App kann speichern, wie weit die Arbeit ist, und von dort aus weitermachen.',
    entry: (app, name) => `${app}: „${name}“`,
    here: 'Dieser Vault',
    names: { 'state folder': 'Zustandsordner', memory: 'Gedächtnis', vault: 'Vault' },
    failed: 'Die Verbindungen konnten nicht geprüft werden',
    again: 'Erneut prüfen',
    connect: 'App verbinden…',
    close: 'Schließen',
  },

  approvals: {
    command: 'Wartenden KI-Apps antworten',
    title: 'Eine KI-App fragt',
    unnamed: 'Eine App ohne Namen',
    wants: (client) => `${client} möchte in dieses Gedächtnis schreiben`,
    deed: (title, subject) => `${title}: ${subject}`,
    inWorkspace: (workspace) => `Im Arbeitsbereich ${workspace}`,
    nothing: 'nichts',
    app: 'App',
    does: 'Was sie tut',
    meaning: 'Was das bedeutet',
    workspace: 'Arbeitsbereich',
    what: 'Was sie schreiben würde',
    data: 'Als Daten',
    more: (count) =>
      count === 1 ? 'Eine weitere Frage wartet.' : `${number(count)} weitere Fragen warten.`,
    waiting: (count) =>
      count === 1
        ? 'Eine KI-App wartet auf Antwort'
        : `${number(count)} Aufrufe von KI-Apps warten auf Antwort`,
    once: 'Einmal erlauben',
    session: 'Für diese Sitzung erlauben',
    sessionHint: 'Bis die App eine andere Unterhaltung beginnt oder Obsidian geschlossen wird.',
    always: 'Immer erlauben',
    alwaysHint: 'Es wird nicht mehr danach gefragt. In den Einstellungen lässt sich das ändern.',
    refuse: 'Ablehnen',
    details: 'Einzelheiten…',
    refusals: english.approvals.refusals, // a model reads them
  },

  notices: {
    did: (client, deed) => `${client}: ${deed}.`,
    failed: (client, deed) => `${client}: ${deed} (fehlgeschlagen).`,
    earlier: (count) =>
      count === 1 ? 'Und ein Aufruf davor.' : `Und ${number(count)} Aufrufe davor.`,
  },

  settings: {
    name: 'KI-Apps',
    desc: 'Welche Apps außerhalb von Obsidian dieses Gedächtnis benutzen und was sie dürfen.',
    onlyDesktop:
      'Dieses Gerät kann KI-Apps nicht antworten: Dazu braucht es Obsidian auf einem Computer, mit einem Vault in einem Ordner.',
    notOpen: 'Das Gedächtnis ist nicht geöffnet.',
    bridge: {
      name: 'KI-Apps antworten',
      desc: 'Solange dieser Vault in Obsidian geöffnet ist, antwortet Obsidian den verbundenen Apps, und was sie tun, ist sofort zu sehen. Ist dies aus, liest und schreibt jede den Ordner für sich, und die Schalter darunter gelten nicht.',
    },
    readOnly: {
      name: 'Schreibgeschützt für alle',
      desc: 'Keine KI-App darf schreiben, solange dieser Vault in Obsidian geöffnet ist. Damit das auch sonst gilt, die App schreibgeschützt verbinden.',
    },
    connect: {
      name: 'Verbinden',
      desc: 'Zeigt vorab, was sich in den Einstellungen einer App ändern würde, und weist nach, dass es funktioniert.',
      button: 'Verbinden…',
    },
    check: {
      name: 'Prüfen',
      desc: 'Startet jede Verbindung zu diesem Vault so wie ihre App und sagt, was nicht stimmt.',
      button: 'Prüfen',
    },
    others: {
      name: 'Was Apps dürfen',
      desc: 'Jede App, außer unten ist etwas anderes für sie festgelegt. Was zuerst fragt, wartet auf Erlaubnis; ist Obsidian geschlossen, kann niemand gefragt werden, und es wird abgelehnt.',
    },
    access: {
      write: 'Lesen und schreiben',
      ask: 'Lesen, vor dem Schreiben fragen',
      read: 'Nur lesen',
    },
    notices: {
      name: 'Melden, was Apps tun',
      desc: 'In einem Hinweis, sobald es geschieht.',
      options: { off: 'Nichts', writes: 'Was sie schreiben', all: 'Jeden Aufruf' },
    },
    seen: 'Was jede App darf',
    seenEmpty: 'Seit dem Start von Obsidian hat keine App etwas aufgerufen.',
    notSeen: 'Hat seit dem Start von Obsidian nichts aufgerufen.',
    activity: (count, tool, when) =>
      `${calls(count)} seit dem Start von Obsidian; zuletzt ${tool}, ${when}.`,
    accessOf: (client) => `Was ${client} darf`,
    asOthers: 'Wie die anderen',
    http: {
      heading: 'Apps, die sich über HTTP verbinden',
      toggle: {
        name: 'Über HTTP antworten',
        desc: 'Öffnet eine Adresse auf diesem Computer für Apps, die eine annehmen, solange dieser Vault in Obsidian geöffnet ist. Ohne Token kommt niemand hinein; andere Computer und Webseiten erreichen sie nicht. Gilt nur für dieses Gerät.',
      },
      at: 'Adresse',
      opening: 'Wird geöffnet…',
      copyUrl: 'Adresse kopieren',
      urlCopied: 'Adresse kopiert.',
      port: {
        name: 'Port',
        desc: '0 nimmt einen beliebigen freien, und beim nächsten Mal wieder denselben, falls er frei ist.',
        wrong: 'Bitte eine ganze Zahl von 0 bis 65.535 angeben.',
      },
      tokens: {
        name: 'Apps mit einem Token',
        desc: 'Jede App sendet ihr Token als „Authorization: Bearer“ und ist hier unter ihrem Namen bekannt. Die Tokens liegen auf diesem Gerät, außerhalb des Vaults.',
        newName: 'Name einer weiteren App',
        add: 'Hinzufügen',
        hidden: 'Token verborgen',
        show: { button: 'Anzeigen', of: (client) => `Token von ${client} anzeigen` },
        copy: { button: 'Kopieren', of: (client) => `Token von ${client} kopieren` },
        renew: {
          button: 'Erneuern',
          of: (client) => `${client} ein neues Token geben; das alte wird ab dann abgelehnt`,
        },
        remove: {
          button: 'Entfernen',
          of: (client) => `${client} entfernen; das Token wird ab dann abgelehnt`,
        },
        copied: (client) => `Token von ${client} kopiert.`,
        renewed: (client) => `${client} hat ein neues Token. Es in die App kopieren.`,
        removed: (client) => `${client} wird nicht mehr eingelassen.`,
      },
    },
    restApi: {
      name: 'Werkzeuge über Local REST API anbieten',
      desc: 'Ist die Erweiterung „Local REST API“ (ab Version 5) aktiviert, erhalten auch die mit ihr verbundenen Apps diese Werkzeuge. Sie zählen zusammen als eine App dieses Namens.',
      states: {
        off: '',
        absent: 'Diese Erweiterung ist gerade nicht aktiviert.',
        old: 'Diese Erweiterung ist zu alt: Nötig ist Version 5 oder neuer.',
        on: 'Die Werkzeuge werden dort jetzt angeboten.',
        failed: '',
      },
    },
    audit: {
      name: 'Was Apps getan haben',
      desc: 'Die letzten Aufrufe von KI-Apps, auch die abgelehnten.',
      reading: 'Wird gelesen…',
      empty: 'Noch hat keine App etwas aufgerufen.',
      columns: { when: 'Wann', client: 'App', tool: 'Werkzeug', outcome: 'Ergebnis' },
      exported: ['Wann', 'App', 'Arbeitsbereich', 'Sitzung', 'Werkzeug', 'Ergebnis', 'Parameter'],
      done: 'Erledigt',
      last: (count) =>
        `${count === 1 ? 'Der letzte Aufruf' : `Die letzten ${number(count)} Aufrufe`}. Ein Export enthält bis zu 1.000.`,
      note: 'Als Notiz exportieren',
      csv: 'Als CSV kopieren',
      noteName: (day) => `Aufrufe von KI-Apps ${day}`,
      noteTitle: 'Aufrufe von KI-Apps',
      noteMade: (path) => `Nach „${path}“ exportiert.`,
      csvCopied: (count) => `${calls(count)} kopiert.`,
      nothing: 'Es gibt keinen Aufruf zum Exportieren.',
    },
  },
};
