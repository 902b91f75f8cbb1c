/**
 * What the packages for AI apps contain: one description, one version, one set of skills and hooks,
 * in the format of each app.
 */
import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SKILLS = 'assets/skills';
const NAME = 'savepoint';
const TITLE = 'Savepoint';
const AGENT_PLUGINS = 'https://agent-plugins.org/schemas/1.0.0';
const REGISTRY_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Arguments that start the server. The skill `decide` needs the records. */
const SERVE = ['mcp', '--toolsets', 'records'];
/** Codex starts servers without the user's variables, except for those that are listed. */
const VARIABLES = ['SAVEPOINT_VAULT', 'SAVEPOINT_STATE'];
const VAULT_SETTING = {
  title: 'Vault',
  description:
    'The folder of your Obsidian vault. Leave it empty if Obsidian has only one vault on this device.',
};

/** @typedef {Readonly<Record<string, Buffer>>} Files Contents by path. */

/**
 * Returns the files of each package by the package's name.
 * @returns {Promise<Readonly<Record<'claude-code' | 'codex' | 'agent-plugin' | 'gemini', Files>>>}
 */
export async function packageFiles() {
  const { hookSettings, findApp } = await loadApps();
  const hooks = (id, program) =>
    json({ hooks: hookSettings(findApp('hooks', id), program, false) });
  const about = readAbout();
  const common = {
    'main.js': readFileSync(join(root, 'main.js')),
    LICENSE: readFileSync(join(root, 'LICENSE')),
    ...readSkills(),
  };
  return {
    'claude-code': {
      '.claude-plugin/marketplace.json': json(claudeMarketplace(about)),
      ...inFolder(NAME, {
        '.claude-plugin/plugin.json': json(claudePlugin(about)),
        '.mcp.json': json({
          mcpServers: {
            [NAME]: {
              command: 'node',
              args: ['${CLAUDE_PLUGIN_ROOT}/main.js', ...SERVE],
              env: { SAVEPOINT_VAULT: '${user_config.vault}' },
            },
          },
        }),
        'hooks/hooks.json': hooks('claude-code', 'node "${CLAUDE_PLUGIN_ROOT}/main.js"'),
        ...common,
      }),
    },
    codex: {
      '.agents/plugins/marketplace.json': json(codexMarketplace()),
      ...inFolder(NAME, {
        '.codex-plugin/plugin.json': json(codexPlugin(about)),
        '.mcp.json': json({
          mcpServers: {
            [NAME]: {
              command: 'node',
              args: ['./main.js', ...SERVE],
              cwd: '.',
              env_vars: VARIABLES,
            },
          },
        }),
        'hooks/hooks.json': hooks('codex', 'node "${PLUGIN_ROOT}/main.js"'),
        ...common,
      }),
    },
    'agent-plugin': {
      'plugin.json': json({ $schema: `${AGENT_PLUGINS}/plugin.schema.json`, ...about }),
      'mcp.json': json({
        $schema: `${AGENT_PLUGINS}/mcp.schema.json`,
        mcpServers: {
          [NAME]: { type: 'stdio', command: 'node', args: ['${PLUGIN_ROOT}/main.js', ...SERVE] },
        },
      }),
      ...common,
    },
    gemini: {
      'gemini-extension.json': json(geminiExtension(about)),
      'hooks/hooks.json': hooks('gemini', 'node "${extensionPath}/main.js"'),
      ...common,
    },
  };
}

/**
 * Returns the entry for the MCP registry.
 * @param {string} repository Owner and name of the repository whose release has the bundle.
 * @param {string} bundle File name of the bundle for Claude Desktop.
 * @param {string} sha256 Checksum of the bundle, in hexadecimal.
 */
export function registryEntry(repository, bundle, sha256) {
  const { version, description } = readAbout();
  const [owner] = repository.split('/');
  const url = `https://github.com/${repository}`;
  return json({
    $schema: REGISTRY_SCHEMA,
    name: `io.github.${owner}/${NAME}`,
    title: TITLE,
    description,
    version,
    repository: { url, source: 'github' },
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${url}/releases/download/${version}/${bundle}`,
        version,
        fileSha256: sha256,
        transport: { type: 'stdio' },
        environmentVariables: [
          {
            name: 'SAVEPOINT_VAULT',
            description: VAULT_SETTING.description,
            format: 'filepath',
            isRequired: false,
          },
        ],
      },
    ],
  });
}

/**
 * Returns what each manifest says about the program.
 * @returns {{ name: string, version: string, description: string, author: { name: string },
 * license: string, keywords: string[] }}
 */
export function readAbout() {
  const { version, author, license, keywords } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    name: NAME,
    version,
    description: 'Memory for AI agents in your Obsidian vault.',
    author: { name: author },
    license,
    keywords,
  };
}

function claudePlugin(about) {
  return {
    ...about,
    userConfig: { vault: { type: 'directory', ...VAULT_SETTING, required: false } },
  };
}

function claudeMarketplace({ description, author, version }) {
  return {
    name: NAME,
    owner: author,
    metadata: { description, version },
    plugins: [{ name: NAME, source: `./${NAME}`, description }],
  };
}

function codexPlugin(about) {
  return {
    ...about,
    skills: './skills/',
    mcpServers: './.mcp.json',
    hooks: './hooks/hooks.json',
    interface: { displayName: TITLE, shortDescription: about.description },
  };
}

function codexMarketplace() {
  return {
    name: NAME,
    interface: { displayName: TITLE },
    plugins: [
      {
        name: NAME,
        source: { source: 'local', path: `./${NAME}` },
        policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
        category: 'Productivity',
      },
    ],
  };
}

function geminiExtension({ name, version, description }) {
  return {
    name,
    version,
    description,
    mcpServers: {
      [NAME]: { command: 'node', args: ['${extensionPath}${/}main.js', ...SERVE] },
    },
    settings: [
      {
        name: VAULT_SETTING.title,
        description: VAULT_SETTING.description,
        envVar: 'SAVEPOINT_VAULT',
      },
    ],
  };
}

function readSkills() {
  const names = readdirSync(join(root, SKILLS)).sort();
  return Object.fromEntries(
    names.map((name) => [
      `skills/${name}/SKILL.md`,
      readFileSync(join(root, SKILLS, name, 'SKILL.md')),
    ]),
  );
}

function inFolder(folder, files) {
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [`${folder}/${path}`, bytes]),
  );
}

function json(value) {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** Loads what `connect --hooks` knows about apps. */
async function loadApps() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `
        export { findApp } from './src/apps/index.js';
        export { hookSettings } from './src/node/client-setup/hooks/hook-settings.js';`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
