import { BRACED_VARIABLE, type AiApp } from './ai-app.js';
import { copilotPolicy } from './copilot.js';
import { isFalse, isTrue, shadowsOf, switchesOf } from './switches.js';

const FOLDERS = ['Code', 'Code - Insiders', 'VSCodium'];

export const vscode: AiApp = {
  id: 'vscode',
  title: 'VS Code',
  clientNames: ['Visual Studio Code'],
  config: {
    format: 'jsonc',
    section: 'servers',
    program: 'code',
    required: { type: 'stdio' },
    variable: BRACED_VARIABLE,
    reload: 'Run "MCP: List Servers" in VS Code and start the server there.',
    places: ({ appData, join }) =>
      FOLDERS.map((name) => ({ folder: join(appData, name, 'User'), file: 'mcp.json' })),
  },
  switches(folders) {
    const source = 'https://code.visualstudio.com/docs/enterprise/policies';
    const { system, join } = folders;
    const policy = join(system('/etc/vscode', '/etc/vscode', '/etc/vscode'), 'policy.json');
    const isAccessOff = (value: unknown) =>
      typeof value === 'string' ? value === 'none' || value === 'registry' : undefined;
    return [
      ...switchesOf('server', source, ['settings.json', './.vscode/settings.json'], {
        'chat.mcp.access': isAccessOff,
        'chat.mcp.enabled': isFalse,
        'chat.agent.enabled': isFalse,
        'chat.disableAIFeatures': isTrue,
      }),
      ...switchesOf('server', source, [policy], { ChatMCP: isAccessOff, ChatAgentMode: isFalse }),
      ...shadowsOf(
        'https://github.com/microsoft/vscode/pull/312234',
        ['./.vscode/mcp.json'],
        'servers',
      ),
      ...copilotPolicy(folders),
    ];
  },
};
