import type { SettingDefinitionRender } from 'obsidian';
import { text } from '../i18n/index.js';
import { addField, settingValue } from '../ui/forms/live-controls.js';
import { suggestFolders } from './folder-field.js';
import type { SettingsHost } from './host.js';
import { drawnRow } from './rows.js';

/** The folder whose notes the chat offers as slash commands. */
export function promptFolderRow(host: SettingsHost): SettingDefinitionRender {
  const { name, noFolder, example } = text.pages.promptFolder;
  const { app } = host;
  return drawnRow(text.pages.promptFolder, (setting) => {
    const attributes = { placeholder: example, dir: 'auto', 'aria-label': name };
    const value = settingValue(host, 'promptFolder');
    const stop = addField(setting, attributes, value, (typed) =>
      typed.trim() === '' || app.vault.getFolderByPath(typed.trim()) ? null : noFolder,
    );
    const inputEl = setting.controlEl.querySelector('input')!;
    suggestFolders(app, inputEl, (folder) => {
      inputEl.value = folder;
      inputEl.dispatchEvent(new Event('change'));
    });
    return stop;
  });
}
