import { BRACED_VARIABLE, type AiApp } from './ai-app.js';

const FOLDERS = ['Code', 'Code - Insiders', 'VSCodium'];

export const vscode: AiApp = {
  id: 'vscode',
  title: 'VS Code',
  clientNames: ['Visual Studio Code'],
  config: {
    format: 'jsonc',
    section: 'servers',
    required: { type: 'stdio' },
    variable: BRACED_VARIABLE,
    reload: 'Run "MCP: List Servers" in VS Code and start the server there.',
    places: ({ appData, join }) =>
      FOLDERS.map((name) => ({ folder: join(appData, name, 'User'), file: 'mcp.json' })),
  },
};
