// Tier full: builds the bundle for Claude Desktop, which npm run reproduce does, too
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { endOf, PROGRAM, temporaryFolder } from './fakes/program.js';
import { unzip } from './fakes/unzip.js';

const SCRIPT = fileURLToPath(new URL('../scripts/make-mcpb.mjs', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly server: {
    readonly entry_point: string;
    readonly mcp_config: { readonly args: string[]; readonly env: Record<string, string> };
  };
  readonly tools: { readonly name: string }[];
  readonly user_config: Record<string, { readonly type: string; readonly required: boolean }>;
}

it('the MCPB bundle is a valid archive that serves the selected vault', async ({ skip }) => {
  const folder = temporaryFolder('mcpb');
  const out = join(folder, 'savepoint.mcpb');
  const { code, stdout, stderr } = await endOf(
    spawn(process.execPath, [SCRIPT, '--out', out], { stdio: 'pipe' }),
  );
  expect([0, 2]).toContain(code);
  const files = unzip(readFileSync(out));
  expect([...files.keys()]).toEqual([
    'manifest.json',
    'server/index.js',
    'server/main.js',
    'LICENSE',
  ]);
  expect(files.get('server/main.js')?.equals(readFileSync(PROGRAM))).toBe(true);
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '') as Manifest;
  expect(manifest.user_config).toMatchObject({ vault: { type: 'directory', required: true } });
  const { args, env } = manifest.server.mcp_config;
  expect(args).toEqual([`\${__dirname}/${manifest.server.entry_point}`]);
  const vault = join(folder, 'my "vault" 工作');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  const userConfig = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replace('${user_config.vault}', vault),
    ]),
  );
  const entry = join(folder, manifest.server.entry_point);
  // As a program, and as an import with other arguments, like Claude Desktop.
  for (const given of [
    [entry],
    [
      '--input-type=module',
      '--eval',
      `await import(${JSON.stringify(pathToFileURL(entry).href)})`,
      '--',
      'more',
    ],
  ]) {
    const client = new Client({ name: 'savepoint-tests', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: given,
        env: { ...userConfig, SAVEPOINT_STATE: join(folder, 'state') },
        stderr: 'inherit',
      }),
    );
    expect(client.getServerVersion()).toMatchObject({
      name: 'savepoint',
      version: manifest.version,
      title: 'Savepoint (my "vault" 工作)',
    });
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    const known = manifest.tools.map(({ name }) => name);
    expect(listed.filter((name) => !known.includes(name))).toEqual([]);
    const answer = await client.callTool({ name: 'listWorkspaces', arguments: {} });
    expect(answer.structuredContent).toMatchObject({ success: true });
    await client.close();
  }
  if (code === 2) skip(stderr.trim());
  expect(stdout).toMatch(/@anthropic-ai\/mcpb@[\d.]+ says that it is valid\n$/);
}, 180_000);
