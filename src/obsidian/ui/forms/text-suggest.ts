import { AbstractInputSuggest, prepareSimpleSearch, TFolder, type App } from 'obsidian';
import type { Savepoint } from '../../savepoint.js';
import { isOffered } from './offered-path.js';

const OFFERED = 50;

/** Suggests texts while the user types in an input; `take` receives the chosen text. */
export class TextSuggest extends AbstractInputSuggest<string> {
  readonly #offer: (typed: string) => string[];
  readonly #take: (text: string) => void;

  constructor(
    app: App,
    input: HTMLInputElement,
    offer: (typed: string) => string[],
    take: (text: string) => void,
  ) {
    super(app, input);
    this.#offer = offer;
    this.#take = take;
    this.limit = OFFERED;
  }

  protected override getSuggestions(typed: string): string[] {
    const offers = this.#offer(typed);
    return offers.every((offer) => offer === typed.trim()) ? [] : offers; // nothing to choose
  }

  override renderSuggestion(offered: string, row: HTMLElement): void {
    row.setText(offered);
    row.setAttr('dir', 'auto');
  }

  override selectSuggestion(suggestion: string): void {
    this.#take(suggestion);
    this.close();
  }
}

/** Returns the texts that contain every typed word, in order. */
export function offered(texts: Iterable<string>, typed: string): string[] {
  const fits = typed.trim() === '' ? () => true : prepareSimpleSearch(typed.trim());
  const found: string[] = [];
  for (const each of texts) {
    if (fits(each)) found.push(each);
    if (found.length === OFFERED) break;
  }
  return found;
}

/** Returns matching paths, then the typed text, because the file need not exist. */
export function offeredPaths(paths: readonly string[], typed: string): string[] {
  const path = typed.trim();
  return path === '' ? [] : [...new Set([...offered(paths, path), path])];
}

/** Returns the paths of the vault's files, except those in excluded folders or the data folder. */
export function filePaths(savepoint: Savepoint): string[] {
  const paths = savepoint.app.vault.getFiles().map(({ path }) => path);
  return paths.filter((path) => isOffered(savepoint, path)).sort();
}

/** Returns the vault's folders, `/` first, except excluded ones and the data folder. */
export function folderPaths(savepoint: Savepoint): string[] {
  const folders = savepoint.app.vault.getAllLoadedFiles().filter((file) => file instanceof TFolder);
  const paths = folders
    .map(({ path }) => path)
    .filter((path) => path !== '/' && isOffered(savepoint, path));
  return ['/', ...paths.sort()];
}
