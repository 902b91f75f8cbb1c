import { counted } from '../../../model/text/counted.js';

const times = (count: number) => (count === 1 ? 'once' : counted(count, 'time'));

/** Sentences about tool calls that have succeeded, by tool. `{}` stands for the subject. */
const SENTENCES: Readonly<Record<string, string>> = {
  createState: 'Saved state {}',
  loadState: 'Loaded state {}',
  archiveState: 'Archived state {}',
  listStates: 'Listed the states',
  listRecords: 'Listed the records',
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
  readContent: 'Read note {}',
};

export const calls = {
  /** Label of a parameter or tool, for which English uses its own name. */
  label: (_: string, name: string) => name,
  sentences: SENTENCES,
  quoted: (subject: string) => `“${subject}”`,
  failed: (action: string) => `${action} failed`,
  retried: (action: string) => `${action} failed, tried again`,
  denied: (action: string) => `${action} denied`,
  stopped: (action: string) => `${action} not run`,
  within: (sentence: string, count: number) =>
    `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}${count === 1 ? '' : ` ${times(count)}`}`,
  /** Phrases for several calls, by action, resource or kind. */
  folded: {
    readNotes: (count: number) => `read ${counted(count, 'note')}`,
    read: (count: number) => `read ${counted(count, 'file')}`,
    search: (count: number) => `searched ${times(count)}`,
    execute: (count: number) => `ran ${counted(count, 'command')}`,
    rest: (count: number) => `made ${counted(count, 'other call')}`,
    notRun: (count: number) => `${counted(count, 'call')} not run`,
  },
};
