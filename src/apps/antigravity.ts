import type { AiApp } from './ai-app.js';

export const antigravity: AiApp = {
  id: 'antigravity',
  title: 'Antigravity',
  config: {
    format: 'json',
    section: 'mcpServers', // an entry with a property "type" would be ignored
    reload:
      'Open "Manage MCP Servers" in Antigravity and press Refresh; in the CLI, /mcp shows it.',
    list: {
      program: 'agy',
      args: ['mcp', 'list'],
      line: '^(?:.*[^\\w-])?NAME(?:[^\\w-](.*))?$',
      working: /^(?!.*\b(?:disabled|error|failed)\b)/i,
    },
    // Version 2 and the CLI share a file. The mark says that version 2 has taken over version 1's.
    places: ({ home, join }) => [
      {
        folder: join(home, '.gemini', 'config'),
        file: 'mcp_config.json',
        markers: ['../antigravity-cli'],
      },
      {
        folder: join(home, '.gemini', 'antigravity'),
        file: 'mcp_config.json',
        successors: ['../config/.migrated'],
      },
    ],
  },
};
