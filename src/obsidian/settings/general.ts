import {
  ConfirmationModal,
  type Setting,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
  type SettingDefinitionRender,
  type SettingGroupItem,
} from 'obsidian';
import { OPTIONAL_TOOLSETS } from '../../agents/index.js';
import { allWorkspaces } from '../../model/lookup.js';
import { MAX_DEVICE_NAME_LENGTH, toVisibleLine } from '../../model/provenance.js';
import { mirrorFolder } from '../../transfer/mirror-notes.js';
import { act, notify } from '../actions.js';
import { settingsShape } from '../settings-schema.js';
import { text } from '../i18n/index.js';
import { capturePage } from './capture.js';
import { FolderPicker, foldersToExclude, notesBelow } from './folder-picker.js';
import { MIRROR, type SettingsHost } from './host.js';
import { meaningPage } from './meaning.js';
import { MoveModal } from './move-modal.js';
import { outflowPage } from './outflow.js';
import { storagePage } from './storage.js';
import { openModal } from '../ui/modals.js';
import { compareNames } from '../ui/natural-order.js';

/**
 * Settings of the memory: what a device starts with, what is kept and captured, and states as
 * notes. `update` redraws them.
 */
export function memoryDefinitions(host: SettingsHost, update: () => void): SettingDefinitionItem[] {
  const { defaultWorkspace, mirror, mirrorHeading } = text.settings;
  const { headings } = text.pages;
  return [
    {
      type: 'group',
      heading: headings.memory,
      items: [
        {
          name: defaultWorkspace.name,
          desc: defaultWorkspace.desc,
          control: {
            type: 'dropdown',
            key: 'defaultWorkspace',
            options: workspaceOptions(host),
            disabled: () => !isReady(host),
          },
        },
        deviceNameRow(host),
        numberRow(host, 'traceDays'),
        numberRow(host, 'traceMegabytes'),
        capturePage(host, update),
      ],
    },
    {
      type: 'group',
      heading: mirrorHeading,
      items: [
        {
          name: mirror.name,
          desc: mirror.desc(notesFolder(host)),
          control: { type: 'toggle', key: MIRROR },
        },
        { name: mirror.status, searchable: false, render: (setting) => showMirror(host, setting) },
        {
          name: mirror.remove,
          desc: mirror.removeDesc,
          disabled: () => host.mirror.isOn.get(),
          action: () => removeNotes(host),
        },
      ],
    },
  ];
}

/** Settings of the search. `update` redraws them. */
export function searchDefinitions(host: SettingsHost, update: () => void): SettingDefinitionItem[] {
  const { headings } = text.pages;
  return [
    { type: 'group', heading: headings.search, items: [meaningPage(host)] },
    excludedList(host, update),
  ];
}

/** Settings of the storage and privacy, and everything about toolsets. `update` redraws them. */
export function storageDefinitions(host: SettingsHost, update: () => void): SettingDefinitionItem {
  return {
    type: 'group',
    items: [dataFolderRow(host, update), storagePage(host), outflowPage(host), advancedPage(host)],
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

function isReady({ savepoint }: SettingsHost): boolean {
  return savepoint.get()?.memoryStatus.get().phase === 'ready';
}

function dataFolderRow(host: SettingsHost, update: () => void): SettingDefinitionRender {
  const { name, desc, move } = text.settings.dataFolder;
  return {
    name,
    desc,
    render(setting) {
      setting.controlEl.createSpan({
        cls: 'savepoint-setting-value',
        text: host.settings.get().dataFolder,
        attr: { dir: 'auto' },
      });
      setting.addButton((button) =>
        button.setButtonText(move).onClick(() => openModal(new MoveModal(host, update))),
      );
    },
  };
}

/**
 * Returns the workspace names by id, including the selected workspace even if it is archived or
 * unknown.
 */
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

/** Returns a row for the device's name, which is applied when editing ends. */
function deviceNameRow({ customDeviceName, deviceName }: SettingsHost): SettingDefinitionRender {
  const { name, desc, tooLong } = text.settings.deviceName;
  return {
    name,
    desc,
    render(setting) {
      setting.addText(({ inputEl }) => {
        inputEl.setAttrs({ placeholder: deviceName(), dir: 'auto', 'aria-label': name });
        inputEl.value = customDeviceName.get();
        inputEl.addEventListener('change', () => {
          const name = toVisibleLine(inputEl.value);
          const isGood = Array.from(name).length <= MAX_DEVICE_NAME_LENGTH;
          setting.setErrorMessage(isGood ? null : tooLong(MAX_DEVICE_NAME_LENGTH));
          inputEl.setAttr('aria-invalid', String(!isGood));
          if (!isGood) return;
          inputEl.value = name;
          act(() => customDeviceName.set(name === '' ? undefined : name));
        });
      });
    },
  };
}

/**
 * Returns a row for a number, which is applied when editing ends; otherwise every typed digit would
 * set a limit.
 */
function numberRow(
  host: SettingsHost,
  key: 'traceDays' | 'traceMegabytes',
): SettingDefinitionRender {
  const { name, desc } = text.settings[key];
  const { minimum, maximum } = limitsOf(key);
  return {
    name,
    desc,
    render(setting) {
      setting.addText(({ inputEl }) => {
        inputEl.setAttrs({
          type: 'number',
          inputmode: 'numeric',
          min: minimum,
          max: maximum,
          step: 1,
          'aria-label': name,
        });
        inputEl.value = String(host.settings.get()[key]);
        inputEl.addEventListener('change', () => {
          const value = Number(inputEl.value);
          const isGood =
            inputEl.value.trim() !== '' &&
            Number.isInteger(value) &&
            value >= minimum &&
            value <= maximum;
          setting.setErrorMessage(isGood ? null : text.settings.wholeNumber(minimum, maximum));
          inputEl.setAttr('aria-invalid', String(!isGood));
          if (isGood) act(() => host.change({ ...host.settings.get(), [key]: value }));
        });
      });
    },
  };
}

function limitsOf(key: 'traceDays' | 'traceMegabytes'): { minimum: number; maximum: number } {
  const { minValue, maxValue } = settingsShape.shape[key].unwrap().unwrap();
  return { minimum: minValue ?? 0, maximum: maxValue ?? Number.MAX_SAFE_INTEGER };
}

function excludedList(host: SettingsHost, update: () => void): SettingDefinitionItem {
  const { heading, empty, add, isSub, gone } = text.settings.excluded;
  const { excludedFolders } = host.settings.get();
  const change = (folders: readonly string[]) =>
    act(async () => {
      await host.change({ ...host.settings.get(), excludedFolders: [...folders] });
      update();
    });
  return {
    type: 'list',
    heading,
    emptyState: empty,
    items: excludedFolders.map((folder) => {
      const notes = notesBelow(host.app, folder);
      return { name: folder, desc: notes === undefined ? gone : isSub(notes), searchable: false };
    }),
    onDelete: (index) => change(excludedFolders.filter((_, other) => other !== index)),
    addItem: {
      name: add,
      action: () =>
        openModal(
          new FolderPicker(host.app, foldersToExclude(host.app, host.settings.get()), (folder) =>
            change([...host.settings.get().excludedFolders, folder]),
          ),
        ),
    },
  };
}

/** One row per toolset that can be switched. */
function toolsetRows(host: SettingsHost): SettingGroupItem[] {
  const { about, aboutDesc, where } = text.settings.toolsets;
  const rows = Object.entries(OPTIONAL_TOOLSETS).map(
    ([key, { description, tools }]): SettingGroupItem => ({
      name: description,
      desc: tools.map(({ title }) => title).join(' · '),
      render(setting) {
        setting.addDropdown((dropdown) => {
          const isOn = host.settings.get().toolsetSwitches[key];
          dropdown.addOptions(where).setValue(isOn === undefined ? 'usual' : isOn ? 'on' : 'off');
          dropdown.selectEl.setAttr('aria-label', description);
          dropdown.onChange((value) => {
            const { [key]: _, ...others } = host.settings.get().toolsetSwitches;
            const toolsetSwitches =
              value === 'usual' ? others : { ...others, [key]: value === 'on' };
            act(() => host.change({ ...host.settings.get(), toolsetSwitches }));
          });
        });
      },
    }),
  );
  return [{ name: about, desc: aboutDesc, searchable: false }, ...rows];
}

function notesFolder({ settings }: SettingsHost): string {
  return mirrorFolder(settings.get().dataFolder);
}

/** Shows the mirror's status. */
function showMirror(host: SettingsHost, setting: Setting): () => void {
  const { off, waiting, writing, done, skipped, leftAlone } = text.settings.mirror;
  setting.descEl.setAttr('role', 'status');
  const show = () => {
    const status = host.mirror.status.get();
    setting.setErrorMessage(status.phase === 'failed' ? status.error : null);
    const shown = {
      off: () => off,
      waiting: () => waiting,
      writing: () => writing,
      failed: () => '',
      done: () =>
        status.phase === 'done'
          ? [
              done(status.notes, notesFolder(host)),
              ...(status.skipped > 0 ? [skipped(status.skipped)] : []),
              ...(status.leftAlone > 0 ? [leftAlone(status.leftAlone)] : []),
            ].join(' ')
          : '',
    }[status.phase]();
    setting.setDesc(shown);
  };
  show();
  return host.mirror.status.subscribe(show);
}

function removeNotes(host: SettingsHost): void {
  const { remove, removeQuestion, removed } = text.settings.mirror;
  const modal = new ConfirmationModal(host.app);
  modal.setTitle(remove).setContent(removeQuestion(notesFolder(host)));
  modal.addButton((button) =>
    button
      .setButtonText(remove)
      .setDestructive()
      .onClick(() => act(async () => notify(removed(await host.mirror.clear())))),
  );
  openModal(modal.addCancelButton());
}
