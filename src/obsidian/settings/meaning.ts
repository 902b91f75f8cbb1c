import type { Setting, SettingDefinitionPage } from 'obsidian';
import type { RemoteEmbeddingsStatus } from '../../indexing/notes/remote-embeddings.js';
import { act } from '../actions.js';
import { faultText } from '../host/logger.js';
import { Refusal } from '../../model/refusal.js';
import { EMBEDDING_PROTOCOLS } from '../../search/vectors/embedding-server.js';
import type { RemoteEmbedderConfig } from '../models/remote-embedder.js';
import { text } from '../i18n/index.js';
import type { SettingsHost } from './host.js';

/** Settings of the user's own embedding model, with its cost and progress. */
export function meaningPage({ ownModel, savepoint }: SettingsHost): SettingDefinitionPage {
  const { name, desc, about, aboutDesc, protocol, address, model, key, test, status } =
    text.meaning;
  const addressError = (given: string) =>
    /^https?:\/\/[^\s/]+/i.test(given) ? null : text.meaning.badAddress;
  return {
    type: 'page',
    name,
    desc,
    displayValue: () => (ownModel.settings.get().isOn ? ownModel.settings.get().model : ''),
    items: [
      { name: about, desc: aboutDesc, searchable: false },
      { ...protocol, render: (setting) => addProtocol(ownModel, setting) },
      {
        ...address,
        render: (setting) => addText(setting, address.name, ownModel, 'address', addressError),
      },
      {
        ...model,
        render: (setting) => addText(setting, model.name, ownModel, 'model', () => null),
      },
      { ...key, render: (setting) => addKey(ownModel, setting) },
      { name: test.name, desc: test.desc, render: (setting) => addTest(ownModel, setting) },
      {
        name: status.name,
        searchable: false,
        render: (setting) =>
          showStatus(ownModel, setting, (listener) =>
            savepoint.get()?.services.search.onProgress(listener),
          ),
      },
    ],
  };
}

function addProtocol(ownModel: RemoteEmbedderConfig, setting: Setting): void {
  setting.addDropdown((dropdown) => {
    dropdown.addOptions(text.meaning.protocols).setValue(ownModel.settings.get().protocol);
    dropdown.selectEl.setAttr('aria-label', text.meaning.protocol.name);
    dropdown.onChange((value) => {
      const protocol = EMBEDDING_PROTOCOLS.find((each) => each === value);
      if (protocol) ownModel.change({ protocol, isOn: false });
    });
  });
}

/**
 * Adds a text field. A changed value turns the model off until the user starts it again, because
 * the cost may change.
 */
function addText(
  setting: Setting,
  label: string,
  ownModel: RemoteEmbedderConfig,
  field: 'address' | 'model',
  errorOf: (given: string) => string | null,
): void {
  setting.addText(({ inputEl }) => {
    inputEl.setAttrs({ dir: 'ltr', spellcheck: 'false', 'aria-label': label });
    inputEl.value = ownModel.settings.get()[field];
    inputEl.addEventListener('change', () => {
      const given = inputEl.value.trim();
      const error = errorOf(given);
      setting.setErrorMessage(error);
      inputEl.setAttr('aria-invalid', String(error !== null));
      if (error === null) ownModel.change({ [field]: given, isOn: false });
    });
  });
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
  const { desc, button: label, works } = text.meaning.test;
  setting.descEl.setAttr('role', 'status');
  setting.addButton((button) =>
    button.setButtonText(label).onClick(async () => {
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
  follow: (listener: () => void) => (() => void) | undefined,
): () => void {
  const { noModel, count, begin, stop, ahead } = text.meaning.status;
  let counted = '';
  setting.descEl.setAttr('role', 'status');
  const show = () => {
    const status = ownModel.embeddings.get()?.status();
    setting.setErrorMessage(status?.phase === 'failed' ? (status.error ?? null) : null);
    setting.setDesc(status ? [wordsOf(status), counted].filter(Boolean).join(' ') : noModel);
    setting.controlEl.empty();
    if (!status) return;
    if (status.phase !== 'stopped') {
      setting.addButton((button) => button.setButtonText(stop).onClick(() => turn(false)));
      return;
    }
    setting.addButton((button) =>
      button.setButtonText(count).onClick(() =>
        act(async () => {
          const amount = await ownModel.embeddings.get()?.estimate();
          if (amount) counted = ahead(amount.notes, amount.texts, amount.tokens);
          show();
        }),
      ),
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
  show();
  const ends = [
    ownModel.embeddings.subscribe(show),
    ownModel.settings.subscribe(show),
    follow(show),
  ];
  return () => ends.forEach((end) => end?.());
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
