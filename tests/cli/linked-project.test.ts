import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createScene, type Scene } from '../fakes/live-plugin.js';
import { TYPED_PROGRAM, runProgram, temporaryFolder } from '../fakes/program.js';
import { start, type ProcessOptions } from '../fakes/stdio-client.js';
import { garden, stateNamed } from '../fakes/test-vault.js';
import { inFull } from '../tier.js';

const testInFull = it.runIf(inFull('further changes of a linked project'));

const REMOTE = 'https://github.com/acme/shop.git';

function git(at: string, ...args: string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  execFileSync('git', ['-C', at, ...author, ...args], { stdio: 'pipe' });
}

/** A vault with the workspaces Thesis and Other, and a folder for projects. */
class Place {
  readonly scene: Scene = createScene(realpathSync(temporaryFolder()));
  readonly root = realpathSync(temporaryFolder('projects'));
  #count = 0;

  static async create(): Promise<Place> {
    const place = new Place();
    for (const name of ['Thesis', 'Other'])
      await place.runAt(place.root, 'call', 'createWorkspace', '--vault', place.scene.vault, {
        json: { ...garden, name },
      });
    return place;
  }

  repository(name: string, remote?: string): string {
    const at = join(this.root, name);
    mkdirSync(at);
    git(at, 'init', '-q');
    git(at, 'commit', '-q', '--allow-empty', '-m', `First of ${name}`);
    if (remote !== undefined) git(at, 'remote', 'add', 'origin', remote);
    return at;
  }

  async runAt(cwd: string, ...args: (string | { readonly json: object })[]): Promise<string> {
    const words = args.flatMap((arg) =>
      typeof arg === 'string' ? [arg] : ['--json', JSON.stringify(arg.json)],
    );
    const env = { PATH: process.env['PATH'], SAVEPOINT_STATE: this.scene.state };
    const { stdout, stderr } = await runProgram(words, { cwd, env });
    return stdout + stderr;
  }

  link(cwd: string, workspace: string, ...more: string[]): Promise<string> {
    return this.runAt(cwd, 'link', '--workspace', workspace, '--vault', this.scene.vault, ...more);
  }

  /** Returns what a hook prints when a session starts in a folder. */
  async hookAt(cwd: string): Promise<string> {
    const env = { PATH: process.env['PATH'], SAVEPOINT_STATE: this.scene.state };
    const input = JSON.stringify({ session_id: `s${++this.#count}`, source: 'startup', cwd });
    return (await runProgram(['hook', 'session-start'], { cwd, env, input })).stdout;
  }

  /** Saves a state with the first call of a new process, and returns the answer. */
  async save(options: ProcessOptions, meta?: object) {
    const client = await start(this.scene, options);
    const answer = await client.call('createState', stateNamed(`State ${++this.#count}`), meta);
    await client.end();
    return answer;
  }
}

testInFull(
  'saves of a linked project land in its workspace, whatever happens to the project',
  async () => {
    const place = await Place.create();
    const shop = place.repository('shop');
    const other = await start(place.scene, { cwd: shop, name: 'codex-mcp-client' });
    await other.call('loadWorkspace', { name: 'Other' });
    expect(await other.call('createState', stateNamed('Before'))).toMatchObject({
      workspace: 'Other',
    });
    expect(await place.link(shop, 'thesis')).toContain(`Linked ${shop} to "Thesis"`);

    const expectThesis = async (at: string) => {
      const workspaces = { [at]: { associated_remote_urls: { origin: REMOTE } } };
      const answers = [
        await place.save({ cwd: at, name: 'opencode' }),
        await place.save({ cwd: place.root, name: 'gemini-cli-mcp-client', roots: [at] }),
        await place.save({ cwd: at, name: 'claude-code', env: { CLAUDE_PROJECT_DIR: at } }),
        await place.save(
          { cwd: place.root, name: 'codex-mcp-client' },
          { threadId: 't', 'x-codex-turn-metadata': { workspaces } },
        ),
      ];
      expect(answers).toEqual(answers.map(() => ({ success: true, workspace: 'Thesis' })));
      expect(await place.hookAt(at)).toContain('Brief of workspace \\"Thesis\\"');
    };

    await expectThesis(shop);
    git(shop, 'remote', 'add', 'origin', REMOTE);
    await expectThesis(shop);
    git(shop, 'remote', 'rename', 'origin', 'upstream');
    await expectThesis(shop);
    mkdirSync(join(shop, 'src'));
    await expectThesis(join(shop, 'src'));
    const worktree = join(place.root, 'worktree');
    git(shop, 'worktree', 'add', '-q', worktree);
    await expectThesis(worktree);
    expect(await place.runAt(worktree, 'links')).toContain(
      `A session in ${worktree} happens in "Thesis", by the link of ${shop}.`,
    );
    git(shop, 'worktree', 'remove', worktree);
    const store = join(place.root, 'store');
    renameSync(shop, store);
    await expectThesis(store);
    expect(await place.runAt(store, 'links')).toBe(
      `${store} is linked to "Thesis" in ${place.scene.vault}; capture is off.\n`,
    );
    rmSync(store, { recursive: true });
    const gone = `${store} is linked to "Thesis" in ${place.scene.vault}; capture is off. There is no project in this folder any more.`;
    expect(await place.runAt(place.root, 'links')).toContain(gone);
    const doctor = await place.runAt(place.root, 'doctor', '--vault', place.scene.vault, '--json');
    expect(JSON.parse(doctor)).toMatchObject({
      isOk: false,
      capture: expect.arrayContaining([
        expect.objectContaining({ name: 'link', isOk: false }),
      ]) as unknown,
    });
  },
  240_000,
);

it('a clone is used with a notice, and shows its memory unasked only when confirmed', async () => {
  const place = await Place.create();
  await place.link(place.repository('shop', REMOTE), 'Thesis', '--capture', 'on');
  const clone = place.repository('clone', 'git@github.com:acme/shop.git');
  const saved = await place.save({ cwd: clone });
  expect(saved).toMatchObject({ success: true, workspace: 'Thesis' });
  const [, command = ''] =
    /confirm it with: node (?:"[^"]*"|\S+) (.*)$/.exec(saved.notice ?? '') ?? [];
  expect(command).toContain(' --capture all');
  const session = await start(place.scene, { cwd: clone });
  const fromCheckpoint = stateNamed('Facts', { fromCheckpoint: true });
  expect(await session.call('createState', fromCheckpoint)).toMatchObject({
    success: false,
    error: expect.stringContaining('is not confirmed') as string,
  });
  const claimed = await place.hookAt(clone);
  expect(claimed).toContain(
    JSON.stringify(`the user can run: ${TYPED_PROGRAM} ${command}`).slice(1, -1),
  );
  expect(claimed).not.toContain('Brief of workspace');
  expect(await place.runAt(clone, 'links')).toContain(`To fix that: run \`${TYPED_PROGRAM} link `);
  expect(await place.runAt(clone, ...command.split(' '))).toContain(`Linked ${clone} to "Thesis"`);
  expect(await session.call('createState', stateNamed('Next'))).toEqual({
    success: true,
    workspace: 'Thesis',
  });
  expect(await place.hookAt(clone)).toContain('Brief of workspace \\"Thesis\\"');
}, 120_000);

testInFull(
  'the first project of a conversation counts for all of it',
  async () => {
    const place = await Place.create();
    const [shop, blog] = [place.repository('shop'), place.repository('blog')];
    await place.link(shop, 'Thesis');
    await place.link(blog, 'Other');
    const { call } = await start(place.scene, { cwd: place.root, name: 'codex-mcp-client' });
    const at = async (threadId: string, folder: string) => {
      const workspaces = { [folder]: { associated_remote_urls: {} } };
      const meta = { threadId, 'x-codex-turn-metadata': { workspaces } };
      return (await call('listStates', {}, meta)).workspace;
    };
    expect(await at('one', shop)).toBe('Thesis');
    expect(await at('one', blog)).toBe('Thesis');
    expect(await at('two', blog)).toBe('Other');
    expect(await at('two', shop)).toBe('Other');
  },
  60_000,
);

testInFull(
  'a new session is moved by a prompt, and told once that it saves in Default',
  async () => {
    const place = await Place.create();
    const { vault } = place.scene;
    const save = ['call', 'createState', '--vault', vault, '--workspace', 'Thesis'] as const;
    await place.runAt(place.root, ...save, { json: stateNamed('Chapter 1') });
    const resumed = await start(place.scene, { cwd: place.repository('one') });
    const args = { workspace: 'Chapter', state: '1' };
    await resumed.client.getPrompt({ name: 'resume', arguments: args });
    expect(await resumed.call('createState', stateNamed('Chapter 2'))).toEqual({
      success: true,
      workspace: 'Thesis',
    });
    const cwd = place.repository('two');
    const fresh = await start(place.scene, { cwd });
    expect(await fresh.call('createState', stateNamed('A'))).toEqual({
      success: true,
      workspace: 'Default',
      notice:
        'Saved in "Default", because no active workspace is known here. To keep projects apart, create one for each (createWorkspace).',
    });
    expect(await fresh.call('createState', stateNamed('B'))).toEqual({
      success: true,
      workspace: 'Default',
    });
    expect(await place.runAt(cwd, 'links')).toContain('No project is linked.');
  },
  60_000,
);
