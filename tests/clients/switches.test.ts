import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findListCheck } from '../../src/node/client-setup/check/client-list.js';
import { findSwitches } from '../../src/node/client-setup/check/find-switches.js';
import { findClientConfigs } from '../../src/node/client-setup/clients.js';
import { readOwnEntries } from '../../src/node/client-setup/plan.js';
import { PROGRAM } from '../fakes/program.js';
import { createFolder, node } from '../node/folders.js';
import { isNightly } from '../tier.js';
import { installClient } from './install-client.js';
import { createHome, REAL_CLIENTS, runClient } from './real-clients.js';

const SETUP_TIMEOUT_MS = 30 * 60_000;

/** By client: a file in the home folder, and how to switch the server off in it. */
const SWITCHES: Readonly<Record<string, readonly [string, (settings: string) => string]>> = {
  'claude-code': [
    '.claude/settings.json',
    added({ deniedMcpServers: [{ serverName: 'savepoint' }] }),
  ],
  codex: ['.codex/config.toml', (text) => `${text}enabled = false\n`],
  gemini: ['.gemini/settings.json', added({ mcp: { excluded: ['savepoint'] } })],
  opencode: ['.config/opencode/opencode.json', disabledInEntry],
  copilot: ['.copilot/settings.json', added({ disabledMcpServers: ['savepoint'] })],
};

function added(fields: object): (text: string) => string {
  return (text) => JSON.stringify({ ...(JSON.parse(text || '{}') as object), ...fields });
}

function disabledInEntry(text: string): string {
  const settings = JSON.parse(text) as { mcp: { savepoint: object } };
  return JSON.stringify({ mcp: { savepoint: { ...settings.mcp.savepoint, enabled: false } } });
}

const clients = REAL_CLIENTS.filter(({ id }) => id in SWITCHES).map((client) => ({
  ...client,
  ...(isNightly ? installClient(client.npmPackage) : { problem: 'not asked for' }),
}));
for (const client of isNightly ? clients : [])
  if ('problem' in client) console.warn(`Skipped: ${client.problem}`);

describe.skipIf(process.platform === 'win32').each(clients)('$id $version', (client) => {
  it.skipIf('problem' in client)(
    'lists the server as working until a setting switches it off, which is found',
    { timeout: SETUP_TIMEOUT_MS },
    async () => {
      const folder = createFolder();
      const bin = 'bin' in client ? client.bin : '';
      const home = createHome(folder, client, bin, 'http://127.0.0.1:9');
      const args = [PROGRAM, 'connect', client.id, '--vault', home.vault];
      await runClient(process.execPath, args, home.project, home.env);
      const host = {
        platform: process.platform,
        env: home.env,
        home: folder,
        execPath: process.execPath,
      };
      const configs = await findClientConfigs(node, host);
      const config = configs.find(({ app }) => app.id === client.id)!;
      const judge = async () => {
        const [entry] = await readOwnEntries(node, config);
        if (typeof entry !== 'object') throw new Error(`There is no entry in ${config.file}`);
        const list = await findListCheck(node, host, config.app, entry);
        const found = await findSwitches(node, config, 'server', entry, []);
        return {
          byApp: await list!().then(
            () => 'working',
            (error: Error) => error.message,
          ),
          byUs: found.map(({ text }) => text),
        };
      };
      expect(await judge()).toEqual({ byApp: 'working', byUs: [] });
      const [name, change] = SWITCHES[client.id]!;
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, change(textOf(file)));
      const { byApp, byUs } = await judge();
      expect(byUs, byApp).toEqual([expect.stringContaining(file)]);
      expect(byApp).not.toBe('working');
    },
  );
});

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
