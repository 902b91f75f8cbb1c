import { verify } from './verify.js';

/** Texts of commands, pickers, forms and the modals that they open. */
export const commands = {
  names: {
    openMemory: 'Open memory',
    openNoteMemory: 'Open memory of this note',
    createWorkspace: 'Create workspace',
    switchWorkspace: 'Switch workspace',
    archiveWorkspace: 'Archive workspace',
    restoreWorkspace: 'Restore workspace',
    saveState: 'Save state',
    resumeState: 'Resume state',
    archiveState: 'Archive state',
    restoreState: 'Restore state',
    forgetState: 'Forget state',
    undo: 'Undo last action',
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
    preparing: 'Reading memory…',
    noMatch: 'No matches. Try fewer letters.',
    current: 'Current',
    switchWorkspace: {
      placeholder: 'Switch to workspace…',
      enter: 'to switch',
      empty: 'No other workspace. Create one with "Create workspace".',
    },
    archiveWorkspace: {
      placeholder: 'Archive workspace…',
      enter: 'to archive',
      empty: "No workspace to archive. The built-in one can't be archived.",
    },
    restoreWorkspace: {
      placeholder: 'Restore workspace…',
      enter: 'to restore',
      empty: 'No archived workspaces. You can restore workspaces here.',
    },
    moveState: {
      placeholder: 'Move to workspace…',
      enter: 'to move',
      empty: 'No other workspace. Create one with "Create workspace".',
    },
    resumeState: {
      placeholder: 'Resume state…',
      enter: 'to resume',
      empty: 'No states yet. Save one with "Save state".',
    },
    archiveState: {
      placeholder: 'Archive state…',
      enter: 'to archive',
      empty: 'No state to archive. Save one with "Save state".',
    },
    restoreState: {
      placeholder: 'Restore state…',
      enter: 'to restore',
      empty: 'No archived states. You can restore states here.',
    },
  },

  form: {
    remove: (entry: string) => `Remove ${entry}`,
    cancel: 'Cancel',
    submitHint: (key: string) => `${key} + Enter to save`,
    required: 'Required.',
    discardTitle: 'Discard what you typed?',
    discardText: 'This form has not been saved.',
    discard: 'Discard',
    keepEditing: 'Keep editing',
    workspace: 'Workspace',
    workspaceHint: 'The workspace to save in.',
    noteWorkspace: (note: string) => `The note "${note}" is in its folder.`,
    entryProblem: (entry: number, problem: string) => `Entry ${entry} ${problem}.`,
    problem: (label: string, problem: string) => `${label} ${problem}.`,
    noColon: (line: number) => `Line ${line} has no colon. Write it as "tone: plain".`,
    noKey: (line: number) =>
      `Line ${line} has nothing before the colon. Write it as "tone: plain".`,
    twice: (line: number, key: string) =>
      `Line ${line} sets "${key}" a second time. Keep one of them.`,
  },

  createWorkspace: {
    title: 'Create workspace',
    submit: 'Create workspace',
    sending: 'Creating…',
    labels: {
      name: 'Name',
      description: 'Description',
      purpose: 'Purpose',
      rootFolder: 'Folder',
      keyFiles: 'Key files',
      workflows: 'Workflows',
      preferences: 'Preferences',
    },
    hints: {
      name: 'Unique in this vault.',
      description: 'One line for lists.',
      purpose: 'What you want to achieve.',
      rootFolder: 'The folder of its notes, created if needed. "/" is the whole vault.',
      keyFiles: 'Optional: the most important notes. Press Enter to add one.',
      workflows: 'Optional, one per line.',
      preferences: 'Optional, one per line, such as "tone: plain".',
    },
    examples: { name: 'Kitchen garden', rootFolder: 'Projects/Garden', keyFiles: 'Add a note…' },
    taken: (name: string) =>
      `A workspace named "${name}" already exists, possibly archived. Choose another name.`,
  },

  saveState: {
    title: 'Save state',
    submit: 'Save state',
    sending: 'Saving…',
    labels: {
      name: 'Name',
      conversationContext: 'Context',
      activeTask: 'Active task',
      activeFiles: 'Active files',
      nextSteps: 'Next steps',
      description: 'Description',
      tags: 'Tags',
    },
    hints: {
      name: "Must be unique in the workspace. Can't be changed later.",
      conversationContext: 'What you or an agent need to know to continue.',
      activeTask: 'What you are working on.',
      activeFiles: "The open notes. Remove what doesn't belong; press Enter to add one.",
      nextSteps: 'Optional: what to do next, one per line.',
      description: 'Optional: one line for lists.',
      tags: 'Optional. Press Enter to add one.',
    },
    examples: { activeFiles: 'Add a note…', tags: 'Add a tag…' },
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
