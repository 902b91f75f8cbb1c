import { FuzzySuggestModal, TFile, TFolder, Vault, type App } from 'obsidian';
import { isWithin, type VaultPath } from '../../model/paths.js';
import type { Settings } from '../settings-schema.js';
import { text } from '../i18n/index.js';

/** Picks one of these folders. */
export class FolderPicker extends FuzzySuggestModal<VaultPath> {
  constructor(
    app: App,
    private readonly folders: readonly VaultPath[],
    private readonly choose: (folder: VaultPath) => void,
  ) {
    super(app);
    const { placeholder, none } = text.settings.excluded;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.emptyStateText = none;
  }

  override getItems(): VaultPath[] {
    return [...this.folders];
  }

  override getItemText(folder: VaultPath): string {
    return folder;
  }

  override onChooseItem(folder: VaultPath): void {
    this.choose(folder);
  }
}

/** The vault's folders by path, but for the vault itself. */
export function allFolders(app: App): VaultPath[] {
  const folders = app.vault
    .getAllLoadedFiles()
    .filter((file) => file instanceof TFolder && !file.isRoot());
  return folders.map(({ path }) => path).sort();
}

/** Those that are not excluded yet; the data folder is left out of everything by itself. */
export function foldersToExclude(app: App, { dataFolder, excludedFolders }: Settings): VaultPath[] {
  return allFolders(app).filter(
    (path) => ![dataFolder, ...excludedFolders].some((folder) => isWithin(path, folder)),
  );
}

/** How many notes lie in a folder and below it; undefined where there is no such folder. */
export function notesBelow(app: App, path: VaultPath): number | undefined {
  const folder = app.vault.getFolderByPath(path);
  if (!folder) return undefined;
  let notes = 0;
  Vault.recurseChildren(folder, (file) => {
    if (file instanceof TFile && file.extension === 'md') notes++;
  });
  return notes;
}
