import type { Setting } from 'obsidian';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import type { Settings } from '../../settings-schema.js';
import { follow, type Store } from '../../store.js';

/** A value that a control shows, follows and changes. */
export interface LiveValue<T> {
  readonly get: () => T;
  readonly set: (value: T) => unknown;
  /** Calls `show` now and after each change, until the returned function is called. */
  readonly follow: (show: () => void) => () => void;
}

/** Returns one of the vault's settings. */
export function settingValue<K extends keyof Settings>(
  {
    settings,
    change,
  }: {
    readonly settings: Store<Settings>;
    readonly change: (settings: Settings) => Promise<void>;
  },
  key: K,
): LiveValue<Settings[K]> {
  return {
    get: () => settings.get()[key],
    set: (value) => change({ ...settings.get(), [key]: value }),
    follow: (show) => follow([settings], show),
  };
}

/** Adds a switch. Returns a function that stops following the value. */
export function addToggle(
  setting: Setting,
  label: string,
  { get, set, follow: followValue }: LiveValue<boolean>,
): () => void {
  let stop = () => {};
  setting.addToggle((toggle) => {
    (toggle.toggleEl.querySelector('input') ?? toggle.toggleEl).setAttr('aria-label', label);
    let isShowing = false; // setting the value calls the listener too
    const show = () => {
      isShowing = true;
      toggle.setValue(get());
      isShowing = false;
    };
    toggle.onChange((isOn) => {
      if (!isShowing) act(async () => Promise.resolve(set(isOn)).finally(show));
    });
    stop = followValue(show);
  });
  return stop;
}

/** Adds a dropdown. Returns a function that stops following the value and its options. */
export function addDropdown<T extends string>(
  setting: Setting,
  label: string,
  { get, set, follow: followValue }: LiveValue<T>,
  options: () => Readonly<Record<T, string>>,
): () => void {
  let stop = () => {};
  setting.addDropdown((dropdown) => {
    dropdown.selectEl.setAttr('aria-label', label);
    let offered = '';
    const show = () => {
      const offer = options();
      if (offered !== JSON.stringify(offer)) {
        offered = JSON.stringify(offer);
        dropdown.selectEl.empty();
        dropdown.addOptions(offer);
      }
      if (dropdown.getValue() !== get()) dropdown.setValue(get());
    };
    dropdown.onChange((value) => act(async () => Promise.resolve(set(value as T)).finally(show)));
    stop = followValue(show);
  });
  return stop;
}

/**
 * Adds a field, applied when editing ends and not per character. Changes from elsewhere leave typed
 * text. `problemOf` returns null for a valid text. Returns a function that stops following.
 */
export function addField(
  setting: Setting,
  attributes: Readonly<Record<string, string | number>>,
  { get, set, follow: followValue }: LiveValue<string>,
  problemOf: (typed: string) => string | null,
): () => void {
  let stop = () => {};
  setting.addText(({ inputEl }) => {
    inputEl.setAttrs(attributes);
    stop = followValue(followInput(inputEl, get));
    inputEl.addEventListener('change', () => {
      const problem = problemOf(inputEl.value);
      setting.setErrorMessage(problem);
      inputEl.setAttr('aria-invalid', String(problem !== null));
      const typed = inputEl.value;
      if (problem === null)
        act(async () => {
          await set(typed);
          if (inputEl.value === typed) inputEl.value = get(); // as it was read, for example trimmed
        });
    });
  });
  return stop;
}

/** Adds a field for a whole number. Returns a function that stops following. */
export function addNumber(
  setting: Setting,
  label: string,
  [min, max]: readonly [min: number, max: number],
  value: LiveValue<number>,
): () => void {
  return addField(
    setting,
    { type: 'number', inputmode: 'numeric', min, max, step: 1, 'aria-label': label },
    { ...value, get: () => String(value.get()), set: (typed) => value.set(Number(typed)) },
    (typed) => {
      const number = typed.trim() === '' ? NaN : Number(typed);
      const isValid = Number.isInteger(number) && number >= min && number <= max;
      return isValid ? null : text.settings.wholeNumber(min, max);
    },
  );
}

/** Returns a function that shows the value in a field, unless something else is being typed. */
export function followInput(inputEl: HTMLInputElement, get: () => string): () => void {
  let shown = inputEl.value;
  return () => {
    if (inputEl.value === shown) inputEl.value = get();
    shown = get();
  };
}
