import { ConfirmationModal, type Setting, type SettingDefinitionItem } from 'obsidian';
import { mirrorFolder } from '../../transfer/mirror/mirror-notes.js';
import { act, notify } from '../actions.js';
import { text } from '../i18n/index.js';
import { follow } from '../store.js';
import { openModal } from '../ui/modals.js';
import type { SettingsHost } from './host.js';
import { drawnRow, offer, toggleRow } from './rows.js';

/** Rows that write states as notes, and remove these notes. */
export function mirrorGroup(host: SettingsHost): SettingDefinitionItem {
  const { mirror, mirrorHeading } = text.settings;
  return {
    type: 'group',
    heading: mirrorHeading,
    items: [
      toggleRow(
        { name: mirror.name, desc: mirror.desc(notesFolder(host)) },
        {
          get: () => host.mirror.isOn.get(),
          set: (isOn) => host.mirror.turn(isOn),
          follow: (show) => follow([host.mirror.isOn], show),
        },
      ),
      {
        name: mirror.status,
        searchable: false,
        visible: () => host.mirror.isOn.get(),
        render: (setting) => showMirror(host, setting),
      },
      drawnRow({ name: mirror.remove, desc: mirror.removeDesc }, (setting) => {
        offer(setting, mirror.removeButton, () => removeNotes(host));
        return follow([host.mirror.isOn], () => void setting.setDisabled(host.mirror.isOn.get()));
      }),
    ],
  };
}

function notesFolder({ settings }: SettingsHost): string {
  return mirrorFolder(settings.get().dataFolder);
}

/** Shows the mirror's status. */
function showMirror(host: SettingsHost, setting: Setting): () => void {
  const { waiting, writing, done, skipped, leftAlone } = text.settings.mirror;
  setting.descEl.setAttr('role', 'status');
  const show = () => {
    const status = host.mirror.status.get();
    setting.setErrorMessage(status.phase === 'failed' ? status.error : null);
    const shown = {
      off: () => '',
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
  return follow([host.mirror.status], show);
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
