import { isJsonObject } from '../model/event.js';
import { objectAt, textIn } from '../model/text/json-fields.js';
import { CLAUDE_EVENTS, findPlugin, PACKAGE_NAME, type AiApp } from './ai-app.js';
import { codexTranscript } from './transcripts/codex.js';

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
    switch: {
      file: 'config.toml',
      format: 'toml',
      name: '[features] hooks',
      isOff: (settings) => objectAt(settings, 'features')['hooks'] === false,
    },
    answerField: 'last_assistant_message',
    transcript: codexTranscript,
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
