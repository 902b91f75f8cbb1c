import { BRACED_VARIABLE, type AiApp } from './ai-app.js';

export const cursor: AiApp = {
  id: 'cursor',
  title: 'Cursor',
  clientNames: ['cursor-vscode'],
  config: {
    format: 'jsonc',
    section: 'mcpServers',
    variable: BRACED_VARIABLE,
    reload:
      'Open the MCP section of the Cursor settings, and enable the server there if it is off.',
    places: ({ home, join }) => [{ folder: join(home, '.cursor'), file: 'mcp.json' }],
  },
};
