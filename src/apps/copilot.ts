import type { AiApp } from './ai-app.js';

export const copilot: AiApp = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  config: {
    format: 'jsonc',
    section: 'mcpServers',
    required: { type: 'local' },
    initial: { tools: ['*'] },
    reload: 'Restart Copilot; /mcp shows the connection.',
    list: {
      program: 'copilot',
      args: ['mcp', 'list'],
      env: { COPILOT_AUTO_UPDATE: 'false' },
      line: '^ +NAME \\((.*)\\)',
      working: /^(?!.*\bdisabled\b)/i,
    },
    places: ({ home, variable, join }) => [
      { folder: variable('COPILOT_HOME') ?? join(home, '.copilot'), file: 'mcp-config.json' },
    ],
  },
};
