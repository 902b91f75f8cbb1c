import { BRACED_VARIABLE, type AiApp } from './ai-app.js';

export const windsurf: AiApp = {
  id: 'windsurf',
  title: 'Windsurf',
  config: {
    format: 'jsonc',
    section: 'mcpServers',
    variable: BRACED_VARIABLE,
    reload: 'Open the MCP servers in the settings of Cascade and press the refresh button.',
    places: ({ home, join }) => [
      { folder: join(home, '.codeium', 'windsurf'), file: 'mcp_config.json' },
    ],
  },
};
