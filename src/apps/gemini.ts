import { objectAt, textAt } from '../model/text/json-fields.js';
import {
  CONNECTED,
  NAME_COMMAND_STATUS,
  PACKAGE_NAME,
  type AiApp,
  type AppFiles,
  type InstalledPackage,
} from './ai-app.js';
import { readGeminiLine, withoutHookContext } from './transcripts/gemini.js';

const SETTINGS = 'settings.json';

export const gemini: AiApp = {
  id: 'gemini',
  title: 'Gemini CLI',
  clientNames: ['gemini-cli-mcp-client'],
  findPackage,
  config: {
    format: 'jsonc',
    section: 'mcpServers',
    variable: /\$(?:\w|\{)/,
    reload: 'Restart Gemini CLI; /mcp shows the connection.',
    list: {
      program: 'gemini',
      args: ['mcp', 'list'],
      // In a folder that is not trusted, it would start no server at all. The home folder contains
      // nobody else's settings.
      env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      line: NAME_COMMAND_STATUS,
      working: CONNECTED,
    },
    places({ home, variable, join }) {
      const folder = join(variable('GEMINI_CLI_HOME') ?? home, '.gemini');
      return [{ folder, file: join(folder, SETTINGS) }];
    },
  },
  trust: {
    isOff: (settings) =>
      objectAt(objectAt(settings, 'security'), 'folderTrust')['enabled'] === false,
    list: 'trustedFolders.json',
    listVariable: 'GEMINI_CLI_TRUSTED_FOLDERS_PATH',
    advice:
      'start gemini in your project and choose to trust the folder, or pass --skip-trust if nobody is there to ask',
  },
  hooks: {
    file: SETTINGS,
    format: 'jsonc',
    events: {
      'session-start': 'SessionStart',
      turn: 'AfterAgent',
      'pre-compact': 'PreCompress',
      'session-end': 'SessionEnd',
    },
    unitMs: 1,
    advice: 'Restart Gemini CLI. It runs hooks only in folders that you trust.',
    windowsPrefix: '& ', // the shell is PowerShell
    announcesRequests: true,
    answerField: 'prompt_response',
    withoutAdditions: withoutHookContext,
    readLine: readGeminiLine,
  },
  acp: {
    command: 'gemini',
    args: ['--acp'],
    install: 'npm install -g @google/gemini-cli@0.61.0',
    homepage: 'https://github.com/google-gemini/gemini-cli',
  },
};

async function findPackage({ fields, text }: AppFiles): Promise<InstalledPackage | undefined> {
  const folder = `extensions/${PACKAGE_NAME}`;
  const version = textAt(await fields(`${folder}/gemini-extension.json`), 'version');
  if (version === '') return undefined;
  const [, , vault = ''] =
    /^SAVEPOINT_VAULT=(["']?)(.*)\1$/m.exec(await text(`${folder}/.env`)) ?? [];
  return { version, vault };
}
