import type { AiApp } from './ai-app.js';

/** Folder of the packaged app (MSIX) on Windows, which ends in the publisher's id. */
const PACKAGE = /[\\/]Claude_\w+$/;

export const claudeDesktop: AiApp = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  clientNames: ['claude-ai'],
  config: {
    format: 'json',
    section: 'mcpServers',
    reload:
      'Quit Claude Desktop completely (use the menu; closing the window is not enough), then reopen it.',
    places({ appData, packages, join }) {
      const packaged = packages.filter((folder) => PACKAGE.test(folder));
      const folders = packaged.map((folder) => join(folder, 'LocalCache', 'Roaming', 'Claude'));
      return [join(appData, 'Claude'), ...folders].map((folder) => ({
        folder,
        file: join(folder, 'claude_desktop_config.json'),
      }));
    },
  },
};
