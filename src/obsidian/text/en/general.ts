/** What several parts of the plugin say. */
export const general = {
  undo: 'Undo',
  allReadOnly: 'AI apps may only read this memory. The person can change that in Obsidian under Settings, Savepoint, AI apps.',
  clientReadOnly: (client: string) =>
    `"${client}" may only read this memory. The person can change that in Obsidian under Settings, Savepoint, AI apps.`,
  tryAgain: 'Try again',
  fault: 'Savepoint ran into a fault of its own. Nothing was lost; the developer console has the details.',
  reading: 'Reading memory…',
  readingFailed: 'Memory cannot be read',
  statusLabel: (workspace: string) => `Savepoint: ${workspace}`,
  stateArchived: (name: string) => `Archived state "${name}".`,
  stateRestored: (name: string) => `Restored state "${name}".`,
  workspaceArchived: (name: string) => `Archived workspace "${name}".`,
  workspaceRestored: (name: string) => `Restored workspace "${name}".`,
  stateSaved: (name: string) => `Saved state "${name}".`,
  promptCopied: (name: string) => `Copied state "${name}" as a prompt. Paste it into any chat to carry on.`,
};
