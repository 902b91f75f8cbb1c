import { isJsonObject } from '../model/event.js';
import { objectAt, objectsAt, textAt, textsIn } from '../model/text/json-fields.js';
import { BRACED_VARIABLE, CLAUDE_EVENTS, findPlugin, STATUS_LINES, type AiApp } from './ai-app.js';
import {
  deniesPrefix,
  isTrue,
  namesServer,
  policyLists,
  shadowsOf,
  switchesOf,
} from './switches.js';
import { claudeCodeTranscript } from './transcripts/claude-code.js';

export const claudeCode: AiApp = {
  id: 'claude-code',
  title: 'Claude Code',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  vaultVariable: 'CLAUDE_PLUGIN_OPTION_VAULT',
  httpCommand: (url, token) =>
    `claude mcp add --transport http savepoint ${url} --header "Authorization: Bearer ${token}"`,
  config: {
    format: 'json',
    section: 'mcpServers',
    required: { type: 'stdio' },
    variable: BRACED_VARIABLE,
    reload: 'Start a new Claude Code session; /mcp shows the connection.',
    list: { ...STATUS_LINES, program: 'claude', args: ['mcp', 'list'] },
    places({ home, variable, join }) {
      const named = variable('CLAUDE_CONFIG_DIR');
      const file = named === undefined ? '../.claude.json' : '.claude.json';
      return [{ folder: named ?? join(home, '.claude'), file, markers: [file] }];
    },
  },
  hooks: {
    file: 'settings.json',
    format: 'json',
    events: CLAUDE_EVENTS,
    tells: [
      { moment: 'prompt', event: 'UserPromptSubmit' },
      { moment: 'tool', event: 'PostToolUse', matcher: 'Read|Edit|Write|NotebookEdit' },
      { moment: 'tool', event: 'PostToolUseFailure', matcher: 'Bash' },
      { moment: 'subagent', event: 'SubagentStart' },
    ],
    unitMs: 1000,
    advice: 'Start a new Claude Code session; /hooks lists them.',
    answerField: 'last_assistant_message',
    transcript: claudeCodeTranscript,
  },
  switches({ system, variable, join }) {
    const mac = '/Library/Application Support/ClaudeCode';
    const folder = system('/etc/claude-code', mac, 'C:\\Program Files\\ClaudeCode');
    const managed = ['managed-settings.json', 'managed-settings.d/'].map((name) =>
      join(folder, name),
    );
    const projects = ['./.claude/settings.json', './.claude/settings.local.json'];
    const files = ['settings.json', ...projects, ...managed];
    const named = variable('CLAUDE_CONFIG_DIR') !== undefined;
    const [docs, setting] = ['https://code.claude.com/docs/en', 'strictPluginOnlyCustomization'];
    const source = `${docs}/managed-mcp`;
    const isOnlyPlugins = (surface: string) => (value: unknown) =>
      value === true || (Array.isArray(value) && value.includes(surface)) || undefined;
    const exclusive = [join(folder, 'managed-mcp.json')]; // only its servers are started
    const own = [named ? '.claude.json' : '../.claude.json'];
    return [
      ...policyLists(files, source),
      ...switchesOf('server', source, exclusive, { mcpServers: isJsonObject }),
      ...switchesOf('server', source, managed, { [setting]: isOnlyPlugins('mcp') }),
      ...switchesOf('server', `${docs}/mcp`, own, { 'projects/*/disabledMcpServers': namesServer }),
      ...switchesOf('tools', `${docs}/permissions`, files, {
        'permissions/deny': (rules, { name }) =>
          textsIn(rules).includes(`mcp__${name}`) || deniesPrefix(rules, `mcp__${name}__`),
      }),
      ...shadowsOf(`${docs}/mcp`, ['./.mcp.json'], 'mcpServers'),
      ...shadowsOf(`${docs}/mcp`, own, 'projects/*/mcpServers'),
      ...switchesOf('hooks', `${docs}/settings`, files, { disableAllHooks: isTrue }),
      ...switchesOf('hooks', `${docs}/settings`, managed, {
        allowManagedHooksOnly: isTrue,
        [setting]: isOnlyPlugins('hooks'),
      }),
    ];
  },
  acp: {
    command: 'claude-agent-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp@0.101.0',
    homepage: 'https://github.com/agentclientprotocol/claude-agent-acp',
    askingMode: 'default',
    meta(folders) {
      const deny = folders.flatMap((folder) => [`Edit(${folder}/**)`, `Write(${folder}/**)`]);
      return {
        claudeCode: { options: { disallowedTools: deny, settings: { permissions: { deny } } } },
      };
    },
  },
  async findPackage({ fields }) {
    const settings = await fields('settings.json');
    const id = findPlugin(objectAt(settings, 'enabledPlugins'), (value) => value === true);
    if (id === undefined) return undefined;
    const installed = await fields('plugins/installed_plugins.json');
    const [install = {}] = objectsAt(objectAt(installed, 'plugins'), id);
    const options = objectAt(objectAt(objectAt(settings, 'pluginConfigs'), id), 'options');
    return { version: textAt(install, 'version'), vault: textAt(options, 'vault') };
  },
};
