import type { Surface } from '../../../toolkit/surfaces.js';

/** What the commands, modals and settings say that connect AI apps. */
export const connections = {
  commands: { connect: 'Connect an AI app', check: 'Check connections', copy: 'Copy MCP config' },
  copied: 'Copied the MCP config. Paste it into the settings of the app, beside its other servers.',
  none: 'No AI app that can be connected was found on this computer. Install one and start it once; for any other app there is "Copy MCP config".',
  using: (client: string) => `${client} is using this memory`,

  pick: {
    placeholder: 'Connect an app…',
    enter: 'to see what would change',
    held: (name: string) => `Connected as "${name}"`,
    heldReadOnly: (name: string) => `Connected as "${name}", read-only`,
    free: 'Not connected',
    broken: 'Its settings cannot be read',
  },

  connect: {
    title: (app: string) => `Connect ${app}`,
    reading: 'Looking at its settings…',
    vault: 'Vault',
    file: 'File',
    readOnly: 'Read-only',
    readOnlyDesc: 'It may read this memory, and write nothing.',
    readOnlyHeld:
      'It may read this memory, and write nothing. To let it write, disconnect it and connect it again.',
    surface: 'Tools',
    surfaceDesc:
      'What its model has to read before it begins: each tool by itself is the plainest, one for each thing is shorter, and with two it finds the others when it needs them.',
    surfaces: {
      full: 'Each tool',
      actions: 'One for each thing',
      compact: 'Two tools',
    } satisfies Record<Surface, string>,
    agents: 'Tools beside memory and search',
    agentsDesc: 'For storage, index, checks and traces.',
    agentChoices: { '': 'As the settings say', all: 'All of them', none: 'None' },
    change: 'What changes in the file',
    nothing: (name: string) => `It is connected as "${name}", and nothing would change.`,
    button: 'Connect',
    update: 'Update',
    prove: 'Check',
    disconnect: 'Disconnect',
    cancel: 'Cancel',
    close: 'Close',
    writing: 'Writing the file…',
    proving: 'Starting it as the app will…',
    steps: 'What was checked',
    backup: (file: string) => `What was there before is in ${file}.`,
    done: (app: string) => `${app} is connected`,
    failed: (app: string) => `${app} does not reach this memory yet`,
    failedText: 'The entry is written. What stands in the way is above, with what to do about it.',
    notWritten: 'Nothing was changed',
    undo: 'Undo',
    undone: (app: string) => `The settings of ${app} are as they were.`,
    disconnected: (app: string) => `${app} is disconnected`,
    disconnectedText: 'Its settings no longer name this vault.',
  },

  step: {
    node: 'Node is there',
    program: 'Savepoint is there',
    vault: 'The vault is there',
    initialize: 'It starts',
    version: 'It is this version',
    'tools/list': 'It lists its tools',
    'tools/call': 'A call is answered',
  },
  ms: (ms: number) => `${ms.toLocaleString('en')} ms`,
  well: 'Well',
  wrong: 'Wrong',
  mend: (what: string) => `What to do: ${what}.`,

  check: {
    title: 'Check connections',
    running: 'Starting each connection as its app does…',
    well: 'All is well',
    wellText: (count: number) =>
      count === 1
        ? 'One app reaches this memory.'
        : `${count.toLocaleString('en')} connections reach this memory.`,
    unwell: 'Not all is well',
    unwellText: 'What is wrong stands below, with what to do about it.',
    none: 'No AI app is connected to this vault',
    noneText: 'Connect one, and it can save where you are and carry on from there.',
    entry: (app: string, name: string) => `${app}: "${name}"`,
    here: 'This vault',
    names: { 'state folder': 'State folder', memory: 'Memory', vault: 'Vault' } as Readonly<
      Record<string, string>
    >,
    failed: 'The connections could not be checked',
    again: 'Check again',
    connect: 'Connect an app…',
    close: 'Close',
  },

  approvals: {
    command: 'Answer AI apps that wait',
    title: 'An AI app asks',
    unnamed: 'An app without a name',
    wants: (client: string) => `${client} wants to write to this memory`,
    deed: (title: string, subject: string) => `${title}: ${subject}`,
    inWorkspace: (workspace: string) => `In the workspace ${workspace}`,
    nothing: 'nothing',
    app: 'App',
    does: 'What it does',
    meaning: 'What that means',
    workspace: 'Workspace',
    what: 'What it would write',
    data: 'As data',
    more: (count: number) =>
      count === 1
        ? 'One more question waits.'
        : `${count.toLocaleString('en')} more questions wait.`,
    waiting: (count: number) =>
      count === 1
        ? 'An AI app waits for your answer'
        : `${count.toLocaleString('en')} calls of AI apps wait for your answer`,
    once: 'Allow once',
    session: 'Allow for this session',
    sessionHint: 'Until the app begins another conversation, or Obsidian is closed.',
    always: 'Always allow',
    alwaysHint: 'It is not asked about again. You can change that in the settings.',
    refuse: 'Refuse',
    details: 'Details…',
    refusals: {
      refused:
        'The person did not allow this call. Nothing was written. Do not call again unless the person asks you to.',
      tooLate: (seconds: number) =>
        `The person was asked in Obsidian and did not answer within ${seconds} seconds. Nothing was written. Tell the person that it is waiting for leave there, then call again.`,
      cancelled: 'The call was cancelled before the person had allowed it. Nothing was written.',
      closed:
        'Obsidian was closed before the person had allowed the call. Nothing was written. Call again.',
      full: 'Too many calls wait for the person in Obsidian. Nothing was written. Wait for answers, then call again.',
    },
  },

  notices: {
    did: (client: string, deed: string) => `${client}: ${deed}.`,
    failed: (client: string, deed: string) => `${client}: ${deed} (failed).`,
    earlier: (count: number) =>
      count === 1 ? 'And one call before.' : `And ${count.toLocaleString('en')} calls before.`,
  },

  settings: {
    name: 'AI apps',
    desc: 'Which apps outside of Obsidian use this memory, and what they may do.',
    onlyDesktop:
      'This device cannot answer AI apps: that takes Obsidian on a computer, with a vault in a folder.',
    notOpen: 'The memory is not open.',
    bridge: {
      name: 'Answer AI apps',
      desc: 'While Obsidian has this vault open, it answers the apps that you connected, and you see at once what they do. Where this is off, each of them reads and writes the folder by itself, and the switches below do not hold.',
    },
    readOnly: {
      name: 'Read-only for all',
      desc: 'No AI app may write while Obsidian has this vault open. To hold at other times too, connect the app as read-only.',
    },
    connect: {
      name: 'Connect',
      desc: 'Shows what would change in the settings of an app before it does, and proves that it works.',
      button: 'Connect…',
    },
    check: {
      name: 'Check',
      desc: 'Starts every connection to this vault as its app does, and says what is wrong.',
      button: 'Check',
    },
    others: {
      name: 'What apps may do',
      desc: 'Each app, unless you say something else of it below. What asks first waits until you allow it; with Obsidian closed nobody can be asked, and it is refused.',
    },
    access: { write: 'Read and write', ask: 'Read, and ask before writing', read: 'Only read' },
    notices: {
      name: 'Tell what apps do',
      desc: 'In a notice, as it happens.',
      options: { off: 'Nothing', writes: 'What they write', all: 'Every call' },
    },
    seen: 'What each app may do',
    seenEmpty: 'No app has called since Obsidian was started.',
    notSeen: 'Has not called since Obsidian was started.',
    activity: (calls: number, tool: string, when: string) =>
      `${calls === 1 ? 'One call' : `${calls.toLocaleString('en')} calls`} since Obsidian was started; the last was ${tool}, ${when}.`,
    accessOf: (client: string) => `What ${client} may do`,
    asOthers: 'As the others',
    http: {
      heading: 'Apps that connect over HTTP',
      toggle: {
        name: 'Answer over HTTP',
        desc: 'Opens an address on this computer for apps that take one, while Obsidian has this vault open. Nobody comes in without a token; other computers and web pages cannot reach it. For this device alone.',
      },
      at: 'Address',
      opening: 'Opening…',
      copyUrl: 'Copy address',
      urlCopied: 'Copied the address.',
      port: {
        name: 'Port',
        desc: '0 takes any that is free, and the same one again where that is free the next time.',
        wrong: 'Give a whole number from 0 to 65,535.',
      },
      tokens: {
        name: 'Apps with a token',
        desc: 'Each app sends its token as "Authorization: Bearer" and is known by its name here. The tokens lie on this device, outside of the vault.',
        newName: 'Name of another app',
        add: 'Add',
        hidden: 'Token hidden',
        show: { button: 'Show', of: (client: string) => `Show the token of ${client}` },
        copy: { button: 'Copy', of: (client: string) => `Copy the token of ${client}` },
        renew: {
          button: 'Renew',
          of: (client: string) => `Give ${client} a new token; the old one is refused from then on`,
        },
        remove: {
          button: 'Remove',
          of: (client: string) => `Remove ${client}; its token is refused from then on`,
        },
        copied: (client: string) => `Copied the token of ${client}.`,
        renewed: (client: string) => `${client} has a new token. Copy it into the app.`,
        removed: (client: string) => `${client} is no longer let in.`,
      },
    },
    restApi: {
      name: 'Offer the tools through Local REST API',
      desc: 'Where the plugin "Local REST API" (version 5 or later) is enabled, the apps that are connected to it get these tools too. They count as one app of that name.',
      states: {
        off: '',
        absent: 'That plugin is not enabled now.',
        old: 'That plugin is too old: it needs version 5 or later.',
        on: 'The tools are offered there now.',
        failed: '',
      },
    },
    audit: {
      name: 'What apps did',
      desc: 'The last calls of AI apps, those that were refused too.',
      reading: 'Reading…',
      empty: 'No app has called yet.',
      columns: { when: 'When', client: 'App', tool: 'Tool', outcome: 'Outcome' },
      exported: ['When', 'App', 'Workspace', 'Session', 'Tool', 'Outcome', 'Parameters'],
      done: 'Done',
      last: (count: number) =>
        `The last ${count.toLocaleString('en')} calls. An export has up to 1,000.`,
      note: 'Export as note',
      csv: 'Copy as CSV',
      noteName: (day: string) => `Calls of AI apps ${day}`,
      noteTitle: 'Calls of AI apps',
      noteMade: (path: string) => `Exported to "${path}".`,
      csvCopied: (count: number) =>
        count === 1 ? 'Copied one call.' : `Copied ${count.toLocaleString('en')} calls.`,
      nothing: 'There is no call to export.',
    },
  },
};
