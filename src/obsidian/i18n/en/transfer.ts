import { counted } from '../../../model/text/counted.js';

/** Texts of the windows that move, export and import the memory. */
export const move = {
  title: 'Move memory',
  intro: (folder: string) => `Memory folder: "${folder}"`,
  field: 'New folder',
  hint: 'A folder in this vault, for example "Archive/Savepoint".',
  move: 'Move memory',
  moving: 'Moving…',
  use: 'Use this folder as it is',
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
};

export const exportTexts = {
  title: 'Export memory',
  form: 'Format',
  formHint: 'Data can be imported again; notes are for reading.',
  forms: { jsonl: 'Data (.jsonl)', notes: 'Notes (Markdown)' },
  folder: 'Folder',
  folderHint: 'A new or empty folder in this vault.',
  folderName: (day: string) => `Savepoint export ${day}`,
  button: 'Export',
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
};

export const importTexts = {
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
  forgotten: (count: number) => `${count.toLocaleString('en')} left out: forgotten in this memory`,
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
};

export const importForeign = {
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
    oddValues: (count: number) =>
      `${counted(count, 'value')} of entities, because they are no text`,
    otherNotes: (count: number) => `${counted(count, 'note')} not written by Basic Memory`,
    retired: (count: number) => `${counted(count, 'tool call')} imported before and retired since`,
    forgotten: (count: number) =>
      `${counted(count, 'entry', 'entries')} imported before and forgotten since`,
  },
  renamed:
    'Renamed (the name was taken, in these or other letters, perhaps by an earlier import of the same entry, which stays; or it is not allowed):',
  secrets:
    'Imported as written, though it looks like a secret (the log keeps it, so change it where it is used):',
  button: (count: number) => `Import ${counted(count, 'entry', 'entries')}`,
  done: (count: number) => `Imported ${counted(count, 'entry', 'entries')}.`,
};

function addedText(added: number, known: number): string {
  return `${added.toLocaleString('en')} new, ${known.toLocaleString('en')} already here`;
}
