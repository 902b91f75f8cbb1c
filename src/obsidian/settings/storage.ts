import type { Setting, SettingDefinitionPage, SettingDefinitionRender } from 'obsidian';
import { findingsOf, readUsage, type LaneUsage, type VerifyReport } from '../../storage/index.js';
import { faultText } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { isMemoryLeftOut, openSyncSettings } from '../sync-notice.js';
import { openRequests } from '../forget/requests-modal.js';
import { follow, followInside, stopAll } from '../store.js';
import { text } from '../i18n/index.js';
import {
  showDigest,
  showFinding,
  showVerdict,
  verifyMemory,
} from '../memory/verify/verify-parts.js';
import { verdictOf } from '../memory/verify/verify-report.js';
import { bytesText } from './amounts.js';
import { devicesOf, openDevices, showDevices } from './devices.js';
import { openExport } from './export-modal.js';
import type { SettingsHost } from './host.js';
import { addNote, boxBelow, drawnRow } from './rows.js';
import { openImport } from './import-modal.js';
import { addButton, addFacts } from '../ui/elements.js';

/** Settings page with size, devices, verification, export and import. */
export function storagePage(host: SettingsHost): SettingDefinitionPage {
  const {
    name,
    desc,
    size,
    devices,
    verify: check,
    cache,
    export: exporting,
    import: importing,
  } = text.settings.storage;
  return {
    type: 'page',
    name,
    desc,
    items: [
      drawnRow(size, (setting) =>
        fillWhenRead(
          host,
          setting,
          ({ services }) => readUsage(services.files, services.dataFolder),
          showUsage,
        ),
      ),
      drawnRow(devices, (setting) =>
        stopAll(
          addOpenButton(host, setting, text.forget.requests.review, openDevices),
          fillWhenRead(host, setting, devicesOf, (box, found) => showDevices(host, box, found)),
        ),
      ),
      drawnRow(text.sync, (setting) =>
        fillWhenRead(
          host,
          setting,
          async (opened) => [opened, await isMemoryLeftOut(opened.app)] as const,
          (box, [opened, isLeftOut]) => showSync(box, opened, isLeftOut),
        ),
      ),
      requestsRow(host),
      drawnRow(check, (setting) => offerVerify(host, setting)),
      drawnRow({ name: text.commands.names.rebuildCache, desc: cache.desc }, (setting) =>
        offerRebuild(host, setting),
      ),
      modalRow(host, exporting, openExport),
      modalRow(host, importing, openImport),
    ],
  };
}

function modalRow(
  host: SettingsHost,
  texts: { name: string; desc: string; button: string },
  open: (savepoint: Savepoint) => void,
): SettingDefinitionRender {
  return drawnRow(texts, (setting) => addOpenButton(host, setting, texts.button, open));
}

/** Adds a button that opens a modal while the memory is open. */
function addOpenButton(
  { savepoint }: SettingsHost,
  setting: Setting,
  label: string,
  open: (savepoint: Savepoint) => void,
): () => void {
  let stop = () => {};
  setting.addButton((button) => {
    button.setButtonText(label).onClick(() => {
      const opened = savepoint.get();
      if (opened) open(opened);
    });
    stop = follow([savepoint], () => void button.setDisabled(!savepoint.get()));
  });
  return () => stop();
}

function requestsRow(host: SettingsHost): SettingDefinitionRender {
  const { review, none, waiting } = text.forget.requests;
  const { savepoint } = host;
  return drawnRow(text.forget.requests, (setting) => {
    const box = boxBelow(setting);
    const show = () => {
      const count = savepoint.get()?.forgetRequests.get().length ?? 0;
      box.empty();
      addNote(box, count > 0 ? waiting(count) : none);
    };
    return stopAll(
      addOpenButton(host, setting, review, openRequests),
      followInside(savepoint, ({ forgetRequests }) => [forgetRequests], show),
    );
  });
}

/** Adds a box with the loaded value or the error below the row, for each memory that is opened. */
function fillWhenRead<T>(
  { savepoint }: SettingsHost,
  setting: Setting,
  read: (opened: Savepoint) => Promise<T>,
  show: (box: HTMLElement, found: T) => void,
): () => void {
  const box = boxBelow(setting);
  let round = 0;
  const stop = follow([savepoint], () => {
    const opened = savepoint.get();
    const own = ++round;
    const fill = (content: () => void) => {
      if (own !== round) return;
      box.empty();
      content();
    };
    const tell = (message: string) => fill(() => addNote(box, message));
    tell(opened ? text.settings.storage.reading : text.settings.storage.notOpen);
    if (opened)
      read(opened).then(
        (found) => fill(() => show(box, found)),
        (error: unknown) => tell(faultText(error)),
      );
  });
  return () => {
    round++;
    stop();
  };
}

function showUsage(box: HTMLElement, usage: readonly LaneUsage[]): void {
  const { lanes, files, empty } = text.settings.storage.size;
  addFacts(
    box,
    usage.map(({ lane, segments, bytes }) => ({
      label: lanes[lane],
      value: segments === 0 ? empty : `${bytesText(bytes)} · ${files(segments)}`,
    })),
  );
}

function showSync(box: HTMLElement, { app }: Savepoint, isLeftOut: boolean): void {
  const { leftOut, fine, open } = text.sync;
  addNote(box, isLeftOut ? leftOut : fine);
  if (isLeftOut) addButton(box, open, () => openSyncSettings(app));
}

function offerVerify({ savepoint }: SettingsHost, setting: Setting): () => void {
  const { verify: say } = text.commands;
  const box = boxBelow(setting);
  let [isGone, isRunning] = [false, false];
  let stop = () => {};
  setting.addButton((button) => {
    const enable = () => void button.setDisabled(isRunning || !savepoint.get());
    stop = follow([savepoint], enable);
    button.setButtonText(text.settings.storage.verify.name).onClick(async () => {
      const opened = savepoint.get();
      if (!opened) return;
      isRunning = true;
      enable();
      box.setText(say.running);
      const show = await verifyMemory(opened).then(
        (report) => () => showReport(box, report),
        (error: unknown) => () =>
          showVerdict(box, { isGood: false, title: say.failed, sentence: faultText(error) }),
      );
      if (isGone) return;
      isRunning = false;
      enable();
      box.empty();
      show();
    });
  });
  return () => {
    isGone = true;
    stop();
  };
}

function offerRebuild({ rebuildCache }: SettingsHost, setting: Setting): () => void {
  const { rebuilding, rebuilt } = text.commands;
  const box = boxBelow(setting);
  let isGone = false;
  setting.addButton((button) =>
    button.setButtonText(text.settings.storage.cache.button).onClick(async () => {
      button.setDisabled(true);
      box.setText(rebuilding);
      const told = await rebuildCache().then(rebuilt, faultText);
      if (isGone) return;
      button.setDisabled(false);
      box.setText(told);
    }),
  );
  return () => (isGone = true);
}

function showReport(box: HTMLElement, report: VerifyReport): void {
  const findings = findingsOf(report);
  showVerdict(box, verdictOf(report, findings));
  if (report.events > 0) showDigest(box.createDiv({ cls: 'savepoint-setting-note' }), report);
  for (const finding of findings) showFinding(box, finding);
}
