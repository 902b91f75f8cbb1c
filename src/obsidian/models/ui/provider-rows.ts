import type { App, Setting } from 'obsidian';
import { ModelFailure } from '../../../chat/language-model.js';
import { act } from '../../actions.js';
import { faultText } from '../../host/logger.js';
import { sensibleModel, type OfferedModel } from '../model-list.js';
import type { ModelRegistry } from '../model-registry.js';
import type { Provider } from '../providers.js';
import type { Settings } from '../../settings-schema.js';
import { text } from '../../i18n/index.js';
import { follow } from '../../store.js';
import { nameElement } from '../../ui/forms/fields.js';
import { addField, followInput } from '../../ui/forms/live-controls.js';
import { offered, TextSuggest } from '../../ui/forms/text-suggest.js';

export interface ProviderRowsHost {
  readonly app: App;
  readonly models: ModelRegistry;
  readonly change: (change: (settings: Settings) => Settings) => Promise<void>;
}

interface ProviderRow {
  readonly name: string;
  readonly desc: string;
  /** Fills the row. Returns a function that stops following the settings. */
  readonly render: (setting: Setting) => () => void;
}

interface RowHost extends ProviderRowsHost {
  readonly provider: Provider;
  /** Loads the provider's models once its row is shown, and chooses one if none is set. */
  readonly modelLoader: { load: () => void };
}

/** Returns a provider's settings rows: its address (if changeable), key, model in use and test. */
export function providerRows(given: ProviderRowsHost, provider: Provider): ProviderRow[] {
  const { keyDesc, keyOptional, addressDesc, model, modelDesc } = text.chat.models;
  const { key, address, test } = text.meaning;
  const host: RowHost = { ...given, provider, modelLoader: { load: () => undefined } };
  const aboutKey = provider.keyUrl === undefined ? keyOptional : keyDesc(provider.keyUrl);
  const rows: ProviderRow[] = [
    { name: address.name, desc: addressDesc, render: (setting) => addAddress(host, setting) },
    { name: key.name, desc: aboutKey, render: (setting) => addKey(host, setting) },
    { name: model, desc: modelDesc, render: (setting) => addModel(host, setting) },
    { name: test.name, desc: test.desc, render: (setting) => addTest(host, setting) },
  ];
  return provider.isAddressEditable ? rows : rows.slice(1);
}

function addKey({ models, change, provider, modelLoader }: RowHost, setting: Setting): () => void {
  let stop = () => {};
  setting.addText(({ inputEl }) => {
    inputEl.setAttrs({ type: 'password', autocomplete: 'off', spellcheck: 'false' });
    describe(setting, inputEl, text.meaning.key.name);
    stop = follow(
      [models.settings],
      followInput(inputEl, () => models.apiKey(provider)),
    );
    const save = () => {
      const key = inputEl.value.trim();
      if (key === models.apiKey(provider)) return;
      models.setKey(provider, key);
      act(async () => {
        // a key is not a setting, so this notifies the listeners
        await change((settings) => withProvider(settings, provider, {}));
        if (key !== '') modelLoader.load();
      });
    };
    inputEl.addEventListener('change', save);
    // once the text is pasted
    inputEl.addEventListener('paste', () => inputEl.win.setTimeout(save));
  });
  return stop;
}

function addAddress(
  { models, change, provider, modelLoader }: RowHost,
  setting: Setting,
): () => void {
  return addField(
    setting,
    {
      type: 'url',
      dir: 'ltr',
      placeholder: provider.baseUrl,
      'aria-label': text.meaning.address.name,
      'aria-describedby': nameElement(setting.descEl),
    },
    {
      get: () => models.settings.get().providers[provider.id]?.address ?? '',
      async set(typed) {
        const address = typed.trim();
        await change((settings) => withProvider(settings, provider, { address }));
        if (address !== '') modelLoader.load();
      },
      follow: (show) => follow([models.settings], show),
    },
    (typed) =>
      typed.trim() === '' || /^https?:\/\/[^\s/]+/i.test(typed.trim())
        ? null
        : text.chat.models.badAddress,
  );
}

function addModel(
  { app, models, change, provider, modelLoader }: RowHost,
  setting: Setting,
): () => void {
  const { modelPlaceholder, load, loading, loaded, inUse, model: label } = text.chat.models;
  let list: readonly OfferedModel[] = [];
  let input: HTMLInputElement | undefined;
  let stop = () => {};
  const use = (model: string) =>
    act(() => change((settings) => withProvider(settings, provider, { model: model.trim() })));
  const note = noteBelow(setting);
  setting.addText(({ inputEl }) => {
    input = inputEl;
    inputEl.setAttrs({ dir: 'ltr', placeholder: modelPlaceholder, spellcheck: 'false' });
    describe(setting, inputEl, label);
    stop = follow(
      [models.settings],
      followInput(inputEl, () => models.settings.get().providers[provider.id]?.model ?? ''),
    );
    inputEl.addEventListener('change', () => use(inputEl.value));
    new TextSuggest(
      app,
      inputEl,
      (typed) => {
        const ids = list.map(({ id }) => id);
        return ids.includes(typed.trim()) ? ids : offered(ids, typed);
      },
      (model) => {
        inputEl.value = model;
        use(model);
      },
    );
  });
  /** Uses a sensible model if the user has not chosen one. */
  const chooseModel = (): string | undefined => {
    const model = input?.value.trim() === '' ? sensibleModel(provider, list) : undefined;
    if (model === undefined || !input) return undefined;
    input.value = model;
    use(model);
    return model;
  };
  setting.addButton((button) => {
    const loadModels = async () => {
      button.setDisabled(true).setButtonText(loading);
      showNote(setting, note, '');
      await models.list(provider).then(
        (found) => {
          list = found;
          const model = chooseModel();
          showNote(setting, note, model === undefined ? loaded(found.length) : inUse(model));
        },
        (error: unknown) => showFailure(setting, note, error),
      );
      button.setDisabled(false).setButtonText(load);
    };
    button.setButtonText(load).onClick(() => loadModels().then(() => input?.focus()));
    modelLoader.load = () => void loadModels();
  });
  return stop;
}

function addTest({ models, provider }: RowHost, setting: Setting): () => void {
  const { testing, works } = text.chat.models;
  const { name: test } = text.meaning.test;
  const note = noteBelow(setting);
  setting.addButton((button) =>
    button.setButtonText(test).onClick(async () => {
      button.setDisabled(true).setButtonText(testing);
      showNote(setting, note, '');
      await models.test(provider).then(
        () =>
          showNote(setting, note, works(models.settings.get().providers[provider.id]?.model ?? '')),
        (error: unknown) => showFailure(setting, note, error),
      );
      button.setDisabled(false).setButtonText(test);
    }),
  );
  return () => undefined;
}

function noteBelow(setting: Setting): HTMLElement {
  setting.setClass('savepoint-setting-tall');
  return setting.settingEl.createDiv({
    cls: 'savepoint-setting-box savepoint-setting-note',
    attr: { role: 'status' },
  });
}

function showNote(setting: Setting, note: HTMLElement, message: string): void {
  setting.setErrorMessage(null);
  note.setText(message);
}

function showFailure(setting: Setting, note: HTMLElement, error: unknown): void {
  note.setText('');
  setting.setErrorMessage(error instanceof ModelFailure ? error.message : faultText(error));
}

/** Gives the input the row's name and description for screen readers. */
function describe(setting: Setting, input: HTMLInputElement, label: string): void {
  input.setAttrs({ 'aria-label': label, 'aria-describedby': nameElement(setting.descEl) });
}

/** Changes fields of a provider. The first provider set up becomes the preferred one. */
function withProvider(
  settings: Settings,
  { id }: Provider,
  fields: { readonly address?: string; readonly model?: string },
): Settings {
  const before = settings.providers[id] ?? { address: '', model: '' };
  const providers = { ...settings.providers, [id]: { ...before, ...fields } };
  return {
    ...settings,
    providers,
    chatProvider: settings.chatProvider === '' ? id : settings.chatProvider,
  };
}
