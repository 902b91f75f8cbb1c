/** Texts shared by several parts of the plugin. */
export const general = {
  undo: 'Undo',
  redo: 'Redo',
  cancel: 'Cancel',
  close: 'Close',
  stop: 'Stop',
  showReport: 'Show report',
  open: 'Open',
  resume: 'Resume',
  tryAgain: 'Try again',
  fault:
    'Something went wrong in Savepoint. Nothing was lost; see the developer console for details.',
  newerLog:
    'This memory contains data from a newer version of Savepoint. It is safe; update Savepoint on this device to see it.',
  reading: 'Reading memory…',
  readingFailed: 'Memory cannot be read',
  indexing: 'Indexing notes',
  statusLabel: (workspace: string) => `Savepoint: ${workspace}`,
  stateArchived: (name: string) => `Archived state "${name}".`,
  stateMoved: (name: string, workspace: string) =>
    `Moved state "${name}" to workspace "${workspace}".`,
  stateRestored: (name: string) => `Restored state "${name}".`,
  workspaceArchived: (name: string) => `Archived workspace "${name}".`,
  workspaceRestored: (name: string) => `Restored workspace "${name}".`,
  stateSaved: (name: string) => `Saved state "${name}".`,
  promptCopied: (name: string) =>
    `Copied state "${name}" as a prompt. Paste it into any chat to continue.`,
};
