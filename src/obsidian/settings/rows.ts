import type { Setting, SettingDefinitionRender } from 'obsidian';
import { addDropdown, addToggle, type LiveValue } from '../ui/forms/live-controls.js';

export interface RowTexts {
  readonly name: string;
  readonly desc: string;
}

export function drawnRow(
  { name, desc }: RowTexts,
  render: SettingDefinitionRender['render'],
): SettingDefinitionRender {
  return { name, desc, render };
}

export function toggleRow(texts: RowTexts, value: LiveValue<boolean>): SettingDefinitionRender {
  return drawnRow(texts, (setting) => addToggle(setting, texts.name, value));
}

export function dropdownRow<T extends string>(
  texts: RowTexts,
  value: LiveValue<T>,
  options: () => Readonly<Record<T, string>>,
): SettingDefinitionRender {
  return drawnRow(texts, (setting) => addDropdown(setting, texts.name, value, options));
}

/** Adds a button to a row. */
export function offer(setting: Setting, label: string, press: () => unknown): void {
  setting.addButton((button) => button.setButtonText(label).onClick(press));
}

/** Adds a box below a row's name and controls, whose changes are announced. */
export function boxBelow(setting: Setting): HTMLElement {
  setting.setClass('savepoint-setting-tall');
  return setting.settingEl.createDiv({ cls: 'savepoint-setting-box', attr: { role: 'status' } });
}

export function addNote(box: HTMLElement, text: string): void {
  box.createDiv({ cls: 'savepoint-setting-note', text });
}
