import type { AiApp } from './ai-app.js';
import { isJsonObject } from '../model/event.js';
import { objectAt, textIn } from '../model/text/json-fields.js';
import { isFalse, isTrue, switchesOf, type AppSwitch } from './switches.js';

/** Returns true if the profile in use has no tool of the server. */
const leavesOut: AppSwitch['isOff'] = (profiles, { name }, layers) => {
  const chosen = layers.flatMap(
    ({ settings }) => textIn(objectAt(settings, 'agent'), 'default_profile') ?? [],
  );
  const profile = isJsonObject(profiles) ? objectAt(profiles, chosen.at(-1) ?? 'write') : {};
  const tools = objectAt(objectAt(objectAt(profile, 'context_servers'), name), 'tools');
  const isNone = profile['enable_all_context_servers'] === false;
  return (isNone && !Object.values(tools).includes(true)) || undefined;
};

export const zed: AiApp = {
  id: 'zed',
  title: 'Zed',
  config: {
    format: 'jsonc',
    section: 'context_servers',
    required: { source: 'custom' }, // optional in newer versions
    reload: 'Open the settings of the agent panel in Zed; a green dot shows the connection.',
    places({ platform, home, appData, xdgConfig, join }) {
      const unix = join(platform === 'darwin' ? join(home, '.config') : xdgConfig, 'zed');
      const folder = platform === 'win32' ? join(appData, 'Zed') : unix;
      return [{ folder, file: 'settings.json' }];
    },
  },
  switches() {
    const [docs, files] = ['https://zed.dev/docs/ai', ['settings.json', './.zed/settings.json']];
    return [
      ...switchesOf('server', `${docs}/configuration`, files, {
        // a project cannot allow what the user forbids
        disable_ai: (value) => isTrue(value) || undefined,
        'agent/enabled': isFalse,
      }),
      ...switchesOf('tools', `${docs}/agent-profiles`, files, { 'agent/profiles': leavesOut }),
    ];
  },
};
