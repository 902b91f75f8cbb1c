import { compareText } from '../../model/event.js';
import { allWorkspaces, eachState, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { VaultPath } from '../../model/paths.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { Workspace } from '../../model/workspace.js';
import type { State } from '../../model/state.js';
import { createFileNames } from '../../platform/safe-file-names.js';
import { MISSING_WORKSPACE_FOLDER, missingWorkspaces } from '../export-notes.js';
import { workspaceTasks, type NoteTasks } from './task-list.js';
import { TASKS_NOTE } from './task-note.js';
import { linkedRecords, RECORDS_FOLDER, type LinkedRecord } from '../record-notes.js';

/** A state, a record or the tasks of a workspace, with what its note says about it. */
export type MirrorSource = { readonly workspaceName: string } & (
  | { readonly kind: 'state'; readonly subject: Named<State> }
  | {
      readonly kind: 'record';
      readonly subject: Named<ProjectRecord>;
      readonly linked: LinkedRecord;
    }
  | {
      readonly kind: 'tasks';
      readonly subject: Named<Workspace>;
      readonly tasks: NoteTasks;
    }
);

export type MirrorNote = MirrorSource & { readonly path: VaultPath };

export type TasksNote = Extract<MirrorNote, { kind: 'tasks' }>;

/** Below the data folder, but not a lane, so log readers ignore it. */
export function mirrorFolder(dataFolder: VaultPath): VaultPath {
  return `${dataFolder}/notes`;
}

/** Yields a note per state, record and workspace with tasks; undefined where one may pause. */
export function* mirrorNotes(
  memory: Memory,
  folder: VaultPath,
  taken: Iterable<VaultPath> = [],
): Generator<MirrorNote | undefined> {
  const workspaces = allWorkspaces(memory).sort(byCreation);
  const missing = missingWorkspaces(memory, new Set(workspaces.map(({ item }) => item.id)));
  const folderName = createFileNames();
  const folders = [
    ...workspaces.map((subject) => ({
      id: subject.item.id,
      subject,
      workspaceName: subject.displayName,
      folderBaseName: subject.displayName,
    })),
    ...missing.map(({ id, name }) => ({
      id,
      subject: undefined,
      workspaceName: name,
      folderBaseName: MISSING_WORKSPACE_FOLDER,
    })),
  ];
  for (const { id, subject, workspaceName, folderBaseName } of folders) {
    const states: Named<State>[] = [];
    for (const state of eachState(memory, id)) {
      states.push(state);
      yield undefined;
    }
    const notesFolder = `${folder}/${folderName(folderBaseName)}`;
    const noteName = createFileNames(namesIn(notesFolder, taken));
    const tasksPath = `${notesFolder}/${noteName(TASKS_NOTE)}.md`;
    const tasks = workspaceTasks(memory, id);
    if (subject && tasks.size > 0)
      yield { kind: 'tasks', path: tasksPath, subject, tasks, workspaceName };
    for (const state of states.sort(byCreation))
      yield {
        kind: 'state',
        path: `${notesFolder}/${noteName(state.displayName)}.md`,
        subject: state,
        workspaceName,
      };
    const recordsFolder = `${notesFolder}/${RECORDS_FOLDER}`;
    const recordName = createFileNames(namesIn(recordsFolder, taken));
    for (const linked of linkedRecords(memory, id).reverse()) {
      const { record } = linked;
      const path = `${recordsFolder}/${recordName(record.displayName)}.md`;
      yield { kind: 'record', path, subject: record, linked, workspaceName };
    }
  }
}

function byCreation({ item: a }: Named<State | Workspace>, { item: b }: Named<State | Workspace>) {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}

/** Returns the names of the notes directly in a folder, without extension. */
function namesIn(folder: VaultPath, paths: Iterable<VaultPath>): string[] {
  const names: string[] = [];
  for (const path of paths) {
    const at = path.lastIndexOf('/');
    if (path.slice(0, at).toLowerCase() === folder.toLowerCase())
      names.push(path.slice(at + 1).replace(/\.md$/iu, ''));
  }
  return names;
}

/** Returns `NAME (edited).md` or `NAME (edited 2).md`. `isTaken` should ignore letter case. */
export function editedCopyPath(path: VaultPath, isTaken: (path: VaultPath) => boolean): VaultPath {
  const name = path.replace(/\.md$/iu, '');
  let copy = `${name} (edited).md`;
  for (let count = 2; isTaken(copy); count++) copy = `${name} (edited ${count}).md`;
  return copy;
}
