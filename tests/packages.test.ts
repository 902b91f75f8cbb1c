import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { packageFiles, readAbout, registryEntry } from '../scripts/package-template.mjs';
import { zip } from '../scripts/zip.mjs';
import { readCommand } from '../src/cli/arguments.js';
import { HOOK_EVENTS } from '../src/apps/ai-app.js';
import { findApp } from '../src/apps/index.js';
import { allTools } from '../src/toolkit/toolkit.js';
import { PROGRAM } from './fakes/program.js';
import { createTestVault } from './fakes/test-vault.js';
import { unzip } from './fakes/unzip.js';

type Json = Readonly<Record<string, unknown>>;

interface HooksFile {
  readonly hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
}

interface ServersFile {
  readonly mcpServers: Record<string, { command: string; args: string[]; env?: Json }>;
}

const packages = await packageFiles();
const about = readAbout();

/** The folder and the files of each package, and the program's path as its server names it. */
const LAYOUTS = [
  {
    name: 'claude-code',
    root: 'savepoint/',
    manifest: '.claude-plugin/plugin.json',
    servers: '.mcp.json',
    program: '${CLAUDE_PLUGIN_ROOT}/main.js',
  },
  {
    name: 'codex',
    root: 'savepoint/',
    manifest: '.codex-plugin/plugin.json',
    servers: '.mcp.json',
    program: './main.js',
  },
  {
    name: 'agent-plugin',
    root: '',
    manifest: 'plugin.json',
    servers: 'mcp.json',
    program: '${PLUGIN_ROOT}/main.js',
  },
  {
    name: 'gemini',
    root: '',
    manifest: 'gemini-extension.json',
    servers: 'gemini-extension.json',
    program: '${extensionPath}${/}main.js',
  },
] as const;

const read = <T>(files: Readonly<Record<string, Buffer>>, path: string) =>
  JSON.parse(files[path]?.toString() ?? `no ${path}`) as T;

describe.each(LAYOUTS)('the package $name', (layout) => {
  const files = packages[layout.name];
  const inRoot = (path: string) => `${layout.root}${path}`;

  it('contains the program, the licence and the skills', () => {
    expect(files[inRoot('main.js')]?.equals(readFileSync(PROGRAM))).toBe(true);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(
        ['LICENSE', ...['save-point', 'resume', 'decide'].map((name) => skillPath(name))].map(
          inRoot,
        ),
      ),
    );
  });

  it('has the version and description of the program', () => {
    const { name, version, description } = about;
    expect(read<Json>(files, inRoot(layout.manifest))).toMatchObject({
      name,
      version,
      description,
    });
  });

  it('starts the server with a command that the program accepts', () => {
    const server = read<ServersFile>(files, inRoot(layout.servers)).mcpServers['savepoint'];
    expect(server?.command).toBe('node');
    const [program, ...args] = server?.args ?? [];
    expect(program).toBe(layout.program);
    expect(readCommand(args, parseArgs)).toMatchObject({
      name: 'mcp',
      values: { vault: undefined, toolsets: 'records' },
    });
  });
});

describe.each([
  ['claude-code', 'savepoint/', '${CLAUDE_PLUGIN_ROOT}'],
  ['codex', 'savepoint/', '${PLUGIN_ROOT}'],
  ['gemini', '', '${extensionPath}'],
] as const)('the hooks of the package %s', (client, root, folder) => {
  const file = `${root}hooks/hooks.json`;

  it('call the program at each event, as its own client', () => {
    const { hooks } = read<HooksFile>(packages[client], file);
    const { events, tells, unitMs, maxEndMs = 10_000 } = findApp('hooks', client)!.hooks;
    const [prompt] = tells;
    const all = [
      ...HOOK_EVENTS.map((event) => [event, events[event]] as const),
      ['prompt', prompt!.event] as const,
    ];
    expect(Object.keys(hooks)).toEqual(all.map(([, name]) => name));
    for (const [event, name] of all) {
      const [hook] = hooks[name]?.[0]?.hooks ?? [];
      const start = `node "${folder}/main.js" `;
      expect(hook?.command.startsWith(start)).toBe(true);
      const args = hook?.command.slice(start.length).split(' ') ?? [];
      expect(readCommand(args, parseArgs)).toMatchObject({
        name: 'hook',
        values: { event, client },
      });
      const most = event === 'session-end' ? maxEndMs : 10_000;
      expect((hook?.timeout ?? 0) * unitMs).toBe(most);
    }
  });

  it('pass no setting, because an unset one keeps a hook from running', () => {
    expect(packages[client][file]?.toString()).not.toMatch(/user_config|VAULT/);
  });
});

it('an archive has the files of its package', () => {
  const files = { 'a/b.json': Buffer.from('{}'), LICENSE: Buffer.from('x'.repeat(1000)) };
  expect(unzip(zip(files))).toEqual(new Map(Object.entries(files)));
});

describe('the settings for the vault', () => {
  it('are asked for by Claude Code and Gemini CLI, but not required', () => {
    const plugin = read<Json>(packages['claude-code'], 'savepoint/.claude-plugin/plugin.json');
    expect(plugin['userConfig']).toMatchObject({ vault: { type: 'directory', required: false } });
    const { mcpServers } = read<ServersFile>(packages['claude-code'], 'savepoint/.mcp.json');
    expect(mcpServers['savepoint']?.env).toEqual({ SAVEPOINT_VAULT: '${user_config.vault}' });
    const extension = read<Json>(packages.gemini, 'gemini-extension.json');
    expect(extension['settings']).toMatchObject([{ envVar: 'SAVEPOINT_VAULT' }]);
  });
});

describe('the Agent Plugins package', () => {
  const files = packages['agent-plugin'];

  it('follows the specification 1.0.0', () => {
    const { $schema, name, ...texts } = read<Json>(files, 'plugin.json');
    expect($schema).toBe('https://agent-plugins.org/schemas/1.0.0/plugin.schema.json');
    expect(name).toMatch(/^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/);
    const allowed = ['version', 'description', 'author', 'license', 'keywords'];
    expect(Object.keys(texts).filter((field) => !allowed.includes(field))).toEqual([]);
    const servers = read<Json>(files, 'mcp.json');
    expect(Object.keys(servers)).toEqual(['$schema', 'mcpServers']);
    expect(servers['$schema']).toBe('https://agent-plugins.org/schemas/1.0.0/mcp.schema.json');
    expect(servers['mcpServers']).toEqual({
      savepoint: { type: 'stdio', command: 'node', args: expect.any(Array) as unknown },
    });
  });
});

describe('the Codex package', () => {
  const files = packages.codex;

  it('has no manifest of Agent Plugins, with which Codex runs no hooks', () => {
    expect(Object.keys(files)).not.toContain('savepoint/plugin.json');
  });

  it('names only paths that it contains', () => {
    const manifest = read<Record<string, string>>(files, 'savepoint/.codex-plugin/plugin.json');
    for (const field of ['skills', 'mcpServers', 'hooks']) {
      const path = (manifest[field] ?? '').replace(/^\.\//, 'savepoint/');
      expect(Object.keys(files).some((file) => file.startsWith(path))).toBe(true);
    }
  });
});

describe('the marketplaces', () => {
  it.each([
    ['claude-code', '.claude-plugin/marketplace.json', './savepoint'],
    ['codex', '.agents/plugins/marketplace.json', { source: 'local', path: './savepoint' }],
  ] as const)('of %s offers the folder of the plugin', (name, path, source) => {
    expect(read<Json>(packages[name], path)['plugins']).toMatchObject([
      { name: 'savepoint', source },
    ]);
  });
});

describe('the entry for the MCP registry', () => {
  const sha256 = 'ab'.repeat(32);
  const entry = JSON.parse(
    registryEntry('owner/repository', 'savepoint.mcpb', sha256).toString(),
  ) as Json & { packages: Json[] };

  it('names the bundle of the release with its checksum', () => {
    expect(entry.packages).toMatchObject([
      {
        registryType: 'mcpb',
        identifier: `https://github.com/owner/repository/releases/download/${about.version}/savepoint.mcpb`,
        version: about.version,
        fileSha256: sha256,
        transport: { type: 'stdio' },
      },
    ]);
  });

  it('keeps the limits of the schema', () => {
    expect(entry).toMatchObject({ version: about.version, name: 'io.github.owner/savepoint' });
    expect(about.description.length).toBeLessThanOrEqual(100);
    expect(entry['name']).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  });
});

const skillPath = (name: string) => `skills/${name}/SKILL.md`;

describe.each(['save-point', 'resume', 'decide'])('the skill %s', (name) => {
  const text = packages.gemini[skillPath(name)]?.toString() ?? '';
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];

  it('is at most twenty lines, and says when to use it', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    const { description, ...rest } = parseYaml(head) as Record<string, string>;
    expect(rest).toEqual({ name });
    expect(description).toMatch(/ Use it when /);
    expect(description?.length).toBeLessThanOrEqual(1024);
  });

  it('names only tools, parameters and values that exist', () => {
    const tools = allTools(createTestVault().toolkit).map(({ tool }) => tool);
    const parameters = tools.flatMap(({ input }) => Object.keys(input.shape));
    const known = new Set([...tools.map((tool) => tool.name), ...parameters]);
    const named = [...body.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((word) => !known.has(word))).toEqual([]);
  });
});
