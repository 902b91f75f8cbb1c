import { TFile, type EventRef, type TAbstractFile, type Vault } from 'obsidian';
import {
  decodeNote,
  isNote,
  type NoteFile,
  type NoteSource,
} from '../../indexing/notes/note-source.js';
import { isHidden, type VaultPath } from '../../model/paths.js';

/** The byte order mark of UTF-16, which the app reads as UTF-8. */
const UTF16_MARK = '\ufffd\ufffd';

/** Returns a `NoteSource` backed by the app, which has paths, times and sizes in memory. */
export function createVaultNotes(vault: Vault): NoteSource {
  async function read(path: VaultPath): Promise<string | undefined> {
    const file = vault.getFileByPath(path);
    const text = file ? await vault.cachedRead(file) : undefined;
    return file && text?.startsWith(UTF16_MARK)
      ? decodeNote(new Uint8Array(await vault.readBinary(file)))
      : text;
  }

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
    read,
    async readPassage(path, { start, end }) {
      return (await read(path))?.slice(start, end);
    },
    watch: {
      start(changed) {
        // A change of a folder affects everything in it, so no path is passed.
        const notify = (file: TAbstractFile) =>
          changed(file instanceof TFile ? file.path : undefined);
        const refs: EventRef[] = [
          vault.on('create', notify),
          vault.on('modify', notify),
          vault.on('delete', notify),
          vault.on('rename', (file, oldPath) => {
            notify(file);
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
