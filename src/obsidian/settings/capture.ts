import {
  type SettingDefinitionItem,
  type SettingDefinitionRender,
  type SettingGroupItem,
} from 'obsidian';
import { currentBrief } from '../../agents/shared/current-brief.js';
import {
  isPaused,
  tellLevel,
  type CaptureLevel,
  type ProjectLink,
  type TellLevel,
} from '../../capture/consent.js';
import { DEFAULT_BRIEF_TOKENS } from '../../brief/brief.js';
import { estimateTokens } from '../../model/text/estimate-tokens.js';
import { act, noticeWithButtons, notify } from '../actions.js';
import { openExcludeFolder, openLinkProject } from '../checkpoints/project-forms.js';
import { faultText } from '../host/logger.js';
import { setPaused, setVaultExcluded, type DeviceCapture } from '../checkpoints/device-capture.js';
import type { Connections } from '../clients/connections.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { timeOfDay } from '../ui/dates.js';
import { follow, stopAll } from '../store.js';
import { addDropdown } from '../ui/forms/live-controls.js';
import type { SettingsHost } from './host.js';
import type { PartsPage } from './redraw.js';
import { boxBelow, drawnRow, toggleRow, type RowTexts } from './rows.js';

/** Settings of what this device captures, and what the memory costs a model. */
export function capturePage(host: SettingsHost): PartsPage {
  const { name, desc } = text.capture.settings;
  const capture = host.chat.get()?.capture;
  return {
    type: 'page',
    name,
    desc,
    parts: [capture, host.savepoint.get(), host.connections.get()],
    items: capture
      ? captureItems(host, capture)
      : [{ name: text.commands.notOpen, searchable: false }],
  };
}

function captureItems(host: SettingsHost, capture: DeviceCapture): SettingDefinitionItem[] {
  const { projects, excluded } = text.capture.settings;
  const { links, excludedFolders } = capture.settings.get();
  const own = links.filter((link) => link.vault === capture.vault);
  const others = excludedFolders.filter((folder) => folder !== capture.vault);
  const desktop: SettingDefinitionItem[] = [
    {
      type: 'list',
      heading: projects.heading,
      emptyState: projects.none,
      items: own.map((link) => projectRow(capture, link)),
      onDelete: (index) => act(() => unlink(capture, own[index]!)),
      addItem: {
        name: projects.form.title,
        action: () => withMemory(host, (opened) => openLinkProject(opened, capture)),
      },
    },
    {
      type: 'list',
      heading: excluded.heading,
      emptyState: excluded.none,
      items: others.map((folder) => ({ name: folder, searchable: false })),
      onDelete: (index) =>
        act(() =>
          capture.update((settings) => ({
            ...settings,
            excludedFolders: settings.excludedFolders.filter((each) => each !== others[index]),
          })),
        ),
      addItem: {
        name: excluded.form.title,
        action: () => withMemory(host, (opened) => openExcludeFolder(opened, capture)),
      },
    },
  ];
  return [
    vaultRow(capture),
    pauseRow(host, capture),
    ...(capture.projects ? desktop : []),
    { type: 'group', heading: text.capture.settings.cost.heading, items: costRows(host) },
  ];
}

function withMemory({ savepoint }: SettingsHost, open: (opened: Savepoint) => void): void {
  const opened = savepoint.get();
  if (opened) open(opened);
  else notify(text.commands.notOpen);
}

async function unlink(capture: DeviceCapture, link: ProjectLink): Promise<void> {
  await capture.projects?.unlink(link);
  noticeWithButtons(text.capture.settings.projects.unlinked(link.folder), [
    {
      label: text.general.undo,
      run: () => capture.update((settings) => ({ ...settings, links: [...settings.links, link] })),
    },
  ]);
}

function vaultRow(capture: DeviceCapture): SettingDefinitionRender {
  return toggleRow(text.capture.settings.vault, {
    get: () => !capture.settings.get().excludedFolders.includes(capture.vault),
    set: (isOn) => setVaultExcluded(capture, !isOn),
    follow: (show) => follow([capture.settings], show),
  });
}

function pauseRow({ savepoint }: SettingsHost, capture: DeviceCapture): SettingDefinitionRender {
  const { pause } = text.capture.settings;
  return drawnRow(pause, (setting) => {
    const now = () => savepoint.get()?.clock.now() ?? 0;
    let stop = () => {};
    setting.addButton((button) => {
      button.onClick(() =>
        act(() => setPaused(capture, !isPaused(capture.settings.get(), now()), now())),
      );
      stop = follow([capture.settings], () => {
        const settings = capture.settings.get();
        const isPausing = isPaused(settings, now());
        button.setButtonText(isPausing ? text.general.resume : pause.name);
        const until = timeOfDay(settings.pausedUntil ?? '1970-01-01T00:00:00Z', text.locale);
        setting.setDesc(isPausing ? pause.until(until) : pause.desc);
      });
    });
    return stop;
  });
}

function projectRow(capture: DeviceCapture, link: ProjectLink): SettingDefinitionRender {
  const { captured, levels, told, tellLevels, toolHooks } = text.capture.settings.projects;
  const stored = () =>
    capture.settings.get().links.find(({ project }) => project === link.project) ?? link;
  const followed = (show: () => void) => follow([capture.settings], show);
  const level = {
    get: () => stored().capture,
    set: (chosen: CaptureLevel) =>
      capture.update((settings) => ({
        ...settings,
        links: settings.links.map((each) =>
          each.project === link.project ? { ...each, capture: chosen } : each,
        ),
      })),
    follow: followed,
  };
  const tell = {
    get: () => tellLevel(stored()),
    async set(chosen: TellLevel) {
      await capture.projects?.setTold(link, chosen);
      if (chosen === 'all') notify(toolHooks);
    },
    follow: followed,
  };
  return {
    name: link.folder,
    desc: link.workspaceName,
    searchable: false,
    render: (setting) =>
      stopAll(
        addDropdown(setting, captured(link.folder), level, () => levels),
        addDropdown(setting, told(link.folder), tell, () => tellLevels),
      ),
  };
}

/** Returns rows with the sizes of a brief and of each app's tools, computed when shown. */
function costRows(host: SettingsHost): SettingGroupItem[] {
  const { brief, apps } = text.capture.settings.cost;
  const connections = host.connections.get();
  return [
    ...(connections ? [costRow(apps, () => appCosts(host, connections))] : []),
    costRow(brief, () => briefCost(host.savepoint.get())),
  ];
}

function costRow(texts: RowTexts, read: () => Promise<string>): SettingDefinitionRender {
  return drawnRow(texts, (setting) => {
    const box = boxBelow(setting);
    box.addClass('savepoint-setting-note');
    box.setText(text.capture.settings.cost.reading);
    void read()
      .catch(faultText)
      .then((cost) => box.setText(cost));
  });
}

async function appCosts(host: SettingsHost, connections: Connections): Promise<string> {
  const { app, noApps } = text.capture.settings.cost;
  const lines = (await connections.apps()).flatMap(({ title, existing }) => {
    const tokens = existing && host.toolTokens(existing);
    return tokens === undefined ? [] : [app(title, tokens)];
  });
  return lines.length > 0 ? lines.join('\n') : noApps;
}

async function briefCost(savepoint: Savepoint | undefined): Promise<string> {
  if (!savepoint) return text.settings.storage.notOpen;
  const { id: workspaceId, name } = savepoint.workspace();
  const brief = await currentBrief(savepoint.services, savepoint.memory.get(), {
    workspaceId,
    budget: DEFAULT_BRIEF_TOKENS,
  });
  return text.capture.settings.cost.briefSize(name, estimateTokens(brief), DEFAULT_BRIEF_TOKENS);
}
