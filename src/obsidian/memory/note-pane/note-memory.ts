import {
  comparablePath,
  filesOfRecord,
  shareFile,
} from '../../../agents/shared/records/mentioned-files.js';
import { compareText } from '../../../model/event.js';
import type { Named } from '../../../model/lookup.js';
import type { PathMoves } from '../../../model/moves/path-moves.js';
import { toVaultPath, type VaultPath } from '../../../model/paths.js';
import { isOpenRecord } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import type { State } from '../../../model/state.js';
import type { Library, Section } from '../../library/library.js';

export interface PlacedState {
  readonly section: Section;
  readonly state: Named<State>;
}

/** Returns the states, except archived ones, with a note among their files, newest first. */
export function statesNaming(library: Library, path: VaultPath): PlacedState[] {
  const found = library.flatMap((section) =>
    section.states
      .filter(({ item }) => !item.isArchived && isNamed(item.activeFiles, path))
      .map((state) => ({ section, state })),
  );
  return found.sort((a, b) => (a.state.item.createdAt < b.state.item.createdAt ? 1 : -1));
}

/** Returns the workspaces, except archived ones, with a note among their key files. */
export function workspacesNaming(library: Library, path: VaultPath): Section[] {
  return library.filter(
    ({ workspace }) =>
      workspace && !workspace.item.isArchived && isNamed(workspace.item.keyFiles, path),
  );
}

/** Returns the active records that list, link or mention a note, open ones first, then newest. */
export function recordsAbout(library: Library, path: VaultPath, moves: PathMoves): ProjectRecord[] {
  const namesAt = moves.namesOf(path);
  const isAbout = (record: ProjectRecord) => {
    const paths = new Set([path, ...namesAt(record.createdAt)].map(comparablePath));
    return shareFile(paths, filesOfRecord(record));
  };
  return library
    .flatMap(({ records }) => records)
    .filter((record) => !record.isArchived && isAbout(record))
    .sort(
      (a, b) =>
        Number(isOpenRecord(b)) - Number(isOpenRecord(a)) || compareText(b.createdAt, a.createdAt),
    );
}

/** Returns true if the path is a complete string in a call's parameters (JSON). */
export function isCallAbout(input: string, path: VaultPath): boolean {
  return spellings(path).some((spelling) => input.includes(JSON.stringify(spelling)));
}

function isNamed(paths: readonly string[], path: VaultPath): boolean {
  const spelled = spellings(path);
  return paths.some((typed) => spelled.includes(toVaultPath(typed) ?? ''));
}

/** Returns the spellings of a path. The path of a note may omit the extension, as in links. */
function spellings(path: VaultPath): VaultPath[] {
  return path.endsWith('.md') ? [path, path.slice(0, -'.md'.length)] : [path];
}
