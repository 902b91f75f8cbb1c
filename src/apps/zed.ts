import type { AiApp } from './ai-app.js';
import { isFalse, isTrue, switchesOf } from './switches.js';

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
  switches: () =>
    switchesOf(
      'server',
      'https://zed.dev/docs/ai/configuration',
      ['settings.json', './.zed/settings.json'],
      // a project cannot allow what the user forbids
      { disable_ai: (value) => isTrue(value) || undefined, 'agent/enabled': isFalse },
    ),
};
