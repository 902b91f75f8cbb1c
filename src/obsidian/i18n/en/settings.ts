/** What the settings, their pages and the modals that they open say. */
export const settings = {
  dataFolder: {
    name: 'Data folder',
    desc: 'The folder of this vault that holds the memory; your sync carries it with your notes.',
    move: 'Move…',
  },
  defaultWorkspace: {
    name: 'Default workspace',
    desc: 'Where a device starts that has not been in any workspace yet.',
    archived: (name: string) => `${name} (archived)`,
    unknown: (id: string) => `Unknown workspace (${id})`,
  },
  traceDays: {
    name: 'Keep tool calls for',
    desc: 'Days after which the record of a tool call may be removed; workspaces and states stay for ever.',
  },
  traceMegabytes: {
    name: 'Keep tool calls up to',
    desc: 'Megabytes that the record of tool calls may take; the oldest are removed first.',
  },
  wholeNumber: (least: number, most: number) =>
    `Give a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  excluded: {
    heading: 'Excluded folders',
    empty:
      'No folder is excluded. Notes in an excluded folder are not searched, not offered in forms, and not named in the record of tool calls.',
    add: 'Exclude a folder',
    placeholder: 'Choose a folder to exclude…',
    none: 'There is no other folder to exclude.',
    isSub: (count: number) => (count === 1 ? 'One note' : `${count.toLocaleString('en')} notes`),
    gone: 'Not in the vault now',
  },

  agents: {
    heading: 'Further tools',
    about: 'Tools beside memory and search',
    aboutDesc:
      'An app that sees each tool by its name has more to read with each of these, so it has them only where you choose everywhere. The chat and other apps have them wherever it costs little. An app notices when it connects again.',
    where: { usual: 'Where it costs little', on: 'Everywhere', off: 'Nowhere' },
  },

  mirrorHeading: 'States as notes',
  mirror: {
    name: 'Write each state as a note',
    desc: (folder: string) =>
      `Keeps a read-only note of every state in "${folder}", so that states show in search, graph, backlinks and bases; this device alone does it.`,
    status: 'Notes of states',
    off: 'No notes are written by this device.',
    waiting: 'Waiting for the memory to be read…',
    writing: 'Writing notes…',
    done: (notes: number, folder: string) =>
      notes === 0
        ? 'There is no state to write yet.'
        : `${notes === 1 ? 'One note is' : `${notes.toLocaleString('en')} notes are`} up to date in "${folder}".`,
    passed: (count: number) =>
      count === 1
        ? 'One note of your own was in the way and is left as it is.'
        : `${count.toLocaleString('en')} notes of your own were in the way and are left as they are.`,
    remove: 'Remove the notes',
    removeDesc:
      'Moves the notes that nobody has changed to the trash, for when they are no longer wanted; the memory itself stays as it is.',
    removeQuestion: (folder: string) =>
      `The notes in "${folder}" that nobody has changed go to the trash. The memory itself stays as it is.`,
    removed: (count: number) =>
      count === 0
        ? 'There was no note to remove.'
        : count === 1
          ? 'Removed one note.'
          : `Removed ${count.toLocaleString('en')} notes.`,
  },
  mirrorFailed: (folder: string, why: string) =>
    `Not every note in "${folder}" could be written (${why}). It is tried again with the next change, or when this is turned off and on.`,

  storage: {
    name: 'Storage',
    desc: 'Size, devices, verify, export and import.',
    notOpen: 'The memory is not open.',
    reading: 'Reading…',
    size: {
      name: 'Size',
      desc: 'What the memory takes in the data folder.',
      lanes: { core: 'Workspaces and states', chat: 'Conversations', trace: 'Tool calls' },
      files: (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`),
      empty: 'nothing yet',
    },
    devices: {
      name: 'Devices',
      desc: 'Who has written workspaces and states to this memory, and when last.',
      empty: 'Nothing is saved yet. Whoever saves something shows here.',
      columns: { device: 'Device', events: 'Changes', last: 'Last wrote' },
      unnamed: 'A device without a name',
      thisOne: (name: string) => `${name} (this device)`,
      alone:
        'So far no other device has written here. If you use several with Obsidian Sync, turn on "Sync all other types" under Settings, Sync, Selective sync, on each of them: without it the memory stays on each device.',
      several:
        'With Obsidian Sync, each device needs "Sync all other types" under Settings, Sync, Selective sync.',
    },
    verify: {
      name: 'Verify',
      desc: 'Reads the whole memory afresh and checks that nothing is missing or damaged.',
      button: 'Verify',
    },
    cache: {
      name: 'Rebuild cache',
      desc: 'Forgets what this device keeps outside the vault to start faster and to search, and makes it anew; nothing is lost.',
      button: 'Rebuild',
    },
    export: {
      name: 'Export',
      desc: 'Copies the whole memory into a new folder of this vault, to keep or to import elsewhere.',
      button: 'Export…',
    },
    import: {
      name: 'Import',
      desc: 'Adds what an export holds and this memory does not, or what Nexus, the MCP server "memory" or Basic Memory have kept; you see what would change before it does.',
      button: 'Import…',
    },
  },

  move: {
    title: 'Move the memory',
    intro: (folder: string) => `The memory lies in "${folder}".`,
    field: 'New folder',
    hint: 'A folder of this vault, such as "Archive/Savepoint".',
    move: 'Move the memory there',
    moving: 'Moving…',
    use: 'Use that folder as it is',
    cancel: 'Cancel',
    empty: 'Name a folder inside the vault. The vault itself cannot hold the memory.',
    problem: (path: string, problem: string) => `"${path}" ${problem}.`,
    hidden: (path: string) =>
      `"${path}" is hidden: Obsidian neither shows nor syncs what begins with a dot. Choose a visible folder.`,
    config: (path: string) =>
      `"${path}" is where Obsidian keeps its settings. Choose another folder.`,
    same: (path: string) => `The memory lies in "${path}" already.`,
    inside: (path: string) =>
      `"${path}" is inside the present data folder. Choose a folder outside of it.`,
    file: (path: string) => `"${path}" is a file, or lies in one. Choose another folder.`,
    outside: (path: string) =>
      `"${path}" is a link that leads outside the vault. Choose another folder.`,
    free: (path: string, from: string) =>
      `"${path}" is free. The memory can be moved there; or leave it in "${from}", where it is no longer read, and begin with an empty one.`,
    holdsMemory: (path: string, from: string) =>
      `"${path}" already holds a memory, so nothing can be moved there. You can use that one; what is in "${from}" stays there and is no longer read.`,
    holdsFiles: (path: string, from: string) =>
      `"${path}" has other files in it, so nothing can be moved there. You can begin an empty memory beside them; what is in "${from}" stays there and is no longer read.`,
    otherDevices:
      'Where your sync does not carry the settings of plugins, change the folder on your other devices too.',
    moved: (path: string) => `The memory now lies in "${path}".`,
    used: (path: string) => `Savepoint now uses the memory in "${path}".`,
    failed: (path: string, why: string) =>
      `The memory could not be moved to "${path}": ${why}. It is where it was.`,
  },

  export: {
    title: 'Export the memory',
    form: 'Form',
    formHint: 'Lines can be imported again; notes are for people to read.',
    forms: { jsonl: 'Lines (.jsonl)', notes: 'Notes (Markdown)' },
    folder: 'Folder',
    folderHint: 'New or empty, in this vault.',
    folderName: (day: string) => `Savepoint export ${day}`,
    button: 'Export',
    running: 'Reading the memory…',
    writing: (done: number, total: number) =>
      `Writing ${done.toLocaleString('en')} of ${total.toLocaleString('en')} files…`,
    taken: (path: string) =>
      `"${path}" is not empty. Choose a folder that is new or empty; an export never writes over anything.`,
    inData: (path: string) =>
      `"${path}" is in the data folder, where it would be taken for a part of the memory. Choose another folder.`,
    nothing: 'Nothing is saved yet, so there is nothing to export.',
    doneLines: (count: number, path: string) =>
      `Exported ${count === 1 ? 'one event' : `${count.toLocaleString('en')} events`} to "${path}".`,
    doneNotes: (count: number, path: string) =>
      `Exported ${count === 1 ? 'one note' : `${count.toLocaleString('en')} notes`} to "${path}".`,
    leftOut: (count: number) =>
      `${count === 1 ? 'One line' : `${count.toLocaleString('en')} lines`} of the memory could not be read and ${count === 1 ? 'is' : 'are'} left out; Verify says which.`,
    waiting: (count: number) =>
      `The export is not whole: ${count === 1 ? 'one file' : `${count.toLocaleString('en')} files`} cannot be read now. Let the sync finish, then export again to another folder.`,
    close: 'Close',
    cancel: 'Cancel',
  },

  import: {
    title: 'Import a memory',
    files: 'Files from this device',
    choose: 'Choose files…',
    filesHint: 'The .jsonl file that an export has made, or several.',
    folder: 'Folder in this vault',
    folderHint: 'Takes every .jsonl file in it and below.',
    look: 'Look',
    looking: 'Comparing with the memory…',
    noFiles: (path: string) =>
      `"${path}" holds no .jsonl file. Choose the folder that an export has made; an export as notes cannot be imported.`,
    dryRun: 'This is what would happen. Nothing is written yet.',
    read: (count: number) =>
      count === 1 ? 'One event read' : `${count.toLocaleString('en')} events read`,
    news: (count: number) => (count === 1 ? 'One is new' : `${count.toLocaleString('en')} are new`),
    known: (count: number) =>
      count === 1 ? 'One is here already' : `${count.toLocaleString('en')} are here already`,
    retired: (count: number) =>
      `${count.toLocaleString('en')} left out: taken out of this memory on purpose`,
    lost: (count: number) =>
      `${count === 1 ? 'One event that the export was made with is' : `${count.toLocaleString('en')} events that the export was made with are`} not in it now. Look for a whole copy of it.`,
    bad: 'These lines are skipped:',
    more: (count: number) => `and ${count.toLocaleString('en')} more`,
    nothingNew: 'All of it is in this memory already. There is nothing to import.',
    button: (count: number) =>
      count === 1 ? 'Import one event' : `Import ${count.toLocaleString('en')} events`,
    importing: 'Writing…',
    otherVault:
      'This is the memory of another vault, or it cannot be told whose it is. Once put together, two memories cannot be taken apart.',
    merge: 'Put both memories together',
    done: (count: number) =>
      count === 1 ? 'Imported one event.' : `Imported ${count.toLocaleString('en')} events.`,
    close: 'Close',
    cancel: 'Cancel',
  },

  importOthers: {
    whose: 'Whose memory',
    choose: 'Choose…',
    programs: {
      savepoint: 'Savepoint',
      nexus: 'Nexus',
      'server-memory': 'MCP server "memory"',
      'basic-memory': 'Basic Memory',
    },
    several: 'These files hold the memory of several programs.',
    found: (program: string, count: number, isNotes: boolean) =>
      `${program}: ${counted(count, isNotes ? 'note' : 'line')} read.`,
    kind: {
      workspaces: (added: number, known: number) => `Workspaces: ${addedText(added, known)}`,
      states: (added: number, known: number) => `States: ${addedText(added, known)}`,
      traces: (added: number, known: number) => `Tool calls: ${addedText(added, known)}`,
      conversations: (added: number, known: number) => `Conversations: ${addedText(added, known)}`,
      messages: (added: number, known: number) => `Messages: ${addedText(added, known)}`,
      changes: (added: number, known: number) => `Later changes: ${addedText(added, known)}`,
    },
    archived: (count: number) =>
      `${count.toLocaleString('en')} archived, for so it was there, or it was deleted`,
    duplicates: (count: number) =>
      count === 1 ? 'One line came twice' : `${count.toLocaleString('en')} lines came twice`,
    troublesTitle: 'Trouble with these lines:',
    trouble: {
      damaged: 'damaged; skipped',
      salvaged: 'damaged; what was whole in it was read',
      garbled: 'read, with characters that are no text',
      foreign: 'nothing of that program; skipped',
      tooLong: 'too long for one entry; skipped',
    },
    leftOutTitle: 'Left out:',
    left: {
      lastUse: (count: number) => `${counted(count, 'time')} of last use: no word of what was done`,
      sessions: (count: number) =>
        `${counted(count, 'line')} about sessions: the tool calls bear their addresses`,
      copies: (count: number) =>
        `${counted(count, 'copy', 'copies')} of a workspace inside a state: the workspace itself is here`,
      tasks: (count: number) =>
        `${counted(count, 'line')} about projects and tasks: there are none here`,
      chatSettings: (count: number) =>
        `${counted(count, 'set')} of settings of a conversation, such as its model`,
      emptyMessages: (count: number) =>
        counted(count, 'message that says nothing', 'messages that say nothing'),
      unknown: (count: number) => `${counted(count, 'line')} of an unknown kind`,
      orphans: (count: number) => `${counted(count, 'line')} about what no other line tells of`,
      otherNotes: (count: number) =>
        counted(count, 'note that is not of Basic Memory', 'notes that are not of Basic Memory'),
      retired: (count: number) =>
        `${counted(count, 'tool call')} brought in before, kept for its time and taken out since`,
    },
    renamed: 'Renamed, for the name was taken or cannot be one here:',
    button: (count: number) =>
      count === 1 ? 'Import one entry' : `Import ${count.toLocaleString('en')} entries`,
    done: (count: number) =>
      count === 1 ? 'Imported one entry.' : `Imported ${count.toLocaleString('en')} entries.`,
  },

  outflow: {
    name: 'What leaves this device',
    desc: 'Nothing by itself; and what is written where.',
    network: {
      name: 'Sent by Savepoint itself: nothing',
      desc: 'No server of ours, no telemetry, no update check; no model is called in the background unless you have set one up for the search.',
    },
    chat: {
      name: 'Sent when you chat',
      desc: 'Your message, what came before it in the conversation, what you attach and the answers of the tools that the model calls go to the provider you chose, with your key; to nobody else.',
    },
    sync: {
      name: 'Carried by your sync',
      desc: (folder: string) =>
        `What is in the vault goes where your sync takes the vault, and the data folder "${folder}" with it.`,
    },
    apps: {
      name: 'Read by AI apps that you connect',
      desc: 'An app outside of Obsidian that you have connected reads what you let it read, and writes where it may; what it then sends to its own model is up to that app. Where you open an address for HTTP, only programs on this computer reach it, each with a token that lies on this device outside of the vault.',
    },
    clipboard: {
      name: 'Copied by you',
      desc: 'A state goes to the clipboard when you copy it as a prompt, and nowhere else.',
    },
    written: 'What is written where',
    data: {
      name: (folder: string) => `"${folder}" in the vault`,
      desc: 'Workspaces, states and the record of tool calls.',
    },
    notes: {
      name: (folder: string) => `"${folder}" in the vault`,
      on: 'The states as notes, written by this device.',
      off: 'The states as notes, only where that is turned on; it is off on this device.',
    },
    roots: {
      name: 'Folders of workspaces',
      desc: 'The folder of a workspace is made when you create the workspace, where it is not there yet.',
    },
    plugin: {
      name: (folder: string) => `"${folder}" in the vault`,
      desc: 'These settings, with no secret in them.',
    },
    device: {
      name: "This device's own storage",
      desc: 'The workspace you are in and where writing stopped; none of it is synced.',
      called: (device: string) => `In the memory this device is called "${device}".`,
    },
  },
};

function addedText(added: number, known: number): string {
  return `${added.toLocaleString('en')} new, ${known.toLocaleString('en')} here already`;
}

function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
