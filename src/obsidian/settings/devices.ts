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
import { addTable } from '../ui/elements.js';
import { openModal } from '../ui/modals.js';
import type { SettingsHost } from './host.js';
import { addNote } from './rows.js';

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
  const { name: title, empty, columns, unnamed, thisOne, alone } = text.settings.storage.devices;
  if (found.length === 0) return addNote(box, empty);
  const body = addTable(box, title, [columns.device, columns.events, columns.last]);
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
  if (found.every(({ device }) => device === own)) addNote(box, alone);
}

/** Lists the devices that have written here, and lets the user confirm those that are theirs. */
export function openDevices(savepoint: Savepoint): void {
  const { devices: texts, reading } = text.settings.storage;
  const { confirm, withdraw } = texts;
  const { services, deviceStore, clock } = savepoint;
  const modal = new Modal(savepoint.app).setTitle(texts.name);
  const { contentEl, modalEl } = modal;
  modalEl.addClass('savepoint-devices');
  contentEl.createEl('p', { text: reading, attr: { role: 'status' } });

  async function show(): Promise<void> {
    const devices = await readDevices(services.files, services.dataFolder, {
      known: await deviceStore.load(),
      scheduler: new Scheduler(clock, yieldToHost),
    });
    contentEl.empty();
    contentEl.createEl('p', { text: devices.length === 0 ? texts.empty : texts.intro });
    for (const device of devices.slice(0, MAX_SHOWN_DEVICES)) addRow(device, devices);
    const hidden = devices.length - MAX_SHOWN_DEVICES;
    if (hidden > 0) contentEl.createEl('p', { text: texts.more(hidden) });
  }

  function addRow(device: DeviceActivity, devices: readonly DeviceActivity[]): void {
    const name = device.device === '' ? texts.unnamed : device.device;
    const canConfirm = isConfirmable(device, devices);
    const isNamesake = device.device !== '' && device.trust === 'unknown' && !canConfirm;
    const description = [...descriptionOf(device), ...(isNamesake ? [texts.namesake] : [])];
    const row = new Setting(contentEl).setName(name).setDesc(description.join(' · '));
    row.nameEl.setAttr('dir', 'auto');
    const add = (label: string, change: () => Promise<void>) =>
      row.addButton((button) => {
        button.setButtonText(label).onClick(() => act(() => apply(name, change)));
        button.buttonEl.setAttr('aria-label', `${label}: ${name}`);
      });
    if (canConfirm) add(confirm, () => confirmDevice(deviceStore, device, clock.now()));
    if (device.trust === 'confirmed') add(withdraw, () => withdrawDevice(deviceStore, name));
  }

  /** Changes what is stored about a device, and keeps the focus in its row. */
  async function apply(name: string, change: () => Promise<void>): Promise<void> {
    for (const button of contentEl.querySelectorAll('button')) button.disabled = true;
    try {
      await change();
    } finally {
      await show();
      const labels = [confirm, withdraw].map((label) => `${label}: ${name}`);
      const buttons = [...contentEl.querySelectorAll('button')];
      const own = buttons.find((button) => labels.includes(button.getAttr('aria-label') ?? ''));
      (own ?? modalEl).focus();
    }
  }

  openModal(modal);
  act(show);
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
