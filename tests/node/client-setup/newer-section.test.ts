import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findApp } from '../../../src/apps/index.js';
import { applyConnection } from '../../../src/node/client-setup/apply.js';
import type { ClientConfig } from '../../../src/node/client-setup/clients.js';
import { disconnectAll } from '../../../src/node/client-setup/disconnect-all.js';
import {
  planConnection,
  planRemoval,
  readOwnEntries,
  type ConnectionPlan,
} from '../../../src/node/client-setup/plan.js';
import { createFolder, node } from '../folders.js';

const ENTRY = { type: 'local', command: ['/n', '/p.js', 'mcp', '--vault', '/v'] };
const OTHER = { type: 'local', command: ['npx', 'gh'], environment: { T: 'a secret word' } };

let config: ClientConfig;

beforeEach(() => {
  const app = findApp('config', 'opencode')!;
  const folder = join(createFolder(), '.config', 'opencode');
  config = { app, folder, file: join(folder, 'opencode.json') };
});

function write(mcp: object): string {
  const text = `${JSON.stringify({ theme: 'x', mcp }, null, 2)}\n`;
  mkdirSync(dirname(config.file), { recursive: true });
  writeFileSync(config.file, text);
  return text;
}
const read = () => readFileSync(config.file, 'utf8');
const mcpNow = () => (JSON.parse(read()) as { mcp: unknown }).mcp;
const apply = (plan: ConnectionPlan) => applyConnection(node, plan, new Date());
const connect = () =>
  planConnection(node, config, {
    vault: '/v',
    surface: undefined,
    isReadOnly: false,
    node: '/n',
    program: '/p.js',
  });

describe('a file with the section of newer versions', () => {
  it.each([{ servers: {} }, { timeout: { startup: 20 }, servers: { gh: OTHER } }])(
    'gets the entry there, and gets every byte back: %j',
    async (mcp) => {
      const before = write(mcp);
      await apply(await connect());
      expect(mcpNow()).toEqual({ ...mcp, servers: { ...mcp.servers, savepoint: ENTRY } });
      expect((await connect()).change).toBe('none');
      await apply(await planRemoval(node, config, '/v'));
      expect(read()).toBe(before);
    },
  );

  it.each([
    { servers: { savepoint: ENTRY, gh: OTHER } },
    { servers: { gh: OTHER }, savepoint: ENTRY },
  ])('keeps an entry where it is, and loses it when it is removed: %j', async (mcp) => {
    write(mcp);
    expect((await connect()).change).toBe('none');
    const plan = await planRemoval(node, config, '/v');
    expect(plan.shown?.(read())).toContain('--vault');
    expect(plan.shown?.(read())).not.toContain('a secret word');
    await apply(plan);
    expect(mcpNow()).toEqual({ servers: { gh: OTHER } });
  });

  it('loses both entries of one name when everything is removed', async () => {
    write({ savepoint: ENTRY, servers: { savepoint: ENTRY } });
    const home = dirname(dirname(config.folder));
    const host = { platform: process.platform, env: {}, home, execPath: '/n' } as const;
    const printed: string[] = [];
    expect(await disconnectAll(node, host, false, (text) => void printed.push(text))).toBe(true);
    expect(mcpNow()).toEqual({ servers: {} });
    expect(printed.join('')).toContain('"--vault"');
  });

  it('is not one with a server of the name of that section', async () => {
    const before = write({ servers: OTHER });
    await apply(await connect());
    expect(mcpNow()).toEqual({ servers: OTHER, savepoint: ENTRY });
    await apply(await planRemoval(node, config, '/v'));
    expect(read()).toBe(before);
  });

  it('shows what the newer section says of a disabled entry', async () => {
    write({ servers: { savepoint: { ...ENTRY, disabled: true } } });
    expect(await readOwnEntries(node, config)).toMatchObject([{ isDisabled: true }]);
  });
});
