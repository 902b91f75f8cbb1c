import type { SettingDefinitionPage } from 'obsidian';
import { mirrorFolder } from '../../transfer/mirror/mirror-notes.js';
import { text } from '../i18n/index.js';
import type { SettingsHost } from './host.js';

/** Lists what is sent and what is stored where. */
export function outflowPage({
  settings,
  mirror,
  ownModel,
  pluginFolder,
  deviceName,
}: SettingsHost): SettingDefinitionPage {
  const {
    name,
    desc,
    network,
    chat,
    sync,
    apps,
    clipboard,
    written,
    inVault,
    data,
    notes,
    roots,
    plugin,
    device,
  } = text.settings.outflow;
  const { dataFolder } = settings.get();
  const { outflow: meaning } = text.meaning;
  const model = ownModel.settings.get();
  return {
    type: 'page',
    name,
    desc,
    items: [
      network,
      chat,
      { name: meaning.name, desc: model.isOn ? meaning.on(model.address) : meaning.off },
      { name: sync.name, desc: sync.desc(dataFolder) },
      apps,
      clipboard,
      {
        type: 'group',
        heading: written,
        items: [
          { name: inVault(dataFolder), desc: data },
          {
            name: inVault(mirrorFolder(dataFolder)),
            desc: mirror.isOn.get() ? notes.on : notes.off,
          },
          roots,
          { name: inVault(`${pluginFolder}/data.json`), desc: plugin },
          {
            name: device.name,
            desc: device.desc,
            render: (setting) =>
              void setting.setDesc(`${device.desc} ${device.called(deviceName())}`),
          },
        ],
      },
    ],
  };
}
