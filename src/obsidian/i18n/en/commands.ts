import { agreementText, FINDING_WORDS } from '../../../storage/integrity/findings.js';

/** What commands, pickers, forms and the modals that they open say. */
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
    undo: 'Undo last archive or restore',
    searchMemory: 'Search memory',
    searchNotes: 'Search notes',
    verifyMemory: 'Verify memory',
    rebuildCache: 'Rebuild cache',
  },
  waiting: 'Memory is still being read. This goes on as soon as it is there.',
  rebuilding: 'Reading the memory anew…',
  rebuilt: (ms: number) =>
    `Rebuilt the cache: the memory was read anew in ${(ms / 1000).toFixed(1)} s.`,
  copyFailed: 'The clipboard cannot be written to here. Click into the window, then try again.',
  notOpen: 'Savepoint is just opening the memory of this vault. Try again in a moment.',
  leftArchived: (name: string, now: string) =>
    `Archived workspace "${name}". You are in "${now}" now.`,
  workspaceEntered: (name: string) => `Switched to workspace "${name}".`,
  workspaceCreated: (name: string) => `Created workspace "${name}" and switched to it.`,

  pick: {
    navigate: 'to navigate',
    dismiss: 'to dismiss',
    preparing: 'Reading memory…',
    noMatch: 'Nothing matches. Try fewer letters.',
    current: 'Current',
    switchWorkspace: {
      placeholder: 'Switch to workspace…',
      enter: 'to switch',
      empty: 'There is no other workspace. Create one with "Create workspace".',
    },
    archiveWorkspace: {
      placeholder: 'Archive workspace…',
      enter: 'to archive',
      empty: 'There is no workspace to archive. The built-in one is always there.',
    },
    restoreWorkspace: {
      placeholder: 'Restore workspace…',
      enter: 'to restore',
      empty: 'No workspace is archived. What you archive can be restored here.',
    },
    resumeState: {
      placeholder: 'Resume state…',
      enter: 'to go on from it',
      empty: 'There is no state yet. Save one with "Save state".',
    },
    archiveState: {
      placeholder: 'Archive state…',
      enter: 'to archive',
      empty: 'There is no state to archive. Save one with "Save state".',
    },
    restoreState: {
      placeholder: 'Restore state…',
      enter: 'to restore',
      empty: 'No state is archived. What you archive can be restored here.',
    },
  },

  form: {
    remove: (entry: string) => `Remove ${entry}`,
    cancel: 'Cancel',
    submitHint: (key: string) => `${key} + Enter to save`,
    discardTitle: 'Discard what you typed?',
    discardText: 'This form has not been saved.',
    discard: 'Discard',
    keepEditing: 'Keep editing',
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
      workflows: 'Ways of working',
      preferences: 'Preferences',
    },
    hints: {
      name: 'Unique in this vault.',
      description: 'What it is for, in one line.',
      purpose: 'What it should achieve.',
      rootFolder: 'Where its notes lie; a new folder is made. "/" is the whole vault.',
      keyFiles: 'Optional: notes that matter most here. Enter adds one.',
      workflows: 'Optional, one per line.',
      preferences: 'Optional, one per line, such as "tone: plain".',
    },
    examples: { name: 'Kitchen garden', rootFolder: 'Projects/Garden', keyFiles: 'Add a note…' },
    taken: (name: string) =>
      `A workspace named "${name}" exists already, maybe an archived one. Choose another name.`,
  },

  saveState: {
    title: (workspace: string) => `Save state in "${workspace}"`,
    submit: 'Save state',
    sending: 'Saving…',
    labels: {
      name: 'Name',
      conversationContext: 'What was going on',
      activeTask: 'Active task',
      activeFiles: 'Active files',
      nextSteps: 'Next steps',
      description: 'Description',
      tags: 'Tags',
    },
    hints: {
      name: 'Unique in the workspace. A state never changes after it is saved.',
      conversationContext: 'What you or the agent need to know to carry on.',
      activeTask: 'The task in hand.',
      activeFiles: 'The notes that are open now. Remove what does not belong; Enter adds one.',
      nextSteps: 'Optional: what to do first when resuming, one per line.',
      description: 'Optional: one line for lists.',
      tags: 'Optional. Enter adds one.',
    },
    examples: { activeFiles: 'Add a note…', tags: 'Add a tag…' },
    draftKept: 'This is what you had typed when the form was closed.',
    startAfresh: 'Start afresh',
    taken: (name: string) =>
      `A state named "${name}" exists already in this workspace. Choose another name.`,
  },

  search: {
    placeholder: (workspace: string) => `Search the memory of "${workspace}"…`,
    enter: 'to open',
    start: 'Type what to look for: in states and in the tool calls of past sessions.',
    nothing: (query: string) => `Nothing in this workspace has "${query}".`,
    state: 'State',
    call: 'Tool call',
    gone: 'This call is no longer kept. Search again.',
  },

  searchNotes: {
    placeholder: 'Search all notes…',
    enter: 'to open',
    newTab: 'to open in a new tab',
    start:
      'Type what to look for, in words of the notes or in your own: headings, tags and texts are searched.',
    nothing: (query: string) => `No note has "${query}" or anything like it.`,
    alsoIn: (count: number) =>
      count === 1 ? 'also in another note' : `also in ${count} other notes`,
    stillReading: (done: number, total: number) =>
      `Nothing found yet. Notes are still being indexed: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}.`,
    gone: (path: string) => `"${path}" is not there any more. Search again.`,
  },

  verify: {
    title: 'Verify memory',
    running: 'Reading every file afresh…',
    progress: (read: number, total: number) =>
      `${read.toLocaleString('en')} of ${total.toLocaleString('en')} files read`,
    whole: 'All is whole',
    wholeText: 'Nothing is missing, and every state is as it was saved.',
    notWhole: 'Not everything is here as it was written',
    notWholeText: 'What was found stands below, with what to do about it.',
    noticed: 'Nothing is known to be missing',
    noticedText: 'What was noticed stands below, with what to do about it.',
    empty: 'Nothing is saved yet',
    emptyText: 'The data folder holds no events. Save a state, and it will be checked here.',
    failed: 'The memory could not be verified',
    stopped: 'Verifying was stopped.',
    facts: (events: number, writers: number) =>
      `${events.toLocaleString('en')} ${events === 1 ? 'event' : 'events'} from ${writers.toLocaleString('en')} ${writers === 1 ? 'writer' : 'writers'}`,
    digest: 'Digest',
    digestHint: 'Two devices with the same digest hold the same.',
    whatToDo: 'What to do',
    first: (detail: string) => `the first ${detail}`,
    more: (count: number) =>
      `and ${count.toLocaleString('en')} more; the copied report has them all`,
    writers: 'Writers',
    devices: 'What each device last told of workspaces and states',
    columns: { writer: 'Writer', lane: 'Lane', held: 'Held', notes: 'Notes' },
    heldOf: (held: number, claimed: number) =>
      `${held.toLocaleString('en')} of ${claimed.toLocaleString('en')}`,
    missing: (ranges: string) => `missing ${ranges}`,
    forked: (count: number) => `${count.toLocaleString('en')} forked`,
    retired: (count: number) => `${count.toLocaleString('en')} retired`,
    nothingMissing: 'complete',
    findings: FINDING_WORDS,
    agreement: agreementText,
    copy: 'Copy report',
    copied: 'Copied the report.',
    again: 'Verify again',
    close: 'Close',
  },
};
