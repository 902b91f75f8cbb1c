import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createScene, openLivePlugin } from '../fakes/live-plugin.js';
import { runProgram, temporaryFolder } from '../fakes/program.js';
import { start, type ProcessOptions } from '../fakes/stdio-client.js';
import { garden, stateNamed } from '../fakes/test-vault.js';
import { inFull, someOf } from '../tier.js';

const testInFull = it.runIf(inFull('further cases of mcp backend'));

function createProject(): string {
  const folder = realpathSync(temporaryFolder('project'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), 'export {};\n');
  return folder;
}

/** Returns the text of every file in the vault. */
function textOf(vault: string): string {
  return readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe.each(someOf(['from the folder', 'through the plugin'], 1))('a call %s', (way) => {
  async function createPlace() {
    const scene = createScene();
    const live = way === 'through the plugin' ? await openLivePlugin(scene) : undefined;
    return { scene, live };
  }

  testInFull("happens in the workspace that was last used in the client's project", async () => {
    const { scene, live } = await createPlace();
    const [shop, blog] = [createProject(), createProject()];
    const first = await start(scene, { cwd: shop });
    await first.call('createWorkspace', { ...garden, name: 'Shop' });
    expect(await first.call('createState', stateNamed('Cart'))).toEqual({
      success: true,
      workspace: 'Shop',
    });
    await first.end();
    const next = await start(scene, { cwd: shop });
    expect(await next.call('createState', stateNamed('Cart 2'))).toEqual({
      success: true,
      workspace: 'Shop',
    });
    const prompt = await next.client.getPrompt({ name: 'resume' });
    expect(JSON.stringify(prompt)).toContain('Cart 2');
    const other = await start(scene, { cwd: blog });
    expect(await other.call('listStates')).toMatchObject({ workspace: 'Default', data: [] });
    expect(await other.call('loadState', { name: 'Cart' })).toMatchObject({ workspace: 'Shop' });
    // The project had used nothing, so what it has resumed is where it goes on.
    expect(await other.call('listStates')).toMatchObject({ workspace: 'Shop' });
    const again = await start(scene, { cwd: blog });
    expect(await again.call('listStates')).toMatchObject({ workspace: 'Shop' });
    const { stdout } = await runProgram(
      ['call', 'listStates', '--vault', scene.vault, '--state', scene.state, '--json', '{}'],
      { cwd: shop, env: {} },
    );
    expect(JSON.parse(stdout)).toMatchObject({ workspace: 'Shop' });
    expect(live?.calls.some(({ project }) => project?.folder === shop) ?? true).toBe(true);
  });

  testInFull('finds its project by roots, by the call and by the variable', async () => {
    const { scene } = await createPlace();
    const [shop, elsewhere] = [createProject(), createProject()];
    const first = await start(scene, { cwd: shop });
    await first.call('createWorkspace', { ...garden, name: 'Shop' });
    const place = async (options: Omit<ProcessOptions, 'cwd'>, meta?: object) => {
      const { call } = await start(scene, { cwd: elsewhere, ...options });
      return (await call('listStates', {}, meta)).workspace;
    };
    expect(await place({})).toBe('Default');
    expect(await place({ roots: [] })).toBe('Default');
    expect(await place({ roots: [shop] })).toBe('Shop');
    const env = { CLAUDE_PROJECT_DIR: shop };
    expect(await place({ name: 'claude-code', roots: [elsewhere], env })).toBe('Shop');
    const workspaces = { [shop]: { associated_remote_urls: {}, has_changes: true } };
    const meta = { 'x-codex-turn-metadata': { workspaces } };
    expect(await place({ name: 'codex-mcp-client', roots: [] }, meta)).toBe('Shop');
  });

  it('stores and checks files of the project, but no absolute path', async () => {
    const { scene } = await createPlace();
    const shop = createProject();
    writeFileSync(join(scene.vault, 'Note.md'), 'A note\n');
    const { call } = await start(scene, { cwd: shop });
    const note = realpathSync(join(scene.vault, 'Note.md'));
    const activeFiles = [
      'src/a.ts',
      join(shop, 'src/b.ts'),
      'Note.md',
      note,
      '/etc/hosts',
      'None.md',
    ];
    await call('createState', stateNamed('Cart', { activeFiles }));
    const name = basename(shop);
    writeFileSync(join(shop, 'src/a.ts'), 'export const a = 1;\n');
    expect(await call('loadState', { name: 'Cart' })).toMatchObject({
      data: {
        activeFiles: [
          `${name}:src/a.ts`,
          `${name}:src/b.ts`,
          'Note.md',
          'Note.md',
          'outside:hosts',
          'None.md',
        ],
        changedFiles: [{ path: `${name}:src/a.ts`, change: 'modified' }],
      },
    });
    const other = await start(scene, { cwd: createProject() });
    const seen = JSON.stringify(await other.call('loadState', { name: 'Cart' }));
    expect(seen).toContain(`in the project ${name}`);
    expect(seen).not.toContain(shop);
    const text = textOf(scene.vault);
    expect(text).toContain('project:src/a.ts');
    expect(text).not.toContain(shop);
    expect(text).not.toContain('/etc/hosts');
  });

  testInFull('is not placed by the folder of the vault', async () => {
    const { scene } = await createPlace();
    const first = await start(scene, { cwd: scene.vault });
    await first.call('createWorkspace', { ...garden, name: 'Shop' });
    const next = await start(scene, { cwd: scene.vault });
    expect(await next.call('listStates')).toMatchObject({ workspace: 'Default' });
  });
});

it('names the vault in its instructions', async () => {
  const scene = createScene();
  const { client } = await start(scene, { cwd: createProject() });
  const name = scene.vault.split(/[\\/]/).at(-1)!;
  expect(client.getInstructions()).toContain(`the Obsidian vault "${name}"`);
});
