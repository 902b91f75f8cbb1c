/** What several parts of the plugin say. */
export const general = {
  undo: 'Undo',
  tryAgain: 'Try again',
  fault:
    'Savepoint ran into a fault of its own. Nothing was lost; the developer console has the details.',
  newerLog:
    'A newer Savepoint has saved things here that this one does not understand. They are safe; update Savepoint on this device to see them.',
  reading: 'Reading memory…',
  readingFailed: 'Memory cannot be read',
  indexing: (done: number, total: number) =>
    `Indexing notes ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  statusLabel: (workspace: string) => `Savepoint: ${workspace}`,
  stateArchived: (name: string) => `Archived state "${name}".`,
  stateRestored: (name: string) => `Restored state "${name}".`,
  workspaceArchived: (name: string) => `Archived workspace "${name}".`,
  workspaceRestored: (name: string) => `Restored workspace "${name}".`,
  stateSaved: (name: string) => `Saved state "${name}".`,
  promptCopied: (name: string) =>
    `Copied state "${name}" as a prompt. Paste it into any chat to carry on.`,
};
