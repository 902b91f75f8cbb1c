import { isJsonObject } from '../model/event.js';
import { objectAt, textIn } from '../model/text/json-fields.js';
import { CLAUDE_EVENTS, findPlugin, PACKAGE_NAME, type AiApp } from './ai-app.js';
import { isEmptyList, isFalse, isTrue, shadowsOf, switchesOf, type AppSwitch } from './switches.js';
import { codexTranscript } from './transcripts/codex.js';

/** Returns true if an administrator's list lacks the server, or has another command for it. */
const lacksIdentity: AppSwitch['isOff'] = (servers, { name, command }) => {
  if (!isJsonObject(servers)) return undefined;
  return objectAt(objectAt(servers, name), 'identity')['command'] !== command || undefined;
};

/** Returns true if the user has switched off one of the hooks in the file. */
const hasHookOff: AppSwitch['isOff'] = (state) =>
  Object.entries(isJsonObject(state) ? state : {}).some(
    ([key, hook]) =>
      /[\\/]hooks\.json:/.test(key) && isJsonObject(hook) && hook['enabled'] === false,
  ) || undefined;

export const codex: AiApp = {
  id: 'codex',
  title: 'Codex',
  clientNames: ['codex-mcp-client'],
  config: {
    format: 'toml',
    section: 'mcp_servers',
    reload: 'Restart Codex; /mcp shows the connection.',
    list: { program: 'codex', args: ['mcp', 'list', '--json'], working: /^enabled$/ },
    places: ({ home, variable, join }) => [
      { folder: variable('CODEX_HOME') ?? join(home, '.codex'), file: 'config.toml' },
    ],
  },
  hooks: {
    file: 'hooks.json',
    format: 'json',
    events: CLAUDE_EVENTS,
    tells: [
      { moment: 'prompt', event: 'UserPromptSubmit' },
      { moment: 'tool', event: 'PostToolUse', matcher: 'apply_patch|Bash' },
      { moment: 'subagent', event: 'SubagentStart' },
    ],
    unitMs: 1000,
    advice:
      'Codex runs hooks only after you have trusted them, and says nothing otherwise: start Codex, type /hooks and trust those of Savepoint. Do so again whenever they change.',
    maxEndMs: 3000,
    answerField: 'last_assistant_message',
    transcript: codexTranscript,
  },
  switches({ platform, system, variable, join }) {
    const windows = join(variable('ProgramData') ?? 'C:\\ProgramData', 'OpenAI', 'Codex');
    const folder = system('/etc/codex', '/etc/codex', windows);
    const requirements = join(folder, 'requirements.toml');
    const managed = 'managed_config.toml';
    const files = [
      join(folder, 'config.toml'),
      'config.toml',
      './.codex/config.toml',
      platform === 'win32' ? managed : join(folder, managed),
    ];
    const docs = 'https://developers.openai.com/codex';
    const source = `${docs}/enterprise/managed-configuration`;
    const memory = 'https://github.com/openai/codex/issues/19663';
    const caution = (title: string, place: string) => ({
      says: `${title} may not use it, because it prefers its own memory, which ${place} switches on.`,
    });
    return [
      ...switchesOf('server', source, files, { 'mcp_servers/NAME/enabled': isFalse }),
      ...switchesOf('tools', `${docs}/config-reference`, files, {
        'mcp_servers/NAME/enabled_tools': isEmptyList,
      }),
      ...shadowsOf(`${docs}/config-basic`, ['./.codex/config.toml'], 'mcp_servers'),
      ...switchesOf('server', source, [requirements], { mcp_servers: lacksIdentity }),
      ...switchesOf('server', memory, files, { 'features/memories': isTrue }, { caution }),
      ...switchesOf('hooks', source, [...files, requirements], {
        'features/hooks': isFalse,
        'features/codex_hooks': isFalse, // its former name
        'hooks/state': hasHookOff,
        allow_managed_hooks_only: isTrue,
      }),
    ];
  },
  // https://developers.openai.com/codex/config-basic
  readsProject(settings, project) {
    const levels = objectAt(settings, 'projects');
    const inside = (folder: string) => `${folder}/`.replaceAll('\\', '/');
    const around = Object.keys(levels).filter((each) => inside(project).startsWith(inside(each)));
    const nearest = around.sort((a, b) => a.length - b.length).at(-1) ?? '';
    return objectAt(levels, nearest)['trust_level'] === 'trusted';
  },
  acp: {
    command: 'codex-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/codex-acp@2.6.0',
    homepage: 'https://github.com/agentclientprotocol/codex-acp',
    askingMode: 'read-only',
  },
  conversationId: (meta) => textIn(meta, 'threadId'),
  namedFolder(meta) {
    const workspaces = objectAt(objectAt(meta, 'x-codex-turn-metadata'), 'workspaces');
    const [first] = Object.entries(workspaces);
    if (!first) return undefined;
    const [folder, facts] = first;
    const urls = isJsonObject(facts) ? objectAt(facts, 'associated_remote_urls') : {};
    const remotes = Object.entries(urls).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { folder, remotes: Object.fromEntries(remotes) };
  },
  async findPackage({ fields, names }) {
    const plugins = objectAt(await fields('config.toml', 'toml'), 'plugins');
    const id = findPlugin(plugins, (value) => !isJsonObject(value) || value['enabled'] !== false);
    if (id === undefined) return undefined;
    const [, marketplace = ''] = id.split('@');
    const versions = await names(`plugins/cache/${marketplace}/${PACKAGE_NAME}`);
    return { version: [...versions].sort().at(-1) ?? '', vault: '' };
  },
};
