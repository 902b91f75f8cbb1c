import { Setting } from 'obsidian';
import { allWorkspaces, workspaceOfNote } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { fileNameOf } from '../../../model/paths.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { compareNames } from '../natural-order.js';
import { nameElement } from './fields.js';

interface WorkspaceField {
  readonly savepoint: Savepoint;
  /** Id of the selected workspace. */
  readonly value: string;
  readonly change: (id: string) => void;
  /** Says what the workspace is for. */
  readonly hint?: string;
  /** Path of the note that the form is about. */
  readonly note?: string | undefined;
}

/** Adds the drop-down of the workspace that a form saves in, and returns it. */
export function addWorkspaceField(
  form: HTMLElement,
  { savepoint, value, change, hint = '', note }: WorkspaceField,
): { setting: Setting; input: HTMLElement } {
  const { noteWorkspace, workspace } = text.commands.form;
  const noteName = fileNameOf(note ?? '').replace(/\.md$/u, '');
  const hintFor = (id: string) =>
    workspaceOfNote(savepoint.memory.get(), note)?.id === id ? noteWorkspace(noteName) : hint;
  const setting = new Setting(form).setDesc(hintFor(value));
  setting.addDropdown((dropdown) => {
    for (const [id, name] of workspaceOptions(savepoint.memory.get(), value))
      dropdown.addOption(id, name);
    dropdown.setValue(value).onChange((id) => {
      setting.setDesc(hintFor(id));
      change(id);
    });
    const { selectEl } = dropdown;
    setting.nameEl.createEl('label', {
      text: workspace,
      attr: { for: nameElement(selectEl) },
    });
    selectEl.setAttr('aria-describedby', nameElement(setting.descEl));
  });
  return { setting, input: setting.controlEl.querySelector('select')! };
}

/** Returns ids and names of the active workspaces and of the selected one, by name. */
function workspaceOptions(memory: Memory, selected: string): [id: string, name: string][] {
  return allWorkspaces(memory)
    .filter(({ item }) => !item.isArchived || item.id === selected)
    .map(({ item, displayName }): [string, string] => [item.id, displayName])
    .sort(([, a], [, b]) => compareNames(a, b));
}
