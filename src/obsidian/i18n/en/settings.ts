import { counted } from '../../../model/text/counted.js';
import { move, exportTexts, importTexts, importForeign } from './transfer.js';

export const settings = {
  dataFolder: {
    name: 'Data folder',
    desc: 'The folder in this vault that stores the memory. It syncs with your notes.',
    move: 'Move…',
  },
  defaultWorkspace: {
    name: 'Default workspace',
    desc: 'The workspace in which a new device starts.',
    archived: (name: string) => `${name} (archived)`,
    unknown: (id: string) => `Unknown workspace (${id})`,
  },
  deviceName: {
    name: 'Device name',
    desc: 'Saved with each state, so that you can tell on which device you saved it.',
    tooLong: (most: number) => `Use at most ${most} characters.`,
  },
  traceDays: {
    name: 'Keep tool calls for',
    unit: 'days',
    desc: 'Days after which tool calls can be removed. Workspaces and states are kept forever.',
  },
  callLimit: {
    name: 'Tool calls per answer',
    desc: 'An answer pauses after this many. You can continue it.',
  },
  traceMegabytes: {
    name: 'Keep tool calls up to',
    unit: 'MB',
    desc: 'Maximum size of all tool calls in megabytes. The oldest are removed first.',
  },
  wholeNumber: (least: number, most: number) =>
    `Enter a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  excluded: {
    heading: 'Excluded folders',
    empty:
      'No excluded folders. Notes in excluded folders are not searched, not suggested, and not named in tool calls.',
    placeholder: 'Choose a folder to exclude…',
    none: 'No other folder to exclude.',
    isSub: (count: number) => counted(count, 'note'),
    gone: 'Not in the vault',
  },

  toolsets: {
    heading: 'Extra tools',
    about: 'About extra tools',
    aboutDesc:
      'More tools make every request longer. Automatic offers them only where that is cheap. Apps see the change when they reconnect.',
    where: { usual: 'Automatic', on: 'Always', off: 'Never' },
  },

  mirrorHeading: 'States as notes',
  mirror: {
    name: 'Write each state as a note',
    desc: (folder: string) =>
      `Keeps a note of every state in "${folder}", so states appear in search, graph, backlinks and bases, and one with the tasks of each workspace, which you can edit. Only this device writes the notes. If you edit another one, your version is kept as a copy.`,
    status: 'Notes of states',
    waiting: 'Waiting for memory to load…',
    writing: 'Writing notes…',
    done: (notes: number, folder: string) =>
      notes === 0
        ? 'No states yet.'
        : `${counted(notes, 'note is', 'notes are')} up to date in "${folder}".`,
    skipped: (count: number) =>
      `Kept ${counted(count, 'note of yours with the same name', 'notes of yours with the same names')}.`,
    leftAlone: (count: number) =>
      count === 1
        ? '1 note is no longer updated, because it is edited each time Savepoint writes it.'
        : `${count.toLocaleString('en')} notes are no longer updated, because they are edited each time Savepoint writes them.`,
    kept: (name: string, copy: string) =>
      `Savepoint writes the note "${name}". Your edited version is now "${copy}".`,
    keptSeveral: (copy: string, others: number) =>
      `Savepoint writes the notes that you edited. Your versions are now "${copy}" and ${others.toLocaleString('en')} more.`,
    notPutBack: (name: string, copy: string) =>
      `"${name}" was changed or moved since, so your version is still "${copy}".`,
    remove: 'Remove notes',
    removeButton: 'Remove…',
    removeDesc: 'Moves unchanged state notes to the trash. The memory itself is not affected.',
    removeQuestion: (folder: string) =>
      `Unchanged notes in "${folder}" are moved to the trash. The memory itself is not affected.`,
    removed: (count: number) =>
      count === 0 ? 'No notes to remove.' : `Removed ${counted(count, 'note')}.`,
  },
  mirrorFailed: (folder: string, why: string) =>
    `Some notes in "${folder}" could not be written (${why}). Savepoint tries again with the next change, or when you turn this off and on.`,

  storage: {
    name: 'Storage',
    desc: 'Size, devices, verify, export and import.',
    notOpen: 'The memory is not open.',
    reading: 'Reading…',
    size: {
      name: 'Size',
      desc: 'Space used by the data folder.',
      lanes: {
        core: 'Workspaces and states',
        chat: 'Conversations',
        trace: 'Tool calls',
        session: 'Sessions',
      },
      files: (count: number) => counted(count, 'file'),
      empty: 'nothing yet',
    },
    devices: {
      name: 'Devices',
      desc: 'Devices that have saved workspaces and states, and when.',
      empty: 'Nothing saved yet.',
      columns: { device: 'Device', events: 'Changes', last: 'Last change' },
      unnamed: 'Unnamed device',
      thisOne: (name: string) => `${name} (this device)`,
      alone: 'No other device has saved anything yet.',
      intro:
        'Confirm the devices that are yours. Compare each name with the one that the device itself shows here as “This device”: anyone who can write to this vault can imitate a device.',
      trusts: { own: 'This device', confirmed: 'Confirmed', unknown: 'Not confirmed' },
      newWriters: (count: number) =>
        `Also wrote under ${counted(count, 'new id')} that ${count === 1 ? 'is' : 'are'} not confirmed`,
      counts: (states: number, others: number) =>
        `${counted(states, 'state')}, ${counted(others, 'other line')}`,
      namesake: 'Has the name of this device, so it cannot be confirmed',
      confirm: 'Confirm',
      withdraw: 'Withdraw',
      more: (count: number) => `And ${counted(count, 'more device')}.`,
    },
    verify: {
      name: 'Verify',
      desc: 'Checks that nothing in the memory is missing or damaged.',
    },
    cache: {
      desc: "Rebuilds this device's search index and startup cache. Your data is not touched.",
      button: 'Rebuild',
    },
    export: {
      name: 'Export',
      desc: 'Copies the whole memory into a new folder in this vault, as a backup or to import elsewhere.',
      button: 'Export…',
    },
    import: {
      name: 'Import',
      desc: 'Adds what is new from an export, or the memory of Nexus, the MCP server "memory" or Basic Memory. You see a preview first.',
      button: 'Import…',
    },
  },

  move,

  export: exportTexts,

  import: importTexts,

  importForeign,

  outflow: {
    name: 'Privacy',
    desc: 'What leaves this device, and what is stored where.',
    network: {
      name: 'Sent by Savepoint itself: nothing',
      desc: 'No telemetry, no update check, no server of ours. No model is called in the background unless you set one up for search.',
    },
    chat: {
      name: 'Sent when you chat',
      desc: 'Your message, the conversation so far, attachments, the open note if its chip is on, and tool results go to the provider you chose, with your key, and nowhere else.',
    },
    sync: {
      name: 'Synced',
      desc: (folder: string) => `The data folder "${folder}" syncs with your vault.`,
    },
    apps: {
      name: 'Read by AI apps that you connect',
      desc: 'Connected apps read and write what you allow; what they send to their own models is up to them. The HTTP server can only be reached by programs on this computer, each with a token stored on this device outside the vault.',
    },
    clipboard: {
      name: 'Copied by you',
      desc: 'A state goes to the clipboard when you copy it as a prompt.',
    },
    written: 'What is stored where',
    inVault: (folder: string) => `"${folder}" in the vault`,
    data: 'Workspaces, states, conversations and tool calls.',
    notes: {
      on: 'States as notes, written by this device.',
      off: 'States as notes, if turned on. Off on this device.',
    },
    roots: {
      name: 'Folders of workspaces',
      desc: "A workspace's folder is created with the workspace if it doesn't exist.",
    },
    plugin: 'These settings, without secrets.',
    device: {
      name: "This device's own storage",
      desc: 'The current workspace, unsent text, writers and caches. Never synced.',
      called: (device: string) => `This device is named "${device}" in the memory.`,
    },
  },
};
