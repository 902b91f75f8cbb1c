import type { App, Setting } from 'obsidian';
import { nameElement } from '../ui/forms/fields.js';
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
    inputEl.setAttrs({
      dir: 'auto',
      'aria-labelledby': nameElement(row.nameEl),
      'aria-describedby': nameElement(row.descEl),
    });
    new TextSuggest(
      app,
      inputEl,
      (typed) => offered(allFolders(app), typed),
      (folder) => {
        component.setValue(folder);
        changed(folder);
      },
    );
  });
}
