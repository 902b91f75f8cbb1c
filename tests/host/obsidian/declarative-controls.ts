import type { SettingControl } from 'obsidian';
import type { App } from './app';
import { AbstractInputSuggest } from './popover-suggest';
import type { TextComponent } from './components';
import type { Setting } from './setting';
import type { TAbstractFile } from './vault';

/** Offers the files or folders of the vault under a path input. */
class PathSuggest extends AbstractInputSuggest<TAbstractFile> {
  readonly #paths: () => TAbstractFile[];

  constructor(app: App, text: TextComponent, paths: () => TAbstractFile[]) {
    super(app, text.inputEl);
    this.#paths = paths;
    this.onSelect((file) => {
      text.setValue(file.path).onChanged();
      this.close();
    });
  }

  protected getSuggestions(query: string): TAbstractFile[] {
    return this.#paths().filter((file) => file.path.toLowerCase().includes(query.toLowerCase()));
  }

  renderSuggestion(file: TAbstractFile, el: HTMLElement): void {
    el.setText(file.path);
  }
}

function parseNumber(text: string, fallback: number): number {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? fallback : value;
}

/** Adds the control of a definition to its row, with `value`. `change` receives each new value. */
export function addControl(
  app: App,
  setting: Setting,
  control: SettingControl,
  value: unknown,
  change: (value: never) => unknown,
): void {
  const changed = change as (value: unknown) => unknown;
  const text = typeof value === 'string' ? value : '';
  const number = typeof value === 'number' ? value : 0;
  switch (control.type) {
    case 'toggle':
      setting.addToggle((toggle) => toggle.setValue(value === true).onChange(changed));
      break;
    case 'dropdown':
      setting.addDropdown((dropdown) =>
        dropdown.addOptions(control.options).setValue(text).onChange(changed),
      );
      break;
    case 'text':
      setting.addText((input) =>
        input
          .setPlaceholder(control.placeholder ?? '')
          .setValue(text)
          .onChange(changed),
      );
      break;
    case 'textarea':
      setting.addTextArea((area) => {
        area.inputEl.rows = control.rows ?? 4;
        area
          .setPlaceholder(control.placeholder ?? '')
          .setValue(text)
          .onChange(changed);
      });
      break;
    case 'number':
      setting.addText((input) => {
        input.inputEl.type = 'number';
        input.inputEl.setAttrs({
          min: control.min ?? null,
          max: control.max ?? null,
          step: control.step ?? null,
        });
        input
          .setPlaceholder(control.placeholder ?? '')
          .setValue(typeof value === 'number' ? String(value) : '')
          .onChange((typed) => changed(parseNumber(typed, control.defaultValue ?? 0)));
      });
      break;
    case 'slider':
      setting.addSlider((slider) => {
        slider.setLimits(control.min, control.max, control.step).setValue(number).onChange(changed);
        if (control.displayFormat) slider.setDisplayFormat(control.displayFormat);
      });
      break;
    case 'color':
      setting.addColorPicker((color) => color.setValue(text || '#000000').onChange(changed));
      break;
    case 'file':
      setting.addSearch((input) => {
        input
          .setPlaceholder(control.placeholder ?? '')
          .setValue(text)
          .onChange(changed);
        const filter = (control.filter ?? (() => true)) as (file: unknown) => boolean;
        new PathSuggest(app, input, () => app.vault.getFiles().filter(filter));
      });
      break;
    case 'folder':
      setting.addSearch((input) => {
        input
          .setPlaceholder(control.placeholder ?? '')
          .setValue(text)
          .onChange(changed);
        const filter = (control.filter ?? (() => true)) as (folder: unknown) => boolean;
        new PathSuggest(app, input, () =>
          app.vault.getAllFolders(control.includeRoot).filter(filter),
        );
      });
  }
}
