import { objectAt, textAt } from '../model/text/json-fields.js';
import { PACKAGE_NAME, STATUS_LINES, type AiApp } from './ai-app.js';
import { geminiTranscript } from './transcripts/gemini.js';

export const gemini: AiApp = {
  id: 'gemini',
  title: 'Gemini CLI',
  projectVariable: 'GEMINI_PROJECT_DIR',
  clientNames: ['gemini-cli-mcp-client'],
  config: {
    format: 'jsonc',
    section: 'mcpServers',
    variable: /\$(?:\w|\{)/,
    reload: 'Restart Gemini CLI; /mcp shows the connection.',
    obstacle(settings, server) {
      const { allowed, excluded } = objectAt(settings, 'mcp');
      if (Array.isArray(allowed) && !allowed.includes(server)) return 'mcp.allowed';
      return Array.isArray(excluded) && excluded.includes(server) ? 'mcp.excluded' : undefined;
    },
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
    format: 'jsonc',
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
    switch: {
      file: 'settings.json',
      format: 'jsonc',
      name: 'hooksConfig.enabled',
      isOff: (settings) => objectAt(settings, 'hooksConfig')['enabled'] === false,
    },
    windowsPrefix: '& ', // the shell is PowerShell
    announcesRequests: true,
    forgetsOnResume: true,
    answerField: 'prompt_response',
    transcript: geminiTranscript,
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
