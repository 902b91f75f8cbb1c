import type { Setting } from 'obsidian';

/** A hidden field, and what its button says: the field's label by default. */
type FoldPart = readonly [
  field: { readonly setting: Setting; readonly input: HTMLElement },
  value?: string,
];

/** Adds hidden fields, and a line of buttons, each of which shows all and focuses its own. */
export function addFold(form: HTMLElement) {
  const line = form.createDiv({ cls: 'savepoint-fold' });
  const box = form.createDiv({ attr: { hidden: '' } });
  const addPart = ([{ setting, input }, value = '']: FoldPart) => {
    const label = setting.nameEl.innerText;
    const shown = value === '' ? { text: label } : { text: value, title: `${label}: ${value}` };
    line
      .createEl('button', { ...shown, attr: { type: 'button', dir: 'auto' } })
      .addEventListener('click', () => {
        box.removeAttribute('hidden');
        input.focus();
      });
  };
  const setParts = (parts: readonly FoldPart[]) => {
    line.empty();
    parts.forEach(addPart);
  };
  return { box, setParts };
}
