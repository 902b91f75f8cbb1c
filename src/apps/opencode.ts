import { STATUS_LINES, type AiApp } from './ai-app.js';
import { deniesTools, isFalse, isTrue, shadowsOf, switchesOf } from './switches.js';

export const opencode: AiApp = {
  id: 'opencode',
  title: 'opencode',
  config: {
    format: 'jsonc',
    section: 'mcp',
    newerSection: 'mcp/servers', // https://opencode.ai/v2/docs/mcp-servers
    required: { type: 'local' },
    isCommandList: true,
    variable: /\{(?:env|file):/,
    reload: 'Restart opencode; "opencode mcp list" shows the connection.',
    list: {
      program: 'opencode',
      args: ['mcp', 'list'],
      line: '^\\W*NAME +(\\S.*)$',
      working: STATUS_LINES.working,
    },
    // It merges all of these, and edits the first one that exists.
    places: ({ xdgConfig, join }) => [
      {
        folder: join(xdgConfig, 'opencode'),
        file: 'opencode.json',
        otherFiles: ['opencode.jsonc', 'opencode.json', 'config.json'],
      },
    ],
  },
  switches({ home, system, variable, join }) {
    const windows = join(variable('ProgramData') ?? 'C:\\ProgramData', 'opencode');
    const managed = system('/etc/opencode', '/Library/Application Support/opencode', windows);
    const inEach = (...folders: string[]) =>
      folders.flatMap((folder) => [`${folder}opencode.json`, `${folder}opencode.jsonc`]);
    const files = [
      'config.json',
      ...inEach(''),
      ...[variable('OPENCODE_CONFIG') ?? []].flat(),
      ...inEach('./', join(home, '.opencode/'), './.opencode/'),
      ...inEach(...[variable('OPENCODE_CONFIG_DIR') ?? []].flat().map((each) => join(each, '/'))),
      ...(variable('OPENCODE_CONFIG_CONTENT') === undefined ? [] : ['$OPENCODE_CONFIG_CONTENT']),
      ...inEach(join(managed, '/')),
    ];
    const projects = inEach('./', './.opencode/');
    const source = 'https://opencode.ai/docs/config';
    const tools = { tools: deniesTools(false), permission: deniesTools('deny') };
    return [
      ...switchesOf('server', source, files, { 'mcp/NAME/enabled': isFalse }),
      ...switchesOf('server', 'https://opencode.ai/v2/docs/mcp-servers', files, {
        'mcp/servers/NAME/disabled': isTrue,
      }),
      ...['mcp', 'mcp/servers'].flatMap((section) => shadowsOf(source, projects, section)),
      ...switchesOf('tools', source, files, tools),
    ];
  },
  acp: {
    command: 'opencode',
    args: ['acp'],
    install: 'npm install -g opencode-ai@1.18.33',
    binFolder: '.opencode/bin',
    homepage: 'https://opencode.ai',
    env(folders) {
      // The last matching rule wins.
      const denied = folders.map((folder) => [`*/${folder}/*`, 'deny']);
      const edit: unknown = Object.fromEntries([['*', 'ask'], ...denied]);
      return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { edit, bash: 'ask' } }) };
    },
    hasFreeCloud: true,
  },
};
