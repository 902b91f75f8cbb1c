import {
  type Setting,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
  type SettingDefinitionRender,
  type SettingGroupItem,
} from 'obsidian';
import { allWorkspaces } from '../../model/lookup.js';
import { MAX_DEVICE_NAME_LENGTH, toVisibleLine } from '../../model/states/provenance.js';
import { act } from '../actions.js';
import { NUMBER_SETTINGS, type NumberSetting } from '../settings-schema.js';
import { text } from '../i18n/index.js';
import { follow, followInside, stopAll } from '../store.js';
import {
  addDropdown,
  addField,
  addNumber,
  settingValue,
  type LiveValue,
} from '../ui/forms/live-controls.js';
import { capturePage } from './capture.js';
import { FolderPicker, foldersToExclude, notesBelow } from './folder-picker.js';
import type { SettingsHost } from './host.js';
import { meaningPage } from './meaning.js';
import { mirrorGroup } from './mirror.js';
import { openMove } from './move-modal.js';
import { outflowPage } from './outflow.js';
import { drawnRow, offer } from './rows.js';
import { storagePage } from './storage.js';
import { openModal } from '../ui/modals.js';
import { compareNames } from '../ui/natural-order.js';

/** Settings of the memory: first workspace, what is kept and captured, and states as notes. */
export function memoryDefinitions(host: SettingsHost): SettingDefinitionItem[] {
  const { defaultWorkspace } = text.settings;
  const { headings } = text.pages;
  return [
    {
      type: 'group',
      heading: headings.memory,
      items: [
        drawnRow(defaultWorkspace, (setting) => addDefaultWorkspace(host, setting)),
        deviceNameRow(host),
        numberRow(host, 'traceDays'),
        numberRow(host, 'traceMegabytes'),
        capturePage(host),
      ],
    },
    mirrorGroup(host),
  ];
}

export function searchDefinitions(host: SettingsHost): SettingDefinitionItem[] {
  const { headings } = text.pages;
  return [
    { type: 'group', heading: headings.search, items: [meaningPage(host)] },
    excludedList(host),
  ];
}

/** Settings of the storage and privacy, and everything about toolsets. */
export function storageDefinitions(host: SettingsHost): SettingDefinitionItem {
  return {
    type: 'group',
    items: [dataFolderRow(host), storagePage(host), outflowPage(host), advancedPage(host)],
  };
}

function advancedPage(host: SettingsHost): SettingDefinitionPage {
  const { toolsets } = text.settings;
  const { advanced } = text.pages;
  return {
    type: 'page',
    name: advanced.name,
    desc: advanced.desc,
    items: [{ type: 'group', heading: toolsets.heading, items: toolsetRows(host) }],
  };
}

function dataFolderRow(host: SettingsHost): SettingDefinitionRender {
  return drawnRow(text.settings.dataFolder, (setting) => {
    const valueEl = setting.controlEl.createSpan({
      cls: 'savepoint-setting-value',
      attr: { dir: 'auto' },
    });
    offer(setting, text.settings.dataFolder.move, () => openMove(host));
    return follow([host.settings], () => valueEl.setText(host.settings.get().dataFolder));
  });
}

/** Returns workspace names by id, with the selected one even if archived or unknown. */
function workspaceOptions({ savepoint, settings }: SettingsHost): Record<string, string> {
  const { archived, unknown } = text.settings.defaultWorkspace;
  const memory = savepoint.get()?.memory.get();
  const own = settings.get().defaultWorkspace;
  const workspaces = memory ? allWorkspaces(memory) : [];
  const offered = workspaces
    .filter(({ item }) => !item.isArchived || item.id === own)
    .sort((a, b) => compareNames(a.displayName, b.displayName));
  const options = offered.map(({ item, displayName }): [string, string] => [
    item.id,
    item.isArchived ? archived(displayName) : displayName,
  ]);
  const isThere = offered.some(({ item }) => item.id === own);
  return Object.fromEntries([...options, ...(isThere ? [] : [[own, unknown(own)] as const])]);
}

/** The workspace that a device starts in, which can be chosen once the memory has been read. */
function addDefaultWorkspace(host: SettingsHost, setting: Setting): () => void {
  const value: LiveValue<string> = {
    ...settingValue(host, 'defaultWorkspace'),
    follow: (show) =>
      stopAll(
        follow([host.settings], show),
        followInside(host.savepoint, ({ memory }) => [memory], show),
      ),
  };
  const { name } = text.settings.defaultWorkspace;
  return stopAll(
    addDropdown(setting, name, value, () => workspaceOptions(host)),
    followInside(
      host.savepoint,
      ({ memoryStatus }) => [memoryStatus],
      () => {
        const { phase } = host.savepoint.get()?.memoryStatus.get() ?? {};
        setting.setDisabled(phase !== 'ready');
      },
    ),
  );
}

function deviceNameRow({ customDeviceName, deviceName }: SettingsHost): SettingDefinitionRender {
  const { name, tooLong } = text.settings.deviceName;
  const value: LiveValue<string> = {
    get: () => customDeviceName.get(),
    set: (typed) => customDeviceName.set(toVisibleLine(typed) || undefined),
    follow: (show) => follow([], show),
  };
  const problemOf = (typed: string) =>
    Array.from(toVisibleLine(typed)).length <= MAX_DEVICE_NAME_LENGTH
      ? null
      : tooLong(MAX_DEVICE_NAME_LENGTH);
  return drawnRow(text.settings.deviceName, (setting) => {
    const attributes = { placeholder: deviceName(), dir: 'auto', 'aria-label': name };
    return addField(setting, attributes, value, problemOf);
  });
}

export function numberRow(host: SettingsHost, key: NumberSetting): SettingDefinitionRender {
  const texts = text.settings[key];
  const { min, max } = NUMBER_SETTINGS[key];
  const value = settingValue(host, key);
  return drawnRow(texts, (setting) => {
    const stop = addNumber(setting, texts.name, [min, max], value);
    if ('unit' in texts)
      setting.controlEl.createSpan({ cls: 'savepoint-setting-value', text: texts.unit });
    return stop;
  });
}

function excludedList(host: SettingsHost): SettingDefinitionItem {
  const { heading, empty, isSub, gone } = text.settings.excluded;
  const { excludedFolders } = host.settings.get();
  const change = (folders: readonly string[]) =>
    act(() => host.change({ ...host.settings.get(), excludedFolders: [...folders] }));
  return {
    type: 'list',
    heading,
    emptyState: empty,
    items: excludedFolders.map((folder) => ({
      name: folder === '' ? text.memoryView.wholeVault : folder,
      searchable: false,
      render(setting) {
        if (folder === '') return void setting.setDesc(text.pages.excludedVault);
        const notes = notesBelow(host.app, folder);
        setting.setDesc(notes === undefined ? gone : isSub(notes));
      },
    })),
    onDelete: (index) => change(excludedFolders.filter((_, other) => other !== index)),
    addItem: {
      name: text.capture.settings.excluded.form.title,
      action: () =>
        openModal(
          new FolderPicker(host.app, foldersToExclude(host.app, host.settings.get()), (folder) =>
            change([...host.settings.get().excludedFolders, folder]),
          ),
        ),
    },
  };
}

/** One row per toolset that can be switched, once the memory is open. */
function toolsetRows(host: SettingsHost): SettingGroupItem[] {
  const { about, aboutDesc, where } = text.settings.toolsets;
  const switches = settingValue(host, 'toolsetSwitches');
  const all = host.savepoint.get()?.toolkit.toolsets ?? [];
  const optional = all.flatMap(({ switchName, ...toolset }) =>
    switchName === undefined ? [] : [[switchName, toolset] as const],
  );
  const rows = optional.map(([key, { description, tools }]): SettingGroupItem => ({
    name: description,
    desc: tools.map(({ title }) => title).join(' · '),
    render: (setting) =>
      addDropdown(
        setting,
        description,
        {
          ...switches,
          get() {
            const isOn = switches.get()[key];
            return isOn === undefined ? 'usual' : isOn ? 'on' : 'off';
          },
          set(value) {
            const { [key]: _, ...others } = switches.get();
            return switches.set(value === 'usual' ? others : { ...others, [key]: value === 'on' });
          },
        },
        () => where,
      ),
  }));
  return [{ name: about, desc: aboutDesc, searchable: false }, ...rows];
}
