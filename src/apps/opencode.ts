import { CONNECTED, type AiApp } from './ai-app.js';

/** The app merges all of these; the first one that exists is the one that it edits itself. */
const FILES = ['opencode.jsonc', 'opencode.json', 'config.json'];

export const opencode: AiApp = {
  id: 'opencode',
  title: 'opencode',
  config: {
    format: 'jsonc',
    section: 'mcp',
    required: { type: 'local' },
    isCommandList: true,
    variable: /\{(?:env|file):/,
    reload: 'Restart opencode; "opencode mcp list" shows the connection.',
    list: {
      program: 'opencode',
      args: ['mcp', 'list'],
      line: '^\\W*NAME +(\\S.*)$',
      working: CONNECTED,
    },
    places({ xdgConfig, join }) {
      const folder = join(xdgConfig, 'opencode');
      const otherFiles = FILES.map((name) => join(folder, name));
      return [{ folder, file: join(folder, 'opencode.json'), otherFiles }];
    },
  },
  acp: {
    command: 'opencode',
    args: ['acp'],
    install: 'npm install -g opencode-ai@1.18.33',
    binFolder: '.opencode/bin',
    homepage: 'https://opencode.ai',
    env: denyingEnv,
    hasFreeCloud: true,
  },
};

function denyingEnv(folders: readonly string[]): Record<string, string> {
  // The last matching rule wins.
  const denied = folders.map((folder) => [`*/${folder}/*`, 'deny']);
  const edit = Object.fromEntries([['*', 'ask'], ...denied]) as Record<string, string>;
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { edit, bash: 'ask' } }) };
}
