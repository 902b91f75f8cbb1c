import { setIcon, Setting, type App, type TextAreaComponent, type TextComponent } from 'obsidian';
import { text } from '../../i18n/index.js';
import { TextSuggest } from './text-suggest.js';

/** Elements of a field, needed to show its problem. */
export interface FormField {
  readonly setting: Setting;
  readonly input: HTMLInputElement | HTMLTextAreaElement;
}

interface FieldTexts {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
}

interface TextField extends FieldTexts {
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Returns a function that labels a field, and binds it to the text of that name. */
export function bindTo<Name extends string>(
  typed: Record<Name, string>,
  labels: Readonly<Record<NoInfer<Name>, string>>,
): (name: Name) => TextField {
  return (name) => ({
    label: labels[name],
    value: typed[name],
    change: (value) => (typed[name] = value),
  });
}

export function addText(
  form: HTMLElement,
  { value, change, ...texts }: TextField,
  kind: 'addText' | 'addTextArea' = 'addText',
): FormField {
  const setting = new Setting(form);
  let input: FormField['input'] | undefined;
  setting[kind]((component: TextComponent | TextAreaComponent) => {
    input = component.setValue(value).onChange(change).inputEl;
  });
  return describeField(setting, input!, texts);
}

export function addDate(form: HTMLElement, field: TextField): FormField {
  const built = addText(form, field);
  built.input.setAttr('type', 'date');
  return built;
}

export function addTextArea(form: HTMLElement, field: TextField): FormField {
  const built = addText(form, field, 'addTextArea');
  built.input.setAttr('rows', '3');
  return built;
}

export interface ListField extends FieldTexts {
  readonly app: App;
  /** Changed in place. */
  readonly entries: string[];
  /** Called after each change. */
  readonly changed?: () => void;
  readonly suggest: (typed: string) => string[];
  /** Parses the typed text into entries. */
  readonly read: (typed: string) => string[];
}

export interface BuiltList extends FormField {
  /** Adds typed text that was not added yet, so nothing visible is lost. */
  addTyped(): void;
}

/** A list with removable entries and a box that adds one on Enter. */
export function addList(
  form: HTMLElement,
  { app, entries, suggest, read, changed, ...texts }: ListField,
): BuiltList {
  const setting = new Setting(form).setClass('savepoint-list-setting');
  const list = setting.controlEl.createEl('ul', { cls: 'savepoint-list' });
  const input = setting.controlEl.createEl('input', { type: 'text' });
  const field = describeField(setting, input, texts);

  function show(): void {
    list.empty();
    entries.forEach((entry, index) => {
      const row = list.createEl('li', { cls: 'savepoint-list-entry' });
      row.createSpan({ text: entry, attr: { dir: 'auto' } });
      const button = row.createEl('button', {
        cls: 'clickable-icon',
        attr: { type: 'button', 'aria-label': text.commands.form.remove(entry) },
      });
      setIcon(button, 'x');
      button.addEventListener('click', () => remove(index));
    });
  }

  function remove(index: number): void {
    entries.splice(index, 1);
    show();
    changed?.();
    const buttons = list.querySelectorAll('button');
    (buttons[Math.min(index, buttons.length - 1)] ?? input).focus();
  }

  function add(typed: string): void {
    input.value = '';
    const added = read(typed).filter((entry) => entry !== '' && !entries.includes(entry));
    if (added.length === 0) return;
    entries.push(...new Set(added));
    show();
    changed?.();
    input.scrollIntoView({ block: 'nearest' });
  }

  new TextSuggest(
    app,
    input,
    (typed) => suggest(typed).filter((entry) => !entries.includes(entry)),
    add,
  );
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add(input.value);
  });
  show();
  return { ...field, addTyped: () => add(input.value) };
}

/** Adds a label and an optional hint to a field and links them to its input for screen readers. */
function describeField<Input extends FormField['input']>(
  setting: Setting,
  input: Input,
  texts: FieldTexts,
): { setting: Setting; input: Input } {
  const { label, hint = '', placeholder } = texts;
  setting
    .setDesc(hint)
    .nameEl.createEl('label', { text: label, attr: { for: nameElement(input) } });
  input.setAttrs({
    dir: 'auto',
    'aria-describedby': nameElement(setting.descEl),
    ...(placeholder !== undefined && { placeholder }),
  });
  return { setting, input };
}

/** Adds a drop-down that the row's name and description label. */
export function addChoice(
  row: Setting,
  options: Readonly<Record<string, string>>,
  value: string,
  choose: (value: string) => void,
): void {
  row.addDropdown((dropdown) => {
    dropdown.addOptions(options).setValue(value).onChange(choose);
    labelByRow(row, dropdown.selectEl);
  });
}

/** Labels a control with the row's name and description. */
export function labelByRow({ nameEl, descEl }: Setting, control: HTMLElement): void {
  control.setAttrs({
    'aria-labelledby': nameElement(nameEl),
    'aria-describedby': nameElement(descEl),
  });
}

let named = 0;

/** Returns the element's id, assigning one if needed. */
export function nameElement(element: HTMLElement): string {
  if (element.id === '') element.id = `savepoint-${++named}`;
  return element.id;
}
