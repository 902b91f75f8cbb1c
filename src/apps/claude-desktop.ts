import type { AiApp } from './ai-app.js';

/** Folder of the packaged app (MSIX), which ends in the publisher's id. */
const PACKAGE = /[\\/]Claude_\w+$/;

export const claudeDesktop: AiApp = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  clientNames: ['claude-ai'],
  config: {
    format: 'json',
    section: 'mcpServers',
    refusesMark: true,
    reload:
      'Quit Claude Desktop completely (use the menu; closing the window is not enough), then reopen it.',
    places: ({ appData, packages, join }) =>
      [
        appData,
        ...packages
          .filter((folder) => PACKAGE.test(folder))
          .map((folder) => join(folder, 'LocalCache', 'Roaming')),
      ].map((folder) => ({ folder: join(folder, 'Claude'), file: 'claude_desktop_config.json' })),
  },
};
