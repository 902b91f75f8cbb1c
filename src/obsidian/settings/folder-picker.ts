import { FuzzySuggestModal, TFile, TFolder, Vault, type App } from 'obsidian';
import { isWithin, type VaultPath } from '../../model/paths.js';
import type { Settings } from '../settings-schema.js';
import { text } from '../i18n/index.js';

export class FolderPicker extends FuzzySuggestModal<VaultPath> {
  readonly #folders: readonly VaultPath[];
  readonly #choose: (folder: VaultPath) => void;

  constructor(app: App, folders: readonly VaultPath[], choose: (folder: VaultPath) => void) {
    super(app);
    this.#folders = folders;
    this.#choose = choose;
    const { placeholder, none } = text.settings.excluded;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.emptyStateText = none;
  }

  override getItems(): VaultPath[] {
    return [...this.#folders];
  }

  override getItemText(folder: VaultPath): string {
    return folder;
  }

  override onChooseItem(folder: VaultPath): void {
    this.#choose(folder);
  }
}

/** Returns the vault's folders by path, without the root. */
export function allFolders(app: App): VaultPath[] {
  const folders = app.vault
    .getAllLoadedFiles()
    .filter((file) => file instanceof TFolder && !file.isRoot());
  return folders.map(({ path }) => path).sort();
}

/** Returns the folders that the user can exclude. The data folder is always excluded. */
export function foldersToExclude(app: App, { dataFolder, excludedFolders }: Settings): VaultPath[] {
  return allFolders(app).filter(
    (path) => ![dataFolder, ...excludedFolders].some((folder) => isWithin(path, folder)),
  );
}

/** Returns the number of notes in a folder and its subfolders; undefined if it does not exist. */
export function notesBelow(app: App, path: VaultPath): number | undefined {
  const folder = app.vault.getFolderByPath(path);
  if (!folder) return undefined;
  let notes = 0;
  Vault.recurseChildren(folder, (file) => {
    if (file instanceof TFile && file.extension === 'md') notes++;
  });
  return notes;
}
