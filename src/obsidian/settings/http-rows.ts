import { Setting, type SettingGroupItem } from 'obsidian';
import { act, copyText, notify } from '../actions.js';
import { faultText } from '../host/logger.js';
import { clientName } from '../clients/approvals/approval-texts.js';
import { MAX_PORT, type HttpAccess, type HttpClient } from '../clients/http-access.js';
import { text } from '../i18n/index.js';
import { follow, stopAll } from '../store.js';
import { addNumber, addToggle, type LiveValue } from '../ui/forms/live-controls.js';
import { addNote, boxBelow, drawnRow, offer } from './rows.js';

/** Returns the rows for this device's HTTP access: its switch, port and tokens. */
export function httpRows(http: HttpAccess): SettingGroupItem[] {
  const { toggle, port, tokens } = text.connections.settings.http;
  return [
    drawnRow(toggle, (setting) => showToggle(http, setting)),
    drawnRow(port, (setting) => showPort(http, setting)),
    { ...drawnRow(tokens, (setting) => showTokens(http, setting)), searchable: false },
  ];
}

/** The switch, with the address or the error below it. */
function showToggle(http: HttpAccess, setting: Setting): () => void {
  const { toggle, at, opening, copyUrl, urlCopied } = text.connections.settings.http;
  const isOn: LiveValue<boolean> = {
    get: () => http.choice.get().isOn,
    set: (chosen) => http.choose({ ...http.choice.get(), isOn: chosen }),
    follow: (show) => follow([http.choice], show),
  };
  const box = boxBelow(setting);
  const show = () => {
    const state = http.state.get();
    box.empty();
    setting.setErrorMessage(state.phase === 'failed' ? state.error : null);
    if (state.phase === 'opening') addNote(box, opening);
    if (state.phase !== 'on') return;
    const row = new Setting(box).setName(at).setDesc(state.url);
    offer(row, copyUrl, () => act(() => copyText(state.url, urlCopied)));
  };
  return stopAll(addToggle(setting, toggle.name, isOn), follow([http.state], show));
}

function showPort(http: HttpAccess, setting: Setting): () => void {
  const { name } = text.connections.settings.http.port;
  return addNumber(setting, name, [0, MAX_PORT], {
    get: () => http.choice.get().port,
    set: (port) => http.choose({ ...http.choice.get(), port }),
    follow: (show) => follow([http.choice], show),
  });
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
    offer(setting, add, () =>
      act(async () => {
        await http.renew(typed);
        control.setValue('');
        typed = '';
        await fill();
      }),
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
  addButton(copy, () => act(() => copyText(token, copied(client))));
  addButton(renew, () => after(http.renew(client).then(() => renewed(client))));
  addButton(remove, () => after(http.remove(client).then(() => removed(client))));
}
