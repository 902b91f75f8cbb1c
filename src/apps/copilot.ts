import type { AiApp, DeviceFolders } from './ai-app.js';
import {
  isEmptyList,
  namesServer,
  policyLists,
  shadowsOf,
  switchesOf,
  type AppSwitch,
} from './switches.js';

const DOCS = 'https://docs.github.com/en/copilot/reference';

/** Returns the lists of an administrator that all clients of Copilot respect. */
export function copilotPolicy({ system, variable, join }: DeviceFolders): AppSwitch[] {
  const mac = '/Library/Application Support/GitHubCopilot';
  const windows = join(variable('ProgramFiles') ?? 'C:\\Program Files', 'GitHubCopilot');
  const file = join(system('/etc/github-copilot', mac, windows), 'managed-settings.json');
  const source = `${DOCS}/enterprise-administrators/enterprise-managed-settings`;
  return policyLists([file], source).map((list) => ({ ...list, isUnlisted: true }));
}

export const copilot: AiApp = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  clientNames: ['github-copilot-developer'],
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
  switches: (folders) => [
    ...switchesOf(
      'server',
      `${DOCS}/copilot-cli-reference/cli-config-dir-reference`,
      ['settings.json'],
      {
        disabledMcpServers: namesServer,
      },
    ),
    ...switchesOf('tools', `${DOCS}/copilot-cli-reference`, ['mcp-config.json'], {
      'mcpServers/NAME/tools': isEmptyList,
    }),
    ...shadowsOf(
      'https://github.com/github/copilot-cli/issues/3379',
      ['./.github/mcp.json', './.mcp.json'],
      'mcpServers',
    ),
    ...copilotPolicy(folders),
  ],
};
