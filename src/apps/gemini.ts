import { objectAt, textAt, textsIn } from '../model/text/json-fields.js';
import { PACKAGE_NAME, STATUS_LINES, type AiApp } from './ai-app.js';
import {
  deniesPrefix,
  isEmptyList,
  isFalse,
  lacksServer,
  namesServer,
  shadowsOf,
  switchesOf,
} from './switches.js';
import { geminiTranscript } from './transcripts/gemini.js';

export const gemini: AiApp = {
  id: 'gemini',
  title: 'Gemini CLI',
  projectVariable: 'GEMINI_PROJECT_DIR',
  clientNames: ['gemini-cli-mcp-client'],
  config: {
    format: 'json-comments',
    section: 'mcpServers',
    variable: /\$(?:\w|\{)/,
    reload: 'Restart Gemini CLI; /mcp shows the connection.',
    refusesMark: true,
    // In an untrusted folder, it starts no server. The home folder has nobody else's settings.
    list: {
      ...STATUS_LINES,
      program: 'gemini',
      args: ['mcp', 'list'],
      env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    },
    places: ({ home, variable, join }) => [
      { folder: join(variable('GEMINI_CLI_HOME') ?? home, '.gemini'), file: 'settings.json' },
    ],
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
    file: 'settings.json',
    format: 'json-comments',
    events: {
      'session-start': 'SessionStart',
      turn: 'AfterAgent',
      'pre-compact': 'PreCompress',
      'session-end': 'SessionEnd',
    },
    tells: [
      { moment: 'prompt', event: 'BeforeAgent' },
      {
        moment: 'tool',
        event: 'AfterTool',
        matcher: '^(read_file|replace|write_file|run_shell_command)$',
      },
    ],
    unitMs: 1,
    advice: 'Restart Gemini CLI. It runs hooks only in folders that you trust.',
    windowsPrefix: '& ', // the shell is PowerShell
    announcesRequests: true,
    forgetsOnResume: true,
    answerField: 'prompt_response',
    transcript: geminiTranscript,
  },
  switches({ system, variable, join }) {
    const mac = '/Library/Application Support/GeminiCli';
    const folder = system('/etc/gemini-cli', mac, 'C:\\ProgramData\\gemini-cli');
    const files = [
      variable('GEMINI_CLI_SYSTEM_DEFAULTS_PATH') ?? join(folder, 'system-defaults.json'),
      'settings.json',
      './.gemini/settings.json',
      variable('GEMINI_CLI_SYSTEM_SETTINGS_PATH') ?? join(folder, 'settings.json'),
    ];
    const docs = 'https://geminicli.com/docs';
    const source = `${docs}/reference/configuration`;
    const enablement = ['mcp-server-enablement.json'];
    const isOwn = (text: string) => text.endsWith('--client gemini');
    return [
      ...switchesOf('server', source, files, {
        'mcp/allowed': lacksServer,
        'mcp/excluded': namesServer,
      }),
      ...switchesOf('tools', `${docs}/tools/mcp-server`, files, {
        'mcpServers/NAME/includeTools': isEmptyList,
      }),
      ...switchesOf('tools', `${docs}/reference/policy-engine`, files, {
        'tools/exclude': (list, { name }) => deniesPrefix(list, `mcp_${name}_`),
      }),
      ...shadowsOf(source, ['./.gemini/settings.json'], 'mcpServers'),
      ...switchesOf('server', `${docs}/tools/mcp-server`, enablement, { 'NAME/enabled': isFalse }),
      ...switchesOf('hooks', source, files, {
        'hooksConfig/enabled': isFalse,
        'hooksConfig/disabled': (list) => textsIn(list).some(isOwn) || undefined,
      }),
    ];
  },
  acp: {
    command: 'gemini',
    args: ['--acp'],
    install: 'npm install -g @google/gemini-cli@0.61.0',
    homepage: 'https://github.com/google-gemini/gemini-cli',
  },
  async findPackage({ fields, text }) {
    const folder = `extensions/${PACKAGE_NAME}`;
    const version = textAt(await fields(`${folder}/gemini-extension.json`), 'version');
    if (version === '') return undefined;
    const line = /^SAVEPOINT_VAULT=(["']?)(.*)\1$/m.exec(await text(`${folder}/.env`));
    return { version, vault: line?.[2] ?? '' };
  },
};
