import { counted } from '../../../model/text/counted.js';

/** Texts of the settings, their pages and modals. */
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
    desc: 'Days after which tool calls can be removed. Workspaces and states are kept forever.',
  },
  traceMegabytes: {
    name: 'Keep tool calls up to',
    desc: 'Maximum size of all tool calls in megabytes. The oldest are removed first.',
  },
  wholeNumber: (least: number, most: number) =>
    `Enter a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  excluded: {
    heading: 'Excluded folders',
    empty:
      'No excluded folders. Notes in excluded folders are not searched, not suggested, and not named in tool calls.',
    add: 'Exclude a folder',
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
      `Keeps a note of every state in "${folder}", so states appear in search, graph, backlinks and bases, and one with the tasks of each workspace, where a ticked box marks its task done. Only this device writes the notes. If you edit one, your version is kept as a copy.`,
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
      lanes: { core: 'Workspaces and states', chat: 'Conversations', trace: 'Tool calls' },
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
    },
    verify: {
      name: 'Verify',
      desc: 'Checks that nothing in the memory is missing or damaged.',
      button: 'Verify',
    },
    cache: {
      name: 'Rebuild cache',
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

  move: {
    title: 'Move memory',
    intro: (folder: string) => `Memory folder: "${folder}"`,
    field: 'New folder',
    hint: 'A folder in this vault, for example "Archive/Savepoint".',
    move: 'Move memory',
    moving: 'Moving…',
    use: 'Use this folder as it is',
    cancel: 'Cancel',
    empty: 'Enter a folder inside the vault, not the vault itself.',
    problem: (path: string, problem: string) => `"${path}" ${problem}.`,
    hidden: (path: string) =>
      `"${path}" is hidden: Obsidian neither shows nor syncs folders that start with a dot. Choose another folder.`,
    config: (path: string) => `"${path}" contains Obsidian's settings. Choose another folder.`,
    same: (path: string) => `"${path}" already is the memory folder.`,
    inside: (path: string) =>
      `"${path}" is inside the current data folder. Choose a folder outside it.`,
    file: (path: string) => `"${path}" is a file or inside one. Choose another folder.`,
    outside: (path: string) =>
      `"${path}" is a link that leads outside the vault. Choose another folder.`,
    free: (path: string, from: string) =>
      `"${path}" is available. Move the memory there, or leave it in "${from}" unused and start with an empty one.`,
    holdsMemory: (path: string, from: string) =>
      `"${path}" already contains a memory, so nothing can be moved there. You can use that one; "${from}" stays but is no longer used.`,
    holdsFiles: (path: string, from: string) =>
      `"${path}" contains other files, so nothing can be moved there. You can start an empty memory in it; "${from}" stays but is no longer used.`,
    otherDevices: "If plugin settings don't sync, change the folder on your other devices too.",
    moved: (path: string) => `Moved the memory to "${path}".`,
    used: (path: string) => `Now using the memory in "${path}".`,
    failed: (path: string, why: string) =>
      `Could not move the memory to "${path}": ${why}. It was not changed.`,
  },

  export: {
    title: 'Export memory',
    form: 'Format',
    formHint: 'Data can be imported again; notes are for reading.',
    forms: { jsonl: 'Data (.jsonl)', notes: 'Notes (Markdown)' },
    folder: 'Folder',
    folderHint: 'A new or empty folder in this vault.',
    folderName: (day: string) => `Savepoint export ${day}`,
    button: 'Export',
    running: 'Reading memory…',
    writing: (done: number, total: number) =>
      `Writing ${done.toLocaleString('en')} of ${total.toLocaleString('en')} files…`,
    taken: (path: string) =>
      `"${path}" is not empty. Choose a new or empty folder; an export never overwrites anything.`,
    inData: (path: string) =>
      `"${path}" is inside the data folder, so it would become part of the memory. Choose another folder.`,
    nothing: 'Nothing to export yet.',
    doneLines: (count: number, path: string) => `Exported ${counted(count, 'event')} to "${path}".`,
    doneNotes: (count: number, path: string) => `Exported ${counted(count, 'note')} to "${path}".`,
    leftOut: (count: number) =>
      `${counted(count, 'line')} could not be read and ${count === 1 ? 'was' : 'were'} skipped; use Verify for details.`,
    waiting: (count: number) =>
      `The export is incomplete: ${counted(count, 'file')} can't be read now. Let the sync finish, then export again to another folder.`,
    close: 'Close',
    cancel: 'Cancel',
  },

  import: {
    title: 'Import memory',
    files: 'Files from this device',
    choose: 'Choose files…',
    filesHint: 'One or more .jsonl files of an export.',
    folder: 'Folder in this vault',
    folderHint: 'Reads every .jsonl file in it and its subfolders.',
    look: 'Preview',
    looking: 'Comparing with the memory…',
    noFiles: (path: string) =>
      `"${path}" contains no .jsonl file. Choose the folder of an export; an export as notes cannot be imported.`,
    dryRun: 'Preview: nothing is written yet.',
    read: (count: number) => `${counted(count, 'event')} read`,
    news: (count: number) => `${count.toLocaleString('en')} new`,
    known: (count: number) => `${count.toLocaleString('en')} already in this memory`,
    retired: (count: number) =>
      `${count.toLocaleString('en')} left out: already removed from this memory`,
    lost: (count: number) =>
      `${counted(count, 'event')} of the original export ${count === 1 ? 'is' : 'are'} missing from this copy. Use a complete copy if you have one.`,
    bad: 'Skipped lines:',
    more: (count: number) => `and ${count.toLocaleString('en')} more`,
    nothingNew: 'Everything is already in this memory.',
    button: (count: number) => `Import ${counted(count, 'event')}`,
    importing: 'Writing…',
    otherVault:
      'This is the memory of another vault, or its vault is unknown. Merging two memories cannot be undone.',
    merge: 'Merge both memories',
    done: (count: number) => `Imported ${counted(count, 'event')}.`,
    close: 'Close',
    cancel: 'Cancel',
  },

  importForeign: {
    whose: 'Program',
    choose: 'Choose…',
    programs: {
      savepoint: 'Savepoint',
      nexus: 'Nexus',
      'server-memory': 'MCP server "memory"',
      'basic-memory': 'Basic Memory',
    },
    several: 'These files contain the memory of several programs.',
    found: (program: string, count: number, isNotes: boolean) =>
      `${program}: ${counted(count, isNotes ? 'note' : 'line')} read.`,
    kind: {
      workspaces: (added: number, known: number) => `Workspaces: ${addedText(added, known)}`,
      states: (added: number, known: number) => `States: ${addedText(added, known)}`,
      traces: (added: number, known: number) => `Tool calls: ${addedText(added, known)}`,
      conversations: (added: number, known: number) => `Conversations: ${addedText(added, known)}`,
      messages: (added: number, known: number) => `Messages: ${addedText(added, known)}`,
      records: (added: number, known: number) => `Records: ${addedText(added, known)}`,
      changes: (added: number, known: number) => `Later changes: ${addedText(added, known)}`,
    },
    archived: (count: number) =>
      `${count.toLocaleString('en')} archived (already archived or deleted there)`,
    duplicates: (count: number) => `${counted(count, 'duplicate line')}, read once`,
    troublesTitle: 'Problems with these lines. Fix them and import again; nothing is added twice:',
    trouble: {
      damaged: 'damaged; skipped',
      salvaged: 'damaged; the intact part was imported',
      garbled: 'imported, with invalid characters',
      foreign: 'not from that program; skipped',
      tooLong: 'too long; skipped',
    },
    leftOutTitle: 'Skipped:',
    left: {
      lastUse: (count: number) => `${counted(count, 'usage time')}, not imported`,
      sessions: (count: number) => `${counted(count, 'session line')}, already in the tool calls`,
      copies: (count: number) =>
        `${counted(count, 'copy', 'copies')} of a workspace inside a state; the workspace itself is imported`,
      chatSettings: (count: number) =>
        `${counted(count, 'set')} of conversation settings, such as the model`,
      emptyMessages: (count: number) => counted(count, 'empty message'),
      unknown: (count: number) => `${counted(count, 'line')} of an unknown kind`,
      orphans: (count: number) => `${counted(count, 'line')} without a parent`,
      otherNotes: (count: number) => `${counted(count, 'note')} not written by Basic Memory`,
      retired: (count: number) =>
        `${counted(count, 'tool call')} imported before and retired since`,
      forgotten: (count: number) =>
        `${counted(count, 'entry', 'entries')} imported before and forgotten since`,
    },
    renamed: 'Renamed (the original name was taken or is not allowed):',
    secrets:
      'Imported as written, though it looks like a secret (the log keeps it, so change it where it is used):',
    button: (count: number) => `Import ${counted(count, 'entry', 'entries')}`,
    done: (count: number) => `Imported ${counted(count, 'entry', 'entries')}.`,
  },

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
    data: {
      name: (folder: string) => `"${folder}" in the vault`,
      desc: 'Workspaces, states, conversations and tool calls.',
    },
    notes: {
      name: (folder: string) => `"${folder}" in the vault`,
      on: 'States as notes, written by this device.',
      off: 'States as notes, if turned on. Off on this device.',
    },
    roots: {
      name: 'Folders of workspaces',
      desc: "A workspace's folder is created with the workspace if it doesn't exist.",
    },
    plugin: {
      name: (folder: string) => `"${folder}" in the vault`,
      desc: 'These settings, without secrets.',
    },
    device: {
      name: "This device's own storage",
      desc: 'The current workspace, unsent text, writers and caches. Never synced.',
      called: (device: string) => `This device is named "${device}" in the memory.`,
    },
  },
};

function addedText(added: number, known: number): string {
  return `${added.toLocaleString('en')} new, ${known.toLocaleString('en')} already here`;
}
