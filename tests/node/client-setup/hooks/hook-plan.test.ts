import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findApp } from '../../../../src/apps/index.js';
import { applyConnection } from '../../../../src/node/client-setup/apply.js';
import type { ClientConfig } from '../../../../src/node/client-setup/clients.js';
import { programOfHooks } from '../../../../src/node/client-setup/hooks/hook-config.js';
import {
  planHookRemoval,
  planHooks,
  shellWords,
} from '../../../../src/node/client-setup/hooks/hook-plan.js';
import { planConnection, planRemoval } from '../../../../src/node/client-setup/plan.js';
import { createFolder, node } from '../../folders.js';

const COMMAND = ['/usr/bin/node', '/p/savepoint/main.js'];
const VAULT = '/vault';

let home: string;

beforeEach(() => {
  home = createFolder();
});

/** The configuration of a client, and the file with its hooks. */
function configOf(client: 'claude-code' | 'codex' | 'gemini'): ClientConfig & { hooks: string } {
  const claude = join(home, '.claude');
  const codex = join(home, '.codex');
  const gemini = join(home, '.gemini');
  const settings = join(gemini, 'settings.json');
  const [folder, file, hooks] = {
    'claude-code': [claude, join(home, '.claude.json'), join(claude, 'settings.json')] as const,
    codex: [codex, join(codex, 'config.toml'), join(codex, 'hooks.json')] as const,
    gemini: [gemini, settings, settings] as const,
  }[client];
  return { app: findApp('config', client)!, folder, file, hooks };
}

const plan = (config: ClientConfig, command: readonly string[] = COMMAND, withTools = false) =>
  planHooks(node, config, command, 'linux', withTools);

it.each(['{"hooks":[]}', '{"hooks":{"SessionStart":"echo hi"}}'])(
  'names the file that has %s, and what to change in it',
  async (text) => {
    const config = configOf('claude-code');
    mkdirSync(config.folder, { recursive: true });
    writeFileSync(config.hooks, text);
    await expect(plan(config)).rejects.toThrow(
      `${config.hooks}: The hooks cannot be changed in this file without risk to the rest of it. Write "hooks" as an object of its usual form,`,
    );
  },
);

it('names the file in which an entry cannot be changed', async () => {
  const config = configOf('codex');
  mkdirSync(config.folder, { recursive: true });
  writeFileSync(config.file, 'mcp_servers = { gh = { command = "npx" } }\n');
  const settings = { vault: VAULT, surface: undefined, isReadOnly: false };
  await expect(
    planConnection(node, config, { ...settings, node: '/n', program: '/p' }),
  ).rejects.toThrow(
    `${config.file}: The entry "savepoint" cannot be changed in this file without risk to the rest of it. Write "mcp_servers" as tables such as [mcp_servers.NAME],`,
  );
});

describe.each(['claude-code', 'codex', 'gemini'] as const)('the hooks of %s', (client) => {
  it.each([
    undefined,
    '',
    '{}',
    '{"a":1}',
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "date" }] }]\n  },\n  "z": 1\n}\n',
    '{\r\n\t"hooks": { },\r\n\t"x": [ 1,2 ]\r\n}',
  ])('are added to %j with the entry, and undone to the same bytes', async (before) => {
    const config = configOf(client);
    if (before !== undefined) {
      mkdirSync(dirname(config.hooks), { recursive: true });
      writeFileSync(config.hooks, before);
    }
    const settings = { vault: VAULT, surface: undefined, isReadOnly: false };
    const [program = '', script = ''] = COMMAND;
    const entry = { ...settings, node: program, program: script };
    await applyConnection(node, await planConnection(node, config, entry), new Date(1));
    const added = await plan(config);
    expect(added).toMatchObject({ change: 'add', file: config.hooks });
    await applyConnection(node, added, new Date(2));
    expect(readFileSync(config.hooks, 'utf8')).toContain(
      `/usr/bin/node /p/savepoint/main.js hook session-start --client ${client}`,
    );
    expect((await plan(config)).change).toBe('none');

    const removal = await planHookRemoval(node, config);
    if (!removal) throw new Error('There are hooks to remove.');
    await applyConnection(node, removal, new Date(3));
    await applyConnection(node, await planRemoval(node, config, VAULT), new Date(4));
    expect(existsSync(config.hooks) ? readFileSync(config.hooks, 'utf8') : undefined).toBe(before);
    expect(await planHookRemoval(node, config)).toBeUndefined();
  });

  it.each([
    [true, true],
    [false, true],
    [true, false],
  ])('with those at tools (%s, then %s) are undone to the same bytes', async (...levels) => {
    const config = configOf(client);
    const before = '{\n  "hooks": {\n    "Other": [],\n    "x": 1\n  }\n}\n';
    mkdirSync(dirname(config.hooks), { recursive: true });
    writeFileSync(config.hooks, before);
    for (const [at, withTools] of levels.entries()) {
      const changed = await plan(config, COMMAND, withTools);
      await applyConnection(node, changed, new Date(at + 1));
      const text = readFileSync(config.hooks, 'utf8');
      expect(text).toContain(` hook prompt --client ${client}`);
      expect(text.includes(` hook tool --client ${client}`)).toBe(withTools);
      const hasSubagents = withTools && client !== 'gemini';
      expect(text.includes(` hook subagent --client ${client}`)).toBe(hasSubagents);
      expect((await plan(config, COMMAND, withTools)).change).toBe('none');
    }
    const removal = await planHookRemoval(node, config);
    if (!removal) throw new Error('There are hooks to remove.');
    await applyConnection(node, removal, new Date(3));
    expect(readFileSync(config.hooks, 'utf8')).toBe(before);
  });

  it('are removed from a file that has changed since', async () => {
    const config = configOf(client);
    await applyConnection(node, await plan(config), new Date(1));
    const data = JSON.parse(readFileSync(config.hooks, 'utf8')) as object;
    writeFileSync(config.hooks, JSON.stringify({ ...data, later: true }));
    const removal = await planHookRemoval(node, config);
    expect(removal?.after).toBe('{"later":true}');
  });

  it('quote paths for the shell', async () => {
    const config = configOf(client);
    const { after } = await plan(config, ['/opt/my node', "/it's/main.js"]);
    const quoted = `'/opt/my node' '/it'\\''s/main.js' hook turn --client ${client}`;
    expect(after).toContain(JSON.stringify(quoted).slice(1, -1));
  });
});

describe('planHooks', () => {
  it('refuses a client without hooks', async () => {
    const app = findApp('config', 'cursor')!;
    const config = { app, file: join(home, 'mcp.json'), folder: home };
    await expect(plan(config)).rejects.toThrow(
      'Cursor has no hooks that Savepoint can use. --hooks is for claude-code, codex, gemini. Nothing was done.',
    );
  });

  it('refuses a file with a syntax error, and says where it is', async () => {
    const config = configOf('codex');
    mkdirSync(dirname(config.hooks));
    writeFileSync(config.hooks, '{\n  oops\n}');
    await expect(plan(config)).rejects.toThrow(/its own file .*hooks\.json \(line 2, column 3: /);
  });

  it('refuses a path that the client would expand', async () => {
    await expect(plan(configOf('gemini'), ['node', '/a/$HOME/main.js'])).rejects.toThrow(
      'Gemini CLI would expand a part of "/a/$HOME/main.js" as a variable.',
    );
  });

  it('uses PowerShell for Gemini and slashes for all on Windows', async () => {
    const command = ['C:\\Program Files\\node.exe', 'C:\\main.js'];
    const gemini = await planHooks(node, configOf('gemini'), command, 'win32', false);
    expect(gemini.after).toContain('& \\"C:/Program Files/node.exe\\" \\"C:/main.js\\" hook turn');
    const claude = await planHooks(node, configOf('claude-code'), command, 'win32', false);
    expect(claude.after).toContain('"\\"C:/Program Files/node.exe\\" \\"C:/main.js\\" hook turn');
  });
});

describe('shellWords', () => {
  it('reads back the words of a command', async () => {
    for (const platform of ['linux', 'win32'] as const)
      for (const client of ['claude-code', 'gemini'] as const) {
        const name = platform === 'linux' ? 'it\'s the "program"' : "it's the program";
        const command = ['/usr/bin/node', `/a/${name}/main.js`];
        const { after } = await planHooks(node, configOf(client), command, platform, false);
        const program = programOfHooks(JSON.parse(after ?? '') as Record<string, unknown>) ?? '';
        expect(shellWords(program).filter((word) => word !== '&')).toEqual(command);
      }
  });
});
