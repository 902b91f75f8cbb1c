import type { SettingDefinitionItem, SettingDefinitionPage } from 'obsidian';
import { act } from '../actions.js';
import { PROVIDERS } from '../models/providers.js';
import { text } from '../i18n/index.js';
import { providerRows } from '../models/ui/provider-rows.js';
import { addDropdown, settingValue } from '../ui/forms/live-controls.js';
import type { SettingsHost } from './host.js';

export function modelsPage(host: SettingsHost): SettingDefinitionPage {
  const { name, desc, preferred, notSetUp } = text.chat.models;
  const { models, settings, app } = host;
  const change = (
    changed: Parameters<typeof providerRows>[0]['change'] extends (change: infer C) => unknown
      ? C
      : never,
  ) => host.change(changed(settings.get()));
  return {
    type: 'page',
    name,
    desc,
    displayValue: () => models.preferred()?.model ?? '',
    items: [
      {
        name: preferred.name,
        desc: preferred.desc,
        visible: () => models.configured().length > 0,
        render: (setting) =>
          addDropdown(setting, preferred.name, settingValue(host, 'chatProvider'), () =>
            Object.fromEntries(
              models
                .configured()
                .map(({ provider, ref }) => [provider.id, `${provider.name}: ${ref.model}`]),
            ),
          ),
      },
      ...PROVIDERS.map((provider): SettingDefinitionItem => ({
        type: 'page',
        name: provider.name,
        displayValue: () =>
          models.configured().find((each) => each.provider.id === provider.id)?.ref.model ??
          notSetUp,
        items: providerRows({ app, models, change }, provider),
      })),
    ],
  };
}

/** Returns the settings page for the tools that agents in the chat may call without asking. */
export function permissionsPage({ settings, change }: SettingsHost): SettingDefinitionPage {
  const { name, desc, allowed, allowedEmpty } = text.pages.permissions;
  const { allowedTools } = settings.get();
  return {
    type: 'page',
    name,
    desc,
    items: [
      {
        type: 'list',
        heading: allowed,
        emptyState: allowedEmpty,
        items: allowedTools.map((tool) => ({ name: tool, searchable: false })),
        onDelete: (index) =>
          act(() => {
            const left = settings.get().allowedTools.filter((_, at) => at !== index);
            return change({ ...settings.get(), allowedTools: left });
          }),
      },
    ],
  };
}
