import type { Setting, SettingDefinitionPage } from 'obsidian';
import type { RemoteEmbeddingsStatus } from '../../indexing/notes/remote-embeddings.js';
import { act } from '../actions.js';
import { faultText } from '../host/logger.js';
import { Refusal } from '../../model/refusal.js';
import type { RemoteEmbedderConfig } from '../models/remote-embedder.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { follow, followInside, stopAll } from '../store.js';
import { addField } from '../ui/forms/live-controls.js';
import type { SettingsHost } from './host.js';
import { drawnRow, dropdownRow, offer } from './rows.js';

/** Settings of the user's own embedding model, with its cost and progress. */
export function meaningPage({ ownModel, savepoint }: SettingsHost): SettingDefinitionPage {
  const { name, desc, about, aboutDesc, protocol, address, model, key, test, status } =
    text.meaning;
  const addressError = (given: string) =>
    /^https?:\/\/[^\s/]+/i.test(given) ? null : text.chat.models.badAddress;
  return {
    type: 'page',
    name,
    desc,
    displayValue: () => (ownModel.settings.get().isOn ? ownModel.settings.get().model : ''),
    items: [
      { name: about, desc: aboutDesc, searchable: false },
      dropdownRow(
        protocol,
        {
          get: () => ownModel.settings.get().protocol,
          set: (chosen) => ownModel.change({ protocol: chosen, isOn: false }),
          follow: (show) => follow([ownModel.settings], show),
        },
        () => text.meaning.protocols,
      ),
      drawnRow(address, (setting) =>
        addText(setting, address.name, ownModel, 'address', addressError),
      ),
      drawnRow(model, (setting) => addText(setting, model.name, ownModel, 'model', () => null)),
      drawnRow(key, (setting) => addKey(ownModel, setting)),
      drawnRow(test, (setting) => addTest(ownModel, setting)),
      {
        name: status.name,
        searchable: false,
        render: (setting) => showStatus(ownModel, setting, savepoint),
      },
    ],
  };
}

/** Adds a text field. A change turns the model off until it is restarted: the cost may differ. */
function addText(
  setting: Setting,
  label: string,
  ownModel: RemoteEmbedderConfig,
  field: 'address' | 'model',
  errorOf: (given: string) => string | null,
): () => void {
  return addField(
    setting,
    { dir: 'ltr', spellcheck: 'false', 'aria-label': label },
    {
      get: () => ownModel.settings.get()[field],
      set: (typed) => ownModel.change({ [field]: typed.trim(), isOn: false }),
      follow: (show) => follow([ownModel.settings], show),
    },
    (typed) => errorOf(typed.trim()),
  );
}

function addKey(ownModel: RemoteEmbedderConfig, setting: Setting): void {
  setting.addText(({ inputEl }) => {
    inputEl.setAttrs({
      type: 'password',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-label': text.meaning.key.name,
    });
    inputEl.value = ownModel.key();
    inputEl.addEventListener('change', () => ownModel.setKey(inputEl.value.trim()));
  });
}

function addTest(ownModel: RemoteEmbedderConfig, setting: Setting): void {
  const { name, desc, works } = text.meaning.test;
  setting.descEl.setAttr('role', 'status');
  setting.addButton((button) =>
    button.setButtonText(name).onClick(async () => {
      button.setDisabled(true);
      setting.setErrorMessage(null);
      setting.setDesc(desc);
      await ownModel.test().then(
        (length) => void setting.setDesc(works(length)),
        (error: unknown) =>
          void setting.setErrorMessage(error instanceof Refusal ? error.message : faultText(error)),
      );
      button.setDisabled(false);
    }),
  );
}

/** Shows the progress, with buttons that count the cost, and start or stop the model. */
function showStatus(
  ownModel: RemoteEmbedderConfig,
  setting: Setting,
  savepoint: SettingsHost['savepoint'],
): () => void {
  const { noModel, count, begin, ahead } = text.meaning.status;
  let counted = '';
  setting.descEl.setAttr('role', 'status');
  const show = () => {
    const status = ownModel.embeddings.get()?.status();
    setting.setErrorMessage(status?.phase === 'failed' ? (status.error ?? null) : null);
    setting.setDesc(status ? [wordsOf(status), counted].filter(Boolean).join(' ') : noModel);
    setting.controlEl.empty();
    if (!status) return;
    if (status.phase !== 'stopped') {
      offer(setting, text.general.stop, () => turn(false));
      return;
    }
    offer(setting, count, () =>
      act(async () => {
        const amount = await ownModel.embeddings.get()?.estimate();
        if (amount) counted = ahead(amount.notes, amount.texts, amount.tokens);
        show();
      }),
    );
    setting.addButton((button) =>
      button
        .setButtonText(begin)
        .setCta()
        .onClick(() => turn(true)),
    );
  };
  const turn = (isOn: boolean) => {
    counted = '';
    ownModel.change({ isOn });
    show();
  };
  const progress = ({ services }: Savepoint) => ({
    get: () => undefined,
    subscribe: (listener: () => void) => services.search.onProgress(listener),
  });
  return stopAll(
    follow([ownModel.embeddings, ownModel.settings], show),
    followInside(savepoint, (opened) => [progress(opened)], show),
  );
}

function wordsOf({ phase, done, total, sent }: RemoteEmbeddingsStatus): string {
  const { stopped, working, ready, sent: sentWords } = text.meaning.status;
  const states = {
    stopped: stopped(done, total),
    working: working(done, total),
    failed: working(done, total),
    ready: ready(done),
  };
  return sent.texts === 0
    ? states[phase]
    : `${states[phase]} ${sentWords(sent.texts, sent.tokens)}`;
}
