import {
  Platform,
  type Setting,
  type SettingDefinitionItem,
  type SettingDefinitionRender,
  type SettingGroupItem,
} from 'obsidian';
import { explicitAccess, withClientAccess } from '../../toolkit/client-policy.js';
import { workspaceById } from '../../model/lookup.js';
import type { Trace } from '../../model/trace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { dayOf } from '../../storage/index.js';
import { Scheduler } from '../../platform/scheduler.js';
import { act, copyText, notify } from '../actions.js';
import { faultText } from '../host/logger.js';
import { yieldToHost } from '../host/browser-ports.js';
import type { Connections } from '../clients/connections.js';
import type { Savepoint } from '../savepoint.js';
import { follow, followInside, stopAll } from '../store.js';
import { text } from '../i18n/index.js';
import { clientName } from '../clients/approvals/approval-texts.js';
import { checkConnections, connectApp } from '../clients/ui/open-connections.js';
import { exactDate, relativeDate } from '../ui/dates.js';
import { createNote } from '../memory/export-note.js';
import { callsToCsv, callsToNote, readClientCalls } from './audit.js';
import type { SettingsHost } from './host.js';
import { httpRows } from './http-rows.js';
import type { PartsPage } from './redraw.js';
import { addNote, dropdownRow, offer, toggleRow } from './rows.js';
import { addDropdown, addToggle, settingValue, type LiveValue } from '../ui/forms/live-controls.js';
import { addTable } from '../ui/elements.js';

const SHOWN = { most: 50, lookBack: 5000 };
const EXPORTED = { most: 1000, lookBack: Infinity };

/** The settings page for AI apps, hidden on mobile. Without connections, it only says why. */
export function appsPage(host: SettingsHost): PartsPage {
  const { name, desc, onlyDesktop } = text.connections.settings;
  const connections = host.connections.get();
  const why = host.savepoint.get() ? onlyDesktop : text.settings.storage.notOpen;
  return {
    type: 'page',
    name,
    desc,
    visible: () => Platform.isDesktopApp,
    parts: [connections, host.http.get(), host.savepoint.get()],
    items: connections ? appsItems(host, connections) : [{ name: why, searchable: false }],
  };
}

function appsItems(host: SettingsHost, connections: Connections): SettingDefinitionItem[] {
  const { unclear, bridge, readOnly, others, access, notices, connect, check, seen } =
    text.connections.settings;
  const { unclear: keys = [] } = host.settings.get();
  const http = host.http.get();
  const { heading } = text.connections.settings.http;
  return [
    ...(keys.length > 0
      ? [{ name: unclear.name, desc: unclear.desc(keys.join(', ')), searchable: false }]
      : []),
    toggleRow(bridge, settingValue(host, 'isBridgeOn')),
    toggleRow(readOnly, settingValue(host, 'isReadOnly')),
    dropdownRow(others, settingValue(host, 'otherClients'), () => access),
    dropdownRow(notices, settingValue(host, 'clientNotices'), () => notices.options),
    buttonRow(connect, () => connectApp(host.app, connections)),
    buttonRow(check, () => checkConnections(host.app, connections)),
    updateRow(connections),
    { type: 'group', heading: seen, items: clientRows(host) },
    ...(http ? [{ type: 'group' as const, heading, items: httpRows(http) }] : []),
    restApiRow(host),
    auditRow(host),
  ];
}

function buttonRow(
  { name, desc, button = name }: { name: string; desc: string; button?: string },
  press: () => void,
): SettingDefinitionRender {
  return { name, desc, render: (setting) => offer(setting, button, press) };
}

/** A row that is shown if apps start an older version than this plugin. */
function updateRow(connections: Connections): SettingDefinitionRender {
  const { name, desc, button, done } = text.connections.settings.update;
  const show = async (setting: Setting) => {
    setting.settingEl.toggle(false);
    const version = await connections.olderProgram();
    if (version === undefined) return;
    setting.setDesc(desc(version)).settingEl.toggle(true);
    offer(setting, button, () =>
      act(async () => {
        await connections.updateProgram();
        setting.settingEl.toggle(false);
        notify(done);
      }),
    );
  };
  return { name, searchable: false, render: (setting) => act(() => show(setting)) };
}

/** One row per client that has called or has its own access. */
function clientRows(host: SettingsHost): SettingGroupItem[] {
  const names = clientNames(host);
  if (names.length === 0) return [{ name: text.connections.settings.seenEmpty, searchable: false }];
  return names.map((name) => ({
    name: clientName(name),
    searchable: false,
    render: (setting) => showClient(host, setting, name),
  }));
}

function clientNames({ activity, settings }: SettingsHost): string[] {
  const { writingClients, askingClients, readOnlyClients } = settings.get();
  return [
    ...new Set([
      ...activity.get().map(({ name }) => name),
      ...readOnlyClients,
      ...askingClients,
      ...writingClients,
    ]),
  ];
}

function showClient(host: SettingsHost, setting: Setting, name: string): () => void {
  const { activity: told, notSeen, accessOf, access, asOthers } = text.connections.settings;
  setting.setName(clientName(name)).nameEl.setAttr('dir', 'auto');
  const options = { usual: asOthers, ...access };
  const value: LiveValue<keyof typeof options> = {
    get: () => explicitAccess(host.settings.get(), name) ?? 'usual',
    set(chosen) {
      const own = chosen === 'usual' ? undefined : chosen;
      return host.change(withClientAccess(host.settings.get(), name, own));
    },
    follow: (show) => follow([host.settings], show),
  };
  const show = () => {
    const seen = host.activity.get().find((client) => client.name === name);
    const when = (at: number) => relativeDate(new Date(at).toISOString(), Date.now(), text.locale);
    setting.setDesc(
      seen ? told(seen.calls, visibleText(seen.lastTool), when(seen.lastAt)) : notSeen,
    );
  };
  return stopAll(
    addDropdown(setting, accessOf(clientName(name)), value, () => options),
    follow([host.activity], show),
  );
}

/** The switch for Local REST API, with its current state. */
function restApiRow(host: SettingsHost): SettingDefinitionRender {
  const { name, desc, states } = text.connections.settings.restApi;
  return {
    name,
    desc,
    render(setting) {
      setting.descEl.setAttr('role', 'status');
      return stopAll(
        addToggle(setting, name, settingValue(host, 'isRestApiOn')),
        followInside(
          host.restApi,
          ({ state }) => [state],
          () => {
            const state = host.restApi.get()?.state.get() ?? { phase: 'off' };
            setting.setErrorMessage(state.phase === 'failed' ? state.error : null);
            setting.setDesc([desc, states[state.phase]].filter((each) => each !== '').join(' '));
          },
        ),
        // the plugin does not report when it unloads
        follow([host.restApi], () => host.restApi.get()?.refresh()),
      );
    },
  };
}

/** Recent calls, updated live, with two export buttons. */
function auditRow(host: SettingsHost): SettingDefinitionRender {
  const { name, desc, csv } = text.connections.settings.audit;
  return {
    name,
    desc,
    searchable: false,
    render(setting) {
      setting.setClass('savepoint-setting-tall');
      offer(setting, text.memoryView.exportNote, () => act(() => exportCalls(host, saveNote)));
      offer(setting, csv, () => act(() => exportCalls(host, copyCsv)));
      const savepoint = host.savepoint.get();
      return (
        savepoint &&
        followCalls(savepoint, setting.settingEl.createDiv({ cls: 'savepoint-setting-box' }))
      );
    },
  };
}

function followCalls(savepoint: Savepoint, box: HTMLElement): () => void {
  let [isReading, isStale, isGone] = [false, false, false];
  addNote(box, text.settings.storage.reading);
  const isShown = () => !isGone;
  const read = async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      const calls = await readCalls(savepoint, SHOWN).catch((error: unknown) => faultText(error));
      if (!isShown()) return;
      box.empty();
      if (typeof calls === 'string') addNote(box, calls);
      else showCalls(box, calls, savepoint.clock.now());
    }
    isReading = false;
  };
  void read();
  const stop = savepoint.callsAdded.subscribe(() => void read());
  return () => {
    isGone = true;
    stop();
  };
}

async function readCalls(savepoint: Savepoint, reach: typeof SHOWN): Promise<Trace[]> {
  await savepoint.whenReady();
  return readClientCalls(
    savepoint.services.log,
    reach,
    new Scheduler(savepoint.clock, yieldToHost),
  );
}

function showCalls(box: HTMLElement, calls: readonly Trace[], now: number): void {
  const { name, empty, last } = text.connections.settings.audit;
  const { callFields, succeeded } = text.memoryView;
  const { locale } = text;
  if (calls.length === 0) return addNote(box, empty);
  const columns = [callFields.when, callFields.app, callFields.tool, callFields.outcome];
  const body = addTable(box, name, columns, 'savepoint-writers savepoint-audit');
  for (const { createdAt, client = '', tool, outcome, isSuccess } of calls) {
    const row = body.createEl('tr');
    row.createEl('td', {
      text: relativeDate(createdAt, now, locale),
      attr: { title: exactDate(createdAt, locale) },
    });
    row.createEl('td', { text: visibleText(client), attr: { dir: 'auto' } });
    row.createEl('td', { text: visibleText(tool) });
    row.createEl('td', {
      text: isSuccess ? succeeded : visibleText(outcome),
      cls: isSuccess ? '' : 'mod-error',
    });
  }
  addNote(box, last(calls.length));
}

type NameOf = (workspaceId: string) => string;

async function exportCalls(
  { savepoint }: SettingsHost,
  put: (savepoint: Savepoint, calls: readonly Trace[], nameOf: NameOf) => Promise<void>,
): Promise<void> {
  const { nothing } = text.connections.settings.audit;
  const opened = savepoint.get();
  const calls = opened ? await readCalls(opened, EXPORTED) : [];
  if (!opened || calls.length === 0) return void notify(nothing);
  const memory = opened.memory.get();
  await put(opened, calls, (id) => workspaceById(memory, id).name);
}

async function saveNote(
  savepoint: Savepoint,
  calls: readonly Trace[],
  nameOf: NameOf,
): Promise<void> {
  const file = await createNote(
    savepoint.app,
    text.connections.settings.audit.noteName(dayOf(savepoint.clock.now())),
    callsToNote(calls, nameOf),
  );
  notify(text.memoryView.exported(file.path));
}

async function copyCsv(_: Savepoint, calls: readonly Trace[], nameOf: NameOf): Promise<void> {
  const { csvCopied } = text.connections.settings.audit;
  await copyText(callsToCsv(calls, nameOf), csvCopied(calls.length));
}
