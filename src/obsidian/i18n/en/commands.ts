import { verify } from './verify.js';

/** Texts of commands, pickers, forms and the modals that they open. */
export const commands = {
  names: {
    openMemory: 'Open memory',
    openMemoryOfNote: 'Open memory of this note',
    createWorkspace: 'Create workspace',
    switchWorkspace: 'Switch workspace',
    archiveWorkspace: 'Archive workspace',
    restoreWorkspace: 'Restore workspace',
    saveState: 'Save state',
    resumeState: 'Resume state',
    archiveState: 'Archive state',
    compareStates: 'Compare states',
    restoreState: 'Restore state',
    forgetState: 'Forget state',
    undoLastAction: 'Undo',
    searchMemory: 'Search memory',
    searchNotes: 'Search notes',
    verifyMemory: 'Verify memory',
    rebuildCache: 'Rebuild cache',
  },
  waiting: 'Still loading. This will run as soon as memory is ready.',
  rebuilding: 'Rebuilding cache…',
  rebuilt: (ms: number) => `Cache rebuilt in ${(ms / 1000).toFixed(1)} s.`,
  copyFailed: 'Could not write to the clipboard. Click into the window, then try again.',
  notOpen: 'Savepoint is still opening this vault. Try again in a moment.',
  leftArchived: (name: string, now: string) =>
    `Archived workspace "${name}". Switched to "${now}".`,
  workspaceEntered: (name: string) => `Switched to workspace "${name}".`,
  workspaceCreated: (name: string) => `Created workspace "${name}" and switched to it.`,

  pick: {
    navigate: 'to navigate',
    dismiss: 'to dismiss',
    noMatch: 'No matches. Try fewer letters.',
    empty: 'Nothing to choose from.',
    current: 'Current',
    archive: 'to archive',
    restore: 'to restore',
    switchWorkspace: {
      placeholder: 'Switch to workspace…',
      enter: 'to switch',
    },
    moveState: {
      placeholder: 'Move to workspace…',
      enter: 'to move',
      empty: 'No other workspace. Create one with "Create workspace".',
    },
    resumeState: {
      enter: 'to resume',
      empty: 'No states yet. Save one with "Save state".',
    },
  },

  form: {
    remove: (entry: string) => `Remove ${entry}`,
    sending: 'Saving…',
    addNote: 'Add a note…',
    submitHint: (key: string) => `${key} + Enter to save`,
    discardTitle: 'Discard what you typed?',
    discard: 'Discard',
    keepEditing: 'Keep editing',
    workspace: 'Workspace',
    noteWorkspace: (note: string) => `The note "${note}" is in its folder.`,
    entryProblem: (entry: number, problem: string) => `Entry ${entry} ${problem}.`,
    problem: (label: string, problem: string) => `${label} ${problem}.`,
    noPair: (line: number) =>
      `Write line ${line} as a name, a colon and a value, such as "tone: plain".`,
    twice: (line: number, key: string) =>
      `Line ${line} sets "${key}" a second time. Keep one of them.`,
  },

  createWorkspace: {
    labels: {
      name: 'Name',
      description: 'Description',
      purpose: 'Purpose',
      rootFolder: 'Folder',
      keyFiles: 'Key files',
      workflows: 'Workflows',
      preferences: 'Preferences',
    },
    folderHint: 'The folder of its notes, created if needed. "/" is the whole vault.',
    examples: { workflows: 'One per line', preferences: 'tone: plain' },
    taken: (name: string) =>
      `A workspace named "${name}" already exists, possibly archived. Choose another name.`,
  },

  saveState: {
    labels: {
      name: 'Name',
      conversationContext: 'Context',
      activeTask: 'Active task',
      activeFiles: 'Active files',
      nextSteps: 'Next steps',
      description: 'Description',
      tags: 'Tags',
    },
    where: 'Where are you?',
    next: 'What next?',
    named: 'Named from your first words',
    missing: 'Write a few words here.',
    examples: { nextSteps: 'At least one step, one per line', tags: 'Add a tag…' },
    draftKept: 'Restored what you typed before.',
    startOver: 'Start over',
    taken: (name: string) =>
      `A state named "${name}" already exists in this workspace. Choose another name.`,
  },

  search: {
    placeholder: 'Search memory and notes…',
    enter: 'to open',
    start: 'Search states, records, conversations, notes and tool calls.',
    nothing: (query: string) => `No matches for "${query}".`,
    nothingHere: (query: string) =>
      `No matches for "${query}" in this workspace. Search all workspaces.`,
    searching: 'Searching notes…',
    scopes: 'Search in',
    allWorkspaces: 'All workspaces',
    groups: {
      state: 'States',
      record: 'Records',
      chat: 'Conversations',
      note: 'Notes',
      call: 'Tool calls',
    },
    kinds: {
      state: 'State',
      record: 'Record',
      chat: 'Conversation',
      note: 'Note',
      call: 'Tool call',
    },
  },

  searchNotes: {
    placeholder: 'Search all notes…',
    enter: 'to open',
    newTab: 'to open in a new tab',
    start: 'Search headings, tags and text, in the words of your notes or your own.',
    nothing: (query: string) => `No notes match "${query}".`,
    alsoIn: (count: number) =>
      count === 1 ? 'also in another note' : `also in ${count} other notes`,
    stillReading: (done: number, total: number) =>
      `Nothing found yet. Notes are still being indexed: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}.`,
    gone: (path: string) => `"${path}" no longer exists. Search again.`,
  },

  verify,
};
