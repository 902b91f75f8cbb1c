import type { App, Setting } from 'obsidian';
import { labelByRow } from '../ui/forms/fields.js';
import { offered, TextSuggest } from '../ui/forms/text-suggest.js';
import { allFolders } from './folder-picker.js';

/** Adds a field for a folder of the vault to a row, with suggestions. */
export function addFolderField(
  app: App,
  row: Setting,
  value: string,
  changed: (folder: string) => void,
): void {
  row.addText((component) => {
    const { inputEl } = component.setValue(value).onChange(changed);
    inputEl.setAttr('dir', 'auto');
    labelByRow(row, inputEl);
    suggestFolders(app, inputEl, (folder) => {
      component.setValue(folder);
      changed(folder);
    });
  });
}

/** Suggests folders of the vault while the user types in a field. */
export function suggestFolders(
  app: App,
  inputEl: HTMLInputElement,
  take: (folder: string) => void,
): void {
  new TextSuggest(app, inputEl, (typed) => offered(allFolders(app), typed), take);
}
