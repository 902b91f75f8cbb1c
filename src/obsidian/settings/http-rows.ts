import { Setting, type SettingGroupItem } from 'obsidian';
import { act, copyText, notify } from '../actions.js';
import { faultText } from '../host/logger.js';
import { clientName } from '../clients/approvals/approval-texts.js';
import { isPort, type HttpAccess, type HttpClient } from '../clients/http-access.js';
import { text } from '../i18n/index.js';
import { follow } from '../store.js';
import { addField, addToggle } from '../ui/forms/live-controls.js';

/** Returns the rows for this device's HTTP access: its switch, port and tokens. */
export function httpRows(http: HttpAccess): SettingGroupItem[] {
  const { toggle, port, tokens } = text.connections.settings.http;
  return [
    { name: toggle.name, desc: toggle.desc, render: (setting) => showToggle(http, setting) },
    { name: port.name, desc: port.desc, render: (setting) => showPort(http, setting) },
    {
      name: tokens.name,
      desc: tokens.desc,
      searchable: false,
      render: (setting) => showTokens(http, setting),
    },
  ];
}

/** The switch, with the address or the error below it. */
function showToggle(http: HttpAccess, setting: Setting): () => void {
  const { toggle, at, opening, copyUrl, urlCopied } = text.connections.settings.http;
  setting.setClass('savepoint-setting-tall');
  const stopValue = addToggle(setting, toggle.name, {
    get: () => http.choice.get().isOn,
    set: (isOn) => http.choose({ ...http.choice.get(), isOn }),
    follow: (show) => follow([http.choice], show),
  });
  const box = setting.settingEl.createDiv({
    cls: 'savepoint-setting-box',
    attr: { role: 'status' },
  });
  const show = () => {
    const state = http.state.get();
    box.empty();
    setting.setErrorMessage(state.phase === 'failed' ? state.error : null);
    if (state.phase === 'opening') box.createDiv({ cls: 'savepoint-setting-note', text: opening });
    if (state.phase !== 'on') return;
    const row = new Setting(box).setName(at).setDesc(state.url);
    row.addButton((button) =>
      button.setButtonText(copyUrl).onClick(() =>
        act(async () => {
          await copyText(state.url);
          notify(urlCopied);
        }),
      ),
    );
  };
  const stop = follow([http.state], show);
  return () => {
    stop();
    stopValue();
  };
}

function showPort(http: HttpAccess, setting: Setting): () => void {
  const { name, wrong } = text.connections.settings.http.port;
  return addField(
    setting,
    {
      type: 'number',
      inputmode: 'numeric',
      min: 0,
      max: 65_535,
      step: 1,
      'aria-label': name,
    },
    {
      get: () => String(http.choice.get().port),
      set: (typed) => http.choose({ ...http.choice.get(), port: Number(typed) }),
      follow: (show) => follow([http.choice], show),
    },
    (typed) => (isPort(typed.trim() === '' ? NaN : Number(typed)) ? null : wrong),
  );
}

/** One row per client with a token, and a field to add one. */
function showTokens(http: HttpAccess, setting: Setting): () => void {
  const { add, newName } = text.connections.settings.http.tokens;
  setting.setClass('savepoint-setting-tall');
  const box = setting.settingEl.createDiv({ cls: 'savepoint-setting-box' });
  let isGone = false;
  let typed = '';
  const fill = async () => {
    const clients = await http.list().catch((error: unknown) => faultText(error));
    if (isGone) return;
    box.empty();
    if (typeof clients === 'string')
      box.createDiv({ cls: 'savepoint-setting-note mod-error', text: clients });
    else
      for (const client of clients)
        showClient(http, box, client, (change) =>
          act(async () => notify(await change.finally(fill))),
        );
  };
  setting.addText((control) => {
    control.inputEl.setAttrs({ 'aria-label': newName, spellcheck: 'false', autocomplete: 'off' });
    control
      .setPlaceholder(newName)
      .onChange((value) => (typed = value.trim().replace(/\s+/gu, '-')));
    setting.addButton((button) =>
      button.setButtonText(add).onClick(() =>
        act(async () => {
          await http.renew(typed);
          control.setValue('');
          typed = '';
          await fill();
        }),
      ),
    );
  });
  void fill();
  return () => (isGone = true);
}

function showClient(
  http: HttpAccess,
  box: HTMLElement,
  { client, token }: HttpClient,
  after: (change: Promise<string>) => void,
): void {
  const { hidden, show, copy, renew, remove, copied, renewed, removed } =
    text.connections.settings.http.tokens;
  const row = new Setting(box).setName(clientName(client)).setDesc(hidden);
  row.nameEl.setAttr('dir', 'auto');
  const addButton = (
    label: { readonly button: string; of: (client: string) => string },
    press: () => void,
  ) =>
    row.addButton((button) => {
      button.buttonEl.setAttr('aria-label', label.of(client));
      button.setButtonText(label.button).onClick(press);
    });
  addButton(show, () => {
    row.descEl.empty();
    row.descEl.createEl('code', { cls: 'savepoint-token', text: token });
  });
  addButton(copy, () =>
    act(async () => {
      await copyText(token);
      notify(copied(client));
    }),
  );
  addButton(renew, () => after(http.renew(client).then(() => renewed(client))));
  addButton(remove, () => after(http.remove(client).then(() => removed(client))));
}
