import type { SettingDefinitionItem } from 'obsidian';
import { act } from '../actions.js';
import { PROVIDERS } from '../models/providers.js';
import { text } from '../i18n/index.js';
import { providerRows } from '../models/ui/provider-rows.js';
import type { SettingsHost } from './host.js';

/** Returns the settings page for providers, models and tools that need no approval. `update` redraws the settings. */
export function modelsPage(host: SettingsHost, update: () => void): SettingDefinitionItem {
  const { name, desc, preferred, notSetUp, allowed, allowedEmpty } = text.chat.models;
  const { models, chosen, app } = host;
  const ready = models.configured();
  const change = (
    changed: Parameters<typeof providerRows>[0]['change'] extends (change: infer C) => unknown
      ? C
      : never,
  ) => host.change(changed(chosen.get()));
  const { allowedTools } = chosen.get();
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
        control: {
          type: 'dropdown',
          key: 'chatProvider',
          options: Object.fromEntries(
            ready.map(({ provider, ref }) => [provider.id, `${provider.name}: ${ref.model}`]),
          ),
        },
      },
      ...PROVIDERS.map((provider): SettingDefinitionItem => ({
        type: 'page',
        name: provider.name,
        displayValue: () =>
          models.configured().find((each) => each.provider.id === provider.id)?.ref.model ??
          notSetUp,
        items: providerRows({ app, models, change }, provider),
      })),
      {
        type: 'list',
        heading: allowed,
        emptyState: allowedEmpty,
        items: allowedTools.map((tool) => ({ name: tool, searchable: false })),
        onDelete: (index) =>
          act(async () => {
            await change((settings) => ({
              ...settings,
              allowedTools: settings.allowedTools.filter((_, at) => at !== index),
            }));
            update();
          }),
      },
    ],
  };
}
