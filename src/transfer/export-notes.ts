import { compareText } from '../model/event.js';
import { allStates, allWorkspaces, type Named } from '../model/lookup.js';
import { VAULT_SCOPE, type Memory } from '../model/memory.js';
import { mapEntries } from '../model/persistent-map.js';
import { saverName } from '../apps/index.js';
import type { State } from '../model/state.js';
import type { Workspace } from '../model/workspace.js';
import type { ExportFile } from './export.js';
import { createFileNames } from '../platform/safe-file-names.js';
import { jsonBlock, plainLine, plainList, plainText, properties } from '../markdown/escape.js';
import { linkList, noteText, section } from './note-parts.js';
import {
  linkedRecords,
  recordNote,
  RECORDS_FOLDER,
  type LinkedRecord,
  type RecordProperties,
} from './record-notes.js';

const WORKSPACE_NOTE = '_workspace';
const encoder = new TextEncoder();

export const MISSING_WORKSPACE_FOLDER = 'Workspace missing';

const README_TEXT = `# A memory, as notes

Each folder is a Savepoint workspace, and each note in it is a saved state; \`${WORKSPACE_NOTE}\` describes the workspace itself. Decisions, questions, tasks and phases are in its folder \`${RECORDS_FOLDER}\`. Archived workspaces, states and records are included.

These notes are for reading. They cannot be imported; \`savepoint export --as jsonl\` writes an export that can.
`;

/** Exports a folder of notes per workspace. The same memory gives the same notes. */
export function exportNotes(memory: Memory): ExportFile[] {
  const folderName = createFileNames(['README.md']);
  const workspaces = allWorkspaces(memory);
  const known = new Set(workspaces.map(({ item }) => item.id));
  return [
    note('README.md', [README_TEXT.trimEnd()]),
    ...workspaces.flatMap((workspace) =>
      workspaceNotes(
        folderName(workspace.displayName),
        workspace,
        allStates(memory, workspace.item.id),
        linkedRecords(memory, workspace.item.id),
      ),
    ),
    // States are exported even if their workspace has not been synced yet or is lost.
    ...missingWorkspaces(memory, known).flatMap(({ id, name }) => {
      const states = allStates(memory, id);
      const records = linkedRecords(memory, id);
      if (states.length + records.length === 0) return [];
      const folder = folderName(MISSING_WORKSPACE_FOLDER);
      const files = stateNotes(folder, name, states).map(({ file }) => file);
      return [...files, ...recordNotes(folder, name, records)];
    }),
  ];
}

/** Returns the unknown workspaces that have states or records, sorted by id. */
export function missingWorkspaces(
  memory: Memory,
  known: ReadonlySet<string>,
): { id: string; name: string }[] {
  const scopes = [memory.names, memory.records].flatMap((index) =>
    [...mapEntries(index)].map(([scope]) => scope),
  );
  const ids = scopes.filter((scope) => scope !== VAULT_SCOPE && !known.has(scope));
  return [...new Set(ids)].sort(compareText).map((id) => ({ id, name: `missing (${id})` }));
}

function workspaceNotes(
  folder: string,
  { item, displayName }: Named<Workspace>,
  states: readonly Named<State>[],
  records: readonly LinkedRecord[],
): ExportFile[] {
  const {
    description,
    rootFolder,
    purpose,
    workflows,
    keyFiles,
    preferences,
    isArchived,
    createdAt,
  } = item;
  const notes = stateNotes(folder, displayName, states);
  const parts = [
    properties({
      name: displayName,
      created: new Date(createdAt),
      archived: isArchived,
      folder: rootFolder,
    }),
    `# ${plainLine(displayName)}`,
    ...section('', plainText(description)),
    ...section('Purpose', plainText(purpose)),
    ...section('Workflows', plainList(workflows, '1.')),
    ...section('Key files', linkList(keyFiles)),
    ...section('Preferences', Object.keys(preferences).length > 0 ? jsonBlock(preferences) : ''),
    ...section(
      'States',
      notes.map(({ link, createdAt: day }) => `- ${link} (${day.slice(0, 10)})`).join('\n'),
    ),
  ];
  return [
    note(`${folder}/${WORKSPACE_NOTE}.md`, parts),
    ...notes.map(({ file }) => file),
    ...recordNotes(folder, displayName, records),
  ];
}

function recordNotes(
  folder: string,
  workspaceName: string,
  records: readonly LinkedRecord[],
): ExportFile[] {
  const noteName = createFileNames();
  return [...records].reverse().map((record) => ({
    path: `${folder}/${RECORDS_FOLDER}/${noteName(record.record.displayName)}.md`,
    bytes: encoder.encode(recordNote(record, workspaceName)),
  }));
}

function stateNotes(
  folder: string,
  workspaceName: string,
  states: readonly Named<State>[],
): { file: ExportFile; link: string; createdAt: string }[] {
  const noteName = createFileNames([WORKSPACE_NOTE]);
  // The earliest keeps the unnumbered name, so that a later export gives it the same name.
  const earliestFirst = [...states]
    .reverse()
    .map((state) => ({ state, name: noteName(state.displayName) }));
  return earliestFirst.reverse().map(({ state, name }) => ({
    file: { path: `${folder}/${name}.md`, bytes: encoder.encode(stateNote(state, workspaceName)) },
    link: `[[${folder}/${name}]]`,
    createdAt: state.item.createdAt,
  }));
}

export interface StateProperties extends Omit<RecordProperties, 'kind' | 'status' | 'remind'> {
  readonly task: string;
}

export function statePropertiesOf(
  { item, displayName }: Named<State>,
  workspaceName: string,
): StateProperties {
  const { createdAt, isArchived, tags = [], activeTask, savedBy } = item;
  return {
    name: displayName,
    workspace: workspaceName,
    created: new Date(createdAt),
    archived: isArchived,
    tags,
    task: activeTask,
    ...(savedBy && { client: saverName(savedBy), device: savedBy.device }),
  };
}

export function stateProperties(values: StateProperties): string {
  const { name, workspace, created, archived, tags, task, client, device } = values;
  const saver = client !== undefined && device !== undefined && { client, device };
  return properties({ name, workspace, created, archived, tags, task, ...saver });
}

/** `intro` is Markdown between the properties and the content. */
export function stateNote(state: Named<State>, workspaceName: string, intro = ''): string {
  const { conversationContext, activeFiles, nextSteps, description } = state.item;
  const { decisions = [], questions = [] } = state.item;
  return noteText([
    stateProperties(statePropertiesOf(state, workspaceName)),
    ...section('', intro),
    `# ${plainLine(state.displayName)}`,
    ...section('', plainText(description ?? '')),
    ...section('Context', plainText(conversationContext)),
    ...section('Next steps', plainList(nextSteps, '1.')),
    ...section('Decisions', plainList(decisions, '-')),
    ...section('Open questions', plainList(questions, '-')),
    ...section('Files', linkList(activeFiles)),
  ]);
}

function note(path: string, parts: readonly string[]): ExportFile {
  return { path, bytes: encoder.encode(noteText(parts)) };
}
