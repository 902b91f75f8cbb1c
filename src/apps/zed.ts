import type { AiApp, DeviceFolders } from './ai-app.js';

export const zed: AiApp = {
  id: 'zed',
  title: 'Zed',
  config: {
    format: 'jsonc',
    section: 'context_servers',
    required: { source: 'custom' }, // optional in newer versions
    reload: 'Open the settings of the agent panel in Zed; a green dot shows the connection.',
    places(folders) {
      const folder = settingsFolder(folders);
      return [{ folder, file: folders.join(folder, 'settings.json') }];
    },
  },
};

function settingsFolder({ platform, home, appData, xdgConfig, join }: DeviceFolders): string {
  if (platform === 'win32') return join(appData, 'Zed');
  return join(platform === 'darwin' ? join(home, '.config') : xdgConfig, 'zed');
}
