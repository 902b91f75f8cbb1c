import { Modal, Setting } from 'obsidian';
import { Scheduler } from '../../platform/scheduler.js';
import {
  confirmDevice,
  isConfirmable,
  readDevices,
  withdrawDevice,
  type DeviceActivity,
} from '../../storage/index.js';
import { act } from '../actions.js';
import { yieldToHost } from '../host/browser-ports.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { dayText, exactDate, relativeDate } from '../ui/dates.js';
import type { SettingsHost } from './host.js';

const MAX_SHOWN_DEVICES = 20;

/** Returns the devices that have saved workspaces and states. */
export function devicesOf({ services, clock }: Savepoint): Promise<DeviceActivity[]> {
  const scheduler = new Scheduler(clock, yieldToHost);
  return readDevices(services.files, services.dataFolder, { lanes: ['core'], scheduler });
}

/** Shows which device has saved how much, and when. */
export function showDevices(
  { deviceName, savepoint }: SettingsHost,
  box: HTMLElement,
  found: readonly DeviceActivity[],
): void {
  const { empty, columns, unnamed, thisOne, alone } = text.settings.storage.devices;
  if (found.length === 0) return void box.createDiv({ cls: 'savepoint-setting-note', text: empty });
  const frame = box.createDiv({
    cls: 'savepoint-writers',
    attr: { tabindex: '0', role: 'region', 'aria-label': text.settings.storage.devices.name },
  });
  const table = frame.createEl('table');
  const head = table.createEl('thead').createEl('tr');
  for (const column of [columns.device, columns.events, columns.last])
    head.createEl('th', { text: column, attr: { scope: 'col' } });
  const body = table.createEl('tbody');
  const own = deviceName();
  for (const { device, states, others, lastAt } of found) {
    const row = body.createEl('tr');
    const name = device === '' ? unnamed : device;
    row.createEl('td', { text: device === own ? thisOne(name) : name, attr: { dir: 'auto' } });
    row.createEl('td', { text: (states + others).toLocaleString(text.locale) });
    const now = savepoint.get()?.clock.now() ?? Date.parse(lastAt);
    row.createEl('td', {
      text: relativeDate(lastAt, now, text.locale),
      attr: { title: exactDate(lastAt, text.locale) },
    });
  }
  if (found.every(({ device }) => device === own))
    box.createDiv({ cls: 'savepoint-setting-note', text: alone });
}

/** Lists the devices that have written here, and lets the user confirm those that are theirs. */
export class DevicesModal extends Modal {
  readonly #savepoint: Savepoint;

  constructor(savepoint: Savepoint) {
    super(savepoint.app);
    this.#savepoint = savepoint;
  }

  override onOpen(): void {
    const { devices, reading } = text.settings.storage;
    this.setTitle(devices.name);
    this.modalEl.addClass('savepoint-devices');
    this.contentEl.createEl('p', { text: reading, attr: { role: 'status' } });
    act(() => this.#show());
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  async #show(): Promise<void> {
    const { empty, intro, more } = text.settings.storage.devices;
    const { services, deviceStore, clock } = this.#savepoint;
    const devices = await readDevices(services.files, services.dataFolder, {
      known: await deviceStore.load(),
      scheduler: new Scheduler(clock, yieldToHost),
    });
    this.contentEl.empty();
    this.contentEl.createEl('p', { text: devices.length === 0 ? empty : intro });
    for (const device of devices.slice(0, MAX_SHOWN_DEVICES)) this.#addRow(device, devices);
    const hidden = devices.length - MAX_SHOWN_DEVICES;
    if (hidden > 0) this.contentEl.createEl('p', { text: more(hidden) });
  }

  #addRow(device: DeviceActivity, devices: readonly DeviceActivity[]): void {
    const { unnamed, confirm, withdraw, namesake } = text.settings.storage.devices;
    const name = device.device === '' ? unnamed : device.device;
    const canConfirm = isConfirmable(device, devices);
    const isNamesake = device.device !== '' && device.trust === 'unknown' && !canConfirm;
    const description = [...descriptionOf(device), ...(isNamesake ? [namesake] : [])].join(' · ');
    const row = new Setting(this.contentEl).setName(name).setDesc(description);
    row.nameEl.setAttr('dir', 'auto');
    const add = (label: string, change: () => Promise<void>) =>
      row.addButton((button) => {
        button.setButtonText(label).onClick(() => act(() => this.#change(name, change)));
        button.buttonEl.setAttr('aria-label', `${label}: ${name}`);
      });
    const { deviceStore, clock } = this.#savepoint;
    if (canConfirm) add(confirm, () => confirmDevice(deviceStore, device, clock.now()));
    if (device.trust === 'confirmed') add(withdraw, () => withdrawDevice(deviceStore, name));
  }

  /** Changes what is stored about a device, and keeps the focus in its row. */
  async #change(name: string, change: () => Promise<void>): Promise<void> {
    for (const button of this.contentEl.querySelectorAll('button')) button.disabled = true;
    try {
      await change();
    } finally {
      await this.#show();
      const { confirm, withdraw } = text.settings.storage.devices;
      const labels = [confirm, withdraw].map((label) => `${label}: ${name}`);
      const buttons = [...this.contentEl.querySelectorAll('button')];
      const own = buttons.find((button) => labels.includes(button.getAttr('aria-label') ?? ''));
      (own ?? this.modalEl).focus();
    }
  }
}

function descriptionOf({ trust, unknown, ...lines }: DeviceActivity): string[] {
  const { trusts, counts, newWriters } = text.settings.storage.devices;
  const days = [lines.firstAt, lines.lastAt].map((at) => dayText(at, text.locale));
  return [
    trusts[trust],
    ...(trust === 'confirmed' && unknown.size > 0 ? [newWriters(unknown.size)] : []),
    [...new Set(days)].join(' – '),
    counts(lines.states, lines.others),
  ];
}
