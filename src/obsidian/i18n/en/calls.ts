/** Sentences about tool calls that have succeeded, by tool. `{}` stands for the subject. */
const SENTENCES: Readonly<Record<string, string>> = {
  createState: 'Saved state {}',
  loadState: 'Loaded state {}',
  archiveState: 'Archived state {}',
  listStates: 'Listed the states',
  createWorkspace: 'Created workspace {}',
  loadWorkspace: 'Loaded workspace {}',
  updateWorkspace: 'Updated workspace {}',
  archiveWorkspace: 'Archived workspace {}',
  listWorkspaces: 'Listed the workspaces',
  searchMemory: 'Searched the memory for {}',
  searchContent: 'Searched notes for {}',
  searchDirectory: 'Searched file names for {}',
  timeline: 'Read the timeline',
  logTrace: 'Logged an observation',
  indexStatus: 'Checked the search index',
  rebuildIndex: 'Rebuilt the search index',
  validateWorkspace: 'Checked the workspace',
  analyzeWorkspace: 'Analyzed the workspace',
  readContent: 'Read file {}',
  writeContent: 'Wrote file {}',
};

export const calls = {
  /** Label of a parameter or tool, for which English uses its own name. */
  label: (_: string, name: string) => name,
  sentences: SENTENCES,
  quoted: (subject: string) => `“${subject}”`,
  failed: (action: string) => `${action}: failed`,
};
