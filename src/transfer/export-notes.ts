import { compareText } from '../model/event.js';
import { allStates, allWorkspaces, type Named } from '../model/lookup.js';
import { VAULT_SCOPE, type Memory } from '../model/memory.js';
import { mapEntries } from '../model/persistent-map.js';
import type { State } from '../model/state.js';
import type { Workspace } from '../model/workspace.js';
import type { ExportFile } from './export.js';
import { createNames } from '../platform/safe-file-names.js';
import { jsonBlock, plainLine, plainList, plainText, properties, wikilink } from './markdown.js';

const WORKSPACE_NOTE = '_workspace';
const encoder = new TextEncoder();

/** The folder for what belongs to a workspace that is not known. */
export const MISSING = 'Workspace missing';

const ABOUT = `# A memory, as notes

Each folder is a workspace of Savepoint, each note in it a saved state; \`${WORKSPACE_NOTE}\` tells of the workspace itself. Archived ones are here too.

These notes are for people. They cannot be imported; \`savepoint export --as jsonl\` makes what can.
`;

/** The memory as Markdown notes: a folder for each workspace, a note for each state. The same memory makes the same notes. */
export function exportNotes(memory: Memory): ExportFile[] {
  const folderName = createNames(['README.md']);
  const workspaces = allWorkspaces(memory);
  const known = new Set(workspaces.map(({ item }) => item.id));
  return [
    note('README.md', [ABOUT.trimEnd()]),
    ...workspaces.flatMap((shown) =>
      workspaceNotes(folderName(shown.displayName), shown, allStates(memory, shown.item.id)),
    ),
    // Their workspace has not arrived, or is lost: what was saved in it is shown all the same.
    ...missingWorkspaces(memory, known).flatMap(({ id, name }) => {
      const states = allStates(memory, id);
      return states.length > 0
        ? stateNotes(folderName(MISSING), name, states).map(({ file }) => file)
        : [];
    }),
  ];
}

/** Workspaces that states belong to and that are not known, by id, and what to call each. */
export function missingWorkspaces(
  memory: Memory,
  known: ReadonlySet<string>,
): { id: string; name: string }[] {
  const ids = [...mapEntries(memory.names)]
    .map(([scope]) => scope)
    .filter((scope) => scope !== VAULT_SCOPE && !known.has(scope));
  return ids.sort(compareText).map((id) => ({ id, name: `missing (${id})` }));
}

function workspaceNotes(
  folder: string,
  { item, displayName }: Named<Workspace>,
  states: readonly Named<State>[],
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
  return [note(`${folder}/${WORKSPACE_NOTE}.md`, parts), ...notes.map(({ file }) => file)];
}

function stateNotes(
  folder: string,
  workspaceName: string,
  states: readonly Named<State>[],
): { file: ExportFile; link: string; createdAt: string }[] {
  const noteName = createNames([WORKSPACE_NOTE]);
  // The earliest takes the plain name, so that a later export names it the same.
  const earliestFirst = [...states]
    .reverse()
    .map((shown) => ({ shown, name: noteName(shown.displayName) }));
  return earliestFirst.reverse().map(({ shown, name }) => ({
    file: { path: `${folder}/${name}.md`, bytes: encoder.encode(stateNote(shown, workspaceName)) },
    link: `[[${folder}/${name}]]`,
    createdAt: shown.item.createdAt,
  }));
}

/** A state as the text of a note: its properties first, then what it says. */
export function stateNote({ item, displayName }: Named<State>, workspaceName: string): string {
  const {
    conversationContext,
    activeTask,
    activeFiles,
    nextSteps,
    description,
    tags = [],
    isArchived,
    createdAt,
  } = item;
  return noteText([
    properties({
      name: displayName,
      workspace: workspaceName,
      created: new Date(createdAt),
      archived: isArchived,
      tags,
      task: activeTask,
    }),
    `# ${plainLine(displayName)}`,
    ...section('', plainText(description ?? '')),
    ...section('Context', plainText(conversationContext)),
    ...section('Next steps', plainList(nextSteps, '1.')),
    ...section('Files', linkList(activeFiles)),
  ]);
}

function linkList(paths: readonly string[]): string {
  return paths.map((path) => `- ${wikilink(path)}`).join('\n');
}

/** What is empty is left out. */
function section(title: string, body: string): string[] {
  if (body.trim() === '') return [];
  return title === '' ? [body] : [`## ${title}`, body];
}

function note(path: string, parts: readonly string[]): ExportFile {
  return { path, bytes: encoder.encode(noteText(parts)) };
}

function noteText(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
