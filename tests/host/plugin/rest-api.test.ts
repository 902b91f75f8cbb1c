// Tier full: further cases of Local REST API
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import type { NodeHost } from '../node-host.js';
import { createDesktopPlace, startDesktop } from './desktop-app.js';
import type LocalRestApi from './rest-api-host.js';

const ID = 'obsidian-local-rest-api';

async function bundleHost(apiVersion: number): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('rest-api-host.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['obsidian'],
    logLevel: 'error',
    define: { API_VERSION: String(apiVersion) },
  });
  return outputFiles[0]!.text;
}

/** Installs a stand-in for Local REST API without enabling it. */
async function install(host: NodeHost, apiVersion = 3): Promise<void> {
  await host.evaluate(
    (running, [source, id]) => {
      const manifest = {
        id,
        name: 'Local REST API',
        version: '5.1.0',
        minAppVersion: '1.13.0',
        author: 'x',
        description: 'x',
      };
      const requireIn = (globalThis as unknown as { require: (name: string) => unknown }).require;
      const { module } = running;
      running.app.plugins.install(source, manifest, (name) =>
        name === 'obsidian' ? module : requireIn(name),
      );
    },
    [await bundleHost(apiVersion), ID] as const,
  );
}

const enable = (host: NodeHost, isOn: boolean) =>
  host.evaluate(
    async (running, [id, wanted]) => {
      await (wanted ? running.app.plugins.enablePlugin(id) : running.app.plugins.disablePlugin(id));
    },
    [ID, isOn] as const,
  );

interface Listed {
  readonly name: string;
  readonly inputSchema: {
    readonly properties?: Record<string, unknown>;
    readonly required?: string[];
  };
  readonly annotations?: object;
}

const tools = (host: NodeHost) =>
  host.evaluate(async (running, id) => {
    const plugin = running.app.plugins.plugins[id] as unknown as LocalRestApi;
    return plugin.asClient(async (client) => (await client.listTools()).tools as unknown);
  }, ID) as Promise<Listed[]>;

const names = async (host: NodeHost) => (await tools(host)).map(({ name }) => name);

const call = (host: NodeHost, name: string, params: object = {}) =>
  host.evaluate(
    async (running, [id, tool, given]) => {
      const plugin = running.app.plugins.plugins[id] as unknown as LocalRestApi;
      return plugin.asClient(
        (client) =>
          client.callTool({
            name: tool,
            arguments: given as Record<string, unknown>,
          }) as Promise<unknown>,
      );
    },
    [ID, name, params] as const,
  ) as Promise<{ content: { text: string }[]; structuredContent?: unknown; isError?: boolean }>;

describe('Local REST API', () => {
  test('is offered no tools by default, and all with schemas once turned on', async () => {
    const place = createDesktopPlace();
    const { host, openPage, turn, texts } = await startDesktop(place);
    await install(host);
    await enable(host, true);
    expect(await names(host)).toEqual(['vault_list']);
    await openPage('AI apps');
    await turn('Offer tools through Local REST API');
    await expect.poll(() => names(host)).toContain('createState');
    expect((await texts('.modal')).join('')).toContain('The tools are available there.');
    const listed = await tools(host);
    const saving = listed.find(({ name }) => name === 'createState');
    expect(saving?.inputSchema.required?.sort()).toEqual([
      'activeFiles',
      'activeTask',
      'conversationContext',
      'name',
      'nextSteps',
    ]);
    expect(saving?.inputSchema.properties).toMatchObject({
      name: { type: 'string', description: expect.any(String) as string },
      tags: { type: 'array', items: { type: 'string' } },
      workspaceId: { type: 'string' },
    });
    expect(listed.find(({ name }) => name === 'listStates')?.annotations).toMatchObject({
      readOnlyHint: true,
    });

    expect(await call(host, 'createWorkspace', garden)).toMatchObject({
      structuredContent: { success: true },
      isError: false,
    });
    expect(await call(host, 'createState', stateNamed('Plan'))).toMatchObject({
      structuredContent: { success: true },
    });
    expect(await call(host, 'createState', stateNamed('Plan'))).toMatchObject({
      isError: true,
      structuredContent: {
        success: false,
        error: expect.stringContaining('already exists') as string,
      },
    });
    expect(await call(host, 'loadWorkspace', { name: 'Garden' })).toMatchObject({
      structuredContent: { data: { states: [{ name: 'Plan' }] } },
    });
    const calls = [
      { agent: 'memoryManager', tool: 'listStates', params: { includeArchived: true } },
    ];
    expect(await call(host, 'useTools', { calls })).toMatchObject({
      structuredContent: { data: [{ name: 'Plan' }] },
    });
    await turn('Offer tools through Local REST API');
    await expect.poll(() => names(host)).toEqual(['vault_list']);
    expect(host.errors).toEqual([]);
  });

  test('can be enabled later, be reloaded, and outlive the plugin', async () => {
    const place = createDesktopPlace({ isRestApiOn: true });
    const { host, openPage, texts } = await startDesktop(place);
    await install(host);
    await openPage('AI apps');
    expect((await texts('.modal')).join('')).toContain('The plugin is not enabled.');
    await enable(host, true);
    expect(await names(host)).toContain('createState');
    await enable(host, false);
    await enable(host, true);
    expect((await names(host)).filter((name) => name === 'createState')).toHaveLength(1);
    await host.evaluate((running) => running.app.plugins.disablePlugin('savepoint'));
    expect(await names(host)).toEqual(['vault_list']);
    await host.evaluate((running) =>
      running.app.plugins.enablePlugin('savepoint').then(() => undefined),
    );
    await expect.poll(() => names(host)).toContain('createState');
    await enable(host, false);
    await host.evaluate((running) => running.app.plugins.disablePlugin('savepoint'));
    expect(host.errors).toEqual([]);
  });

  test('counts as one app in the access settings, including approvals', async () => {
    const place = createDesktopPlace({ isRestApiOn: true, askingClients: ['Local REST API'] });
    const { host, texts, click } = await startDesktop(place);
    await install(host, 2);
    await enable(host, true);
    const saving = call(host, 'createState', stateNamed('Plan'));
    await expect.poll(() => texts('.savepoint-approval')).toHaveLength(1);
    expect((await texts('.savepoint-approval'))[0]).toContain(
      'Local REST API wants to write to this memory',
    );
    await click('.savepoint-approval button', 'Deny');
    expect(JSON.parse((await saving).content[0]!.text)).toMatchObject({ success: false });
    expect(JSON.parse((await call(host, 'listStates')).content[0]!.text)).toEqual({
      success: true,
      workspace: 'Default',
      data: [],
    });
  });

  test('is reported as too old if it does not support tools', async () => {
    const place = createDesktopPlace({ isRestApiOn: true });
    const { host, openPage, texts } = await startDesktop(place);
    await install(host, 1);
    await enable(host, true);
    await openPage('AI apps');
    expect((await texts('.modal')).join('')).toContain('The plugin is too old');
    expect(await names(host)).toEqual(['vault_list']);
  });

  test('keeps a tool of another plugin, and the conflict is reported', async () => {
    const place = createDesktopPlace({ isRestApiOn: true });
    const { host, openPage, texts } = await startDesktop(place);
    await install(host);
    await host.evaluate((running, id) => {
      const start = async () => {
        const plugin = (await running.app.plugins.enablePlugin(id)) as unknown as LocalRestApi;
        return plugin;
      };
      const { workspace } = running.app;
      // Another plugin registers the name first.
      const trigger = workspace.trigger.bind(workspace);
      workspace.trigger = (name: string, ...rest: unknown[]) => {
        const plugin = running.app.plugins.plugins[id] as unknown as LocalRestApi;
        if (name.endsWith(':loaded'))
          plugin.addTool({
            name: 'loadState',
            description: 'x',
            inputSchema: {},
            callback: () => Promise.resolve('x'),
            isWhole: false,
          });
        trigger(name, ...rest);
      };
      return start().then(() => undefined);
    }, ID);
    await openPage('AI apps');
    await expect.poll(async () => (await texts('.modal')).join('')).toContain('loadState');
    expect(await names(host)).toEqual(['vault_list', 'loadState']);
  });
});
