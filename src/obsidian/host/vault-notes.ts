import { TFile, type EventRef, type TAbstractFile, type Vault } from 'obsidian';
import {
  isNote,
  NOTE_LIMIT,
  type NoteFile,
  type NoteSource,
} from '../../indexing/notes/note-source.js';
import { isHidden } from '../../model/paths.js';

/** The notes as the app knows them: it has every path, time and size in memory, and tells of changes. */
export function createVaultNotes(vault: Vault): NoteSource {
  return {
    list(isSkipped) {
      const isOpen = ({ path }: TAbstractFile) => !isHidden(path) && !isSkipped(path);
      const files = vault
        .getFiles()
        .filter(({ parent }) => !parent || parent.isRoot() || isOpen(parent));
      return Promise.resolve({
        notes: files.filter(({ path }) => isNote(path)).map(noteOf),
        files: files.map(({ path }) => path),
        folders: vault
          .getAllFolders()
          .filter(isOpen)
          .map(({ path }) => path),
      });
    },
    stat(path) {
      const file = vault.getFileByPath(path);
      return Promise.resolve(file ? noteOf(file) : undefined);
    },
    async read(path) {
      const file = vault.getFileByPath(path);
      return file ? (await vault.cachedRead(file)).slice(0, NOTE_LIMIT) : undefined;
    },
    watch: {
      start(changed) {
        // With a folder, all that is in it has moved.
        const tell = (file: TAbstractFile) =>
          changed(file instanceof TFile ? file.path : undefined);
        const refs: EventRef[] = [
          vault.on('create', tell),
          vault.on('modify', tell),
          vault.on('delete', tell),
          vault.on('rename', (file, oldPath) => {
            tell(file);
            if (file instanceof TFile) changed(oldPath);
          }),
        ];
        return () => refs.forEach((ref) => vault.offref(ref));
      },
    },
  };
}

function noteOf({ path, stat: { mtime, size } }: TFile): NoteFile {
  return { path, mtime, size };
}
