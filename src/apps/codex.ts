import { isJsonObject } from '../model/event.js';
import { objectAt } from '../model/text/json-fields.js';
import {
  findPlugin,
  PACKAGE_NAME,
  type AiApp,
  type AppFiles,
  type InstalledPackage,
  type NamedFolder,
} from './ai-app.js';
import { readCodexLine } from './transcripts/codex.js';

/** Key in a request's `_meta` with which the app describes the turn. */
const TURN = 'x-codex-turn-metadata';
const CONFIG = 'config.toml';

export const codex: AiApp = {
  id: 'codex',
  title: 'Codex',
  clientNames: ['codex-mcp-client'],
  namedFolder,
  findPackage,
  config: {
    format: 'toml',
    section: 'mcp_servers',
    reload: 'Restart Codex; /mcp shows the connection.',
    list: { program: 'codex', args: ['mcp', 'list', '--json'], working: /^enabled$/ },
    places({ home, variable, join }) {
      const folder = variable('CODEX_HOME') ?? join(home, '.codex');
      return [{ folder, file: join(folder, CONFIG) }];
    },
  },
  hooks: {
    file: 'hooks.json',
    format: 'json',
    events: {
      'session-start': 'SessionStart',
      turn: 'Stop',
      'pre-compact': 'PreCompact',
      'session-end': 'SessionEnd',
    },
    unitMs: 1000,
    advice:
      'Codex runs hooks only after you have trusted them, and says nothing otherwise: start Codex, type /hooks and trust those of Savepoint. Do so again whenever they change.',
    answerField: 'last_assistant_message',
    readLine: readCodexLine,
  },
  acp: {
    command: 'codex-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/codex-acp@2.6.0',
    homepage: 'https://github.com/agentclientprotocol/codex-acp',
    askingMode: 'read-only',
  },
};

function namedFolder(meta: Readonly<Record<string, unknown>>): NamedFolder | undefined {
  const turn = meta[TURN];
  const [first] = Object.entries(isJsonObject(turn) ? objectAt(turn, 'workspaces') : {});
  if (!first) return undefined;
  const [folder, facts] = first;
  const urls = isJsonObject(facts) ? objectAt(facts, 'associated_remote_urls') : {};
  const remotes = Object.entries(urls).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { folder, remotes: Object.fromEntries(remotes) };
}

async function findPackage({ fields, names }: AppFiles): Promise<InstalledPackage | undefined> {
  const plugins = objectAt(await fields(CONFIG, 'toml'), 'plugins');
  const id = findPlugin(plugins, (value) => !isJsonObject(value) || value['enabled'] !== false);
  if (id === undefined) return undefined;
  const [, marketplace = ''] = id.split('@');
  const versions = await names(`plugins/cache/${marketplace}/${PACKAGE_NAME}`);
  return { version: [...versions].sort().at(-1) ?? '', vault: '' };
}
