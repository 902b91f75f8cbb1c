// Tier full: starts the program for each call
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runInProcess } from '../../fakes/in-process.js';
import { linesOf, type SessionStep } from '../../fakes/transcripts.js';
import { createFolder, node } from '../folders.js';

/** A home with the project "app", which is linked to a vault, and has the folder "secret". */
class Home {
  readonly folder = realpathSync(createFolder());
  readonly app = join(this.folder, 'app');
  readonly secret = join(this.app, 'secret');
  readonly #vault = join(this.folder, 'vault');
  #count = 0;

  static async create({ isGit = false, isLinked = true } = {}): Promise<Home> {
    const home = new Home();
    mkdirSync(join(home.#vault, '.obsidian'), { recursive: true });
    mkdirSync(join(home.secret, 'nested'), { recursive: true });
    if (isGit) {
      home.git('init', '-q', '-b', 'main');
      home.git('commit', '-q', '--allow-empty', '-m', 'Begin');
    }
    if (isLinked) await home.link();
    return home;
  }

  git(...args: string[]): void {
    const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    execFileSync('git', [...user, ...args], { cwd: this.app, stdio: 'ignore' });
  }

  /** Adds a worktree that has the folder "secret", too. */
  worktree(): string {
    const folder = join(this.folder, 'tree');
    this.git('worktree', 'add', '-q', folder);
    mkdirSync(join(folder, 'secret'));
    return folder;
  }

  async link(folder = this.app, level = 'all'): Promise<void> {
    const where = ['--project', folder, '--workspace', 'Default', '--vault', this.#vault];
    await this.run(['link', ...where, '--capture', level]);
  }

  async unlink(folder = this.app): Promise<void> {
    await this.run(['unlink', '--project', folder]);
  }

  async exclude(folder = this.secret): Promise<void> {
    await this.run(['links', '--exclude', folder]);
  }

  async include(folder = this.secret): Promise<void> {
    await this.run(['links', '--include', folder]);
  }

  /** Begins a session of Claude Code. */
  async begin(folder = this.app): Promise<Session> {
    const id = `session-${this.#count++}`;
    const session = new Session(this, id, folder);
    await session.hook('session-start');
    session.add(folder, { type: 'attachment' });
    return session;
  }

  /** Returns the brief of a new session, which also writes what the others have done. */
  async brief(folder = this.app): Promise<string> {
    const id = `session-${this.#count++}`;
    const input = { session_id: id, transcript_path: '', cwd: folder, source: 'startup' };
    const args = ['hook', 'session-start', '--client', 'claude-code'];
    const env = { CLAUDE_PROJECT_DIR: folder };
    const shown = await this.run(args, JSON.stringify(input), env);
    await this.run([...args, '--background'], JSON.stringify(input), env);
    return shown;
  }

  async run(args: readonly string[], input = '', more: NodeJS.ProcessEnv = {}): Promise<string> {
    vi.setSystemTime(Date.now() + 1000);
    const env = { PATH: process.env['PATH'], SAVEPOINT_STATE: join(this.folder, 'state'), ...more };
    const result = await runInProcess(this.folder, env, args, input);
    if (!result.endsWith('exit 0')) throw new Error(`${args.join(' ')}: ${result}`);
    return result;
  }

  vaultBytes(): string {
    return bytesIn(this.#vault);
  }

  /** Returns the bytes of the vault with the brief of a session that begins in a folder now. */
  async shown(folder = this.app): Promise<string> {
    const before = await this.brief(folder);
    const after = await this.brief(folder);
    return [before, after, this.vaultBytes()].join('\n');
  }
}

class Session {
  readonly #home: Home;
  readonly #id: string;
  readonly #folder: string;
  #isPrivate = false;
  #count = 0;

  constructor(home: Home, id: string, folder: string) {
    this.#home = home;
    this.#id = id;
    this.#folder = folder;
  }

  get #transcript(): string {
    return join(this.#home.folder, `${this.#id}.jsonl`);
  }

  add(cwd: string, line: object): void {
    vi.setSystemTime(Date.now() + 1000);
    const timestamp = new Date().toISOString();
    appendFileSync(this.#transcript, `${JSON.stringify({ ...line, timestamp, cwd })}\n`);
    utimesSync(this.#transcript, new Date(), new Date());
  }

  /** Notes steps in a folder without a call of a hook. */
  note(cwd: string, ...steps: SessionStep[]): void {
    for (const step of steps)
      for (const line of linesOf('claude-code', step, this.#count++))
        this.add(cwd, JSON.parse(line) as object);
  }

  /** Types a message in a folder, and is answered. */
  async say(cwd: string, message: string, ...steps: SessionStep[]): Promise<void> {
    this.note(cwd, { kind: 'task', text: message }, ...steps, { kind: 'answer', text: 'It is.' });
    await this.hook('turn', cwd);
    await this.hook('pre-compact', cwd);
  }

  async resume(isPrivate: boolean): Promise<void> {
    this.#isPrivate = isPrivate;
    await this.hook('session-start', this.#folder, 'resume');
  }

  async end(): Promise<void> {
    await this.hook('session-end');
  }

  async hook(event: string, cwd = this.#folder, source = 'startup'): Promise<void> {
    const [session_id, transcript_path] = [this.#id, this.#transcript];
    const input = { session_id, transcript_path, cwd, source };
    const args = ['hook', event, '--client', 'claude-code', '--background'];
    const env = {
      CLAUDE_PROJECT_DIR: this.#folder,
      ...(this.#isPrivate && { SAVEPOINT_PRIVATE: '1' }),
    };
    await this.#home.run(args, JSON.stringify(input), env);
  }
}

function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** Returns the words in a text that must not be there. */
function hiddenIn(text: string): string[] {
  return [...new Set(text.match(/HIDDEN\d/g))].sort();
}

const { childProcess } = node;
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // the tests do themselves what goes on in the background
  const stdin = { once: () => undefined, end: (_: string, then: () => void) => then() };
  const child = { once: () => undefined, stdin, unref: () => undefined };
  Object.assign(node, { childProcess: { ...childProcess, spawn: () => child } });
});
beforeEach(() => {
  vi.setSystemTime(vi.getRealSystemTime());
});
afterAll(() => {
  Object.assign(node, { childProcess });
  vi.useRealTimers();
});

const write = (path: string): SessionStep => ({ kind: 'write', path });
const command = (text: string): SessionStep => ({ kind: 'command', command: text, fails: true });

it('captures what is outside of the excluded folder', async () => {
  const home = await Home.create();
  await home.exclude();
  const session = await home.begin();
  await session.say(home.app, 'Look into OPEN1', write(join(home.app, 'OPEN2.ts')));
  await session.say(home.app, 'Go on, OPEN3', write(join(home.secret, 'HIDDEN1.ts')));
  await session.say(home.secret, 'HIDDEN2', command('cat HIDDEN3'));
  await session.say(home.app, 'And OPEN4', write(join(home.secret, 'nested', 'HIDDEN4.ts')));
  await session.end();
  const shown = await home.shown();
  for (const word of ['OPEN1', 'OPEN2', 'OPEN3', 'OPEN4']) expect(shown).toContain(word);
  expect(hiddenIn(shown)).toEqual([]);
});

describe.each([
  ['renamed', 'renamed'],
  ['moved elsewhere in the project', 'deep/er/secret'],
])('an excluded folder that was %s', (_, inner) => {
  async function moved() {
    const home = await Home.create();
    await home.exclude();
    const to = join(home.app, inner);
    mkdirSync(join(to, '..'), { recursive: true });
    return { home, to, move: () => renameSync(home.secret, to) };
  }

  it('is hidden, and so is a folder in it', async () => {
    const { home, to, move } = await moved();
    const session = await home.begin();
    move();
    for (const at of [to, join(to, 'nested')]) {
      await session.say(home.app, 'Look', write(join(at, 'HIDDEN1.ts')));
      await session.say(at, 'HIDDEN2', write(join(at, 'HIDDEN3.ts')));
    }
    await session.end();
    const inside = await home.begin(join(to, 'nested'));
    await inside.say(to, 'HIDDEN4');
    await inside.end();
    expect(hiddenIn(await home.shown())).toEqual([]);
    expect(hiddenIn(await home.shown(to))).toEqual([]);
  });

  it('is reported as gone, and nothing of the project is captured', async () => {
    const { home, move } = await moved();
    const session = await home.begin();
    move();
    expect(await home.run(['links'])).toContain('is gone');
    await session.say(home.app, 'HIDDEN1', write(join(home.app, 'HIDDEN2.ts')));
    await session.end();
    const brief = await home.brief();
    expect(hiddenIn(home.vaultBytes())).toEqual([]);
    expect(hiddenIn(brief)).toEqual([]);
  });

  it('stays hidden after it was moved back', async () => {
    const { home, to, move } = await moved();
    const session = await home.begin();
    move();
    await session.say(to, 'HIDDEN1', write(join(to, 'HIDDEN2.ts')));
    await session.say(home.app, 'Look', write(join(to, 'HIDDEN3.ts')));
    renameSync(to, home.secret);
    await session.say(home.app, 'Now OPEN1');
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('is not captured later, after the new place was excluded instead', async () => {
    const { home, to, move } = await moved();
    const session = await home.begin();
    move();
    await session.say(to, 'HIDDEN1', write(join(to, 'HIDDEN2.ts')));
    await session.say(home.app, 'HIDDEN3, since the project is not captured');
    await home.exclude(to);
    await home.include();
    await session.say(home.app, 'Now OPEN1', write(join(to, 'HIDDEN4.ts')));
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });
});

describe('a linked project that was moved', () => {
  it.each([['app2'], ['else/where/app']])('to %s hides the same folder', async (inner) => {
    const home = await Home.create();
    await home.exclude();
    const to = join(home.folder, inner);
    mkdirSync(join(to, '..'), { recursive: true });
    renameSync(home.app, to);
    const session = await home.begin(to);
    await session.say(to, 'See OPEN1', write(join(to, 'secret', 'HIDDEN1.ts')));
    await session.say(join(to, 'secret', 'nested'), 'HIDDEN2');
    await session.end();
    const inside = await home.begin(join(to, 'secret'));
    await inside.say(join(to, 'secret'), 'HIDDEN3');
    await inside.end();
    const shown = await home.shown(to);
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('hides that at each place where it was', async () => {
    const home = await Home.create();
    await home.exclude();
    const places = ['two', 'three'].map((name) => join(home.folder, name));
    let at = home.app;
    for (const to of places) {
      renameSync(at, to);
      at = to;
      const session = await home.begin(to);
      await session.say(to, 'See OPEN1', write(join(to, 'secret', 'HIDDEN1.ts')));
      session.note(join(to, 'secret'), { kind: 'task', text: 'HIDDEN2' });
    }
    const shown = await home.shown(at);
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('hides it in a worktree, too, after it was linked again', async () => {
    const home = await Home.create({ isGit: true });
    await home.exclude();
    const to = join(home.folder, 'two');
    await home.unlink();
    renameSync(home.app, to);
    await home.link(to);
    const tree = join(home.folder, 'tree');
    execFileSync('git', ['worktree', 'add', '-q', tree], { cwd: to, stdio: 'ignore' });
    mkdirSync(join(tree, 'secret'));
    const session = await home.begin(tree);
    await session.say(tree, 'See OPEN1', write(join(tree, 'secret', 'HIDDEN1.ts')));
    await session.end();
    const shown = await home.shown(to);
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });
});

describe('a worktree of a project with an excluded folder', () => {
  it('hides the folder at the same place', async () => {
    const home = await Home.create({ isGit: true });
    await home.exclude();
    const tree = home.worktree();
    const session = await home.begin(tree);
    await session.say(tree, 'See OPEN1', write(join(tree, 'secret', 'HIDDEN1.ts')));
    await session.say(join(tree, 'secret'), 'HIDDEN2');
    await session.end();
    const inside = await home.begin(join(tree, 'secret'));
    await inside.say(join(tree, 'secret'), 'HIDDEN3');
    const shown = await home.shown(tree);
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('hides it from the brief and seal of a session in the main folder', async () => {
    const home = await Home.create({ isGit: true });
    await home.exclude();
    const tree = home.worktree();
    const session = await home.begin(tree);
    await session.say(tree, 'See OPEN1');
    await session.say(join(tree, 'secret'), 'HIDDEN1');
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('hides it after the worktree was removed', async () => {
    const home = await Home.create({ isGit: true });
    await home.exclude();
    const tree = home.worktree();
    const session = await home.begin(tree);
    await session.say(tree, 'See OPEN1', write(join(tree, 'secret', 'HIDDEN1.ts')));
    home.git('worktree', 'remove', '--force', tree);
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('hides it if it was excluded before the project was linked', async () => {
    const home = await Home.create({ isGit: true, isLinked: false });
    await home.exclude();
    await home.link();
    const tree = home.worktree();
    const session = await home.begin(tree);
    await session.say(tree, 'See OPEN1', write(join(tree, 'secret', 'HIDDEN1.ts')));
    await session.say(join(tree, 'secret'), 'HIDDEN2');
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });
});

it('reports a folder as gone that was excluded before the project was linked', async () => {
  const home = await Home.create({ isLinked: false });
  await home.exclude();
  await home.link();
  renameSync(home.secret, join(home.app, 'renamed'));
  expect(await home.run(['links'])).toContain('is gone');
});

describe('an excluded project that is not linked', () => {
  async function moved() {
    const home = await Home.create();
    const other = join(home.folder, 'other');
    mkdirSync(join(other, 'nested'), { recursive: true });
    await home.exclude(other);
    const to = join(home.app, 'other');
    renameSync(other, to);
    return { home, other, to };
  }

  it('is hidden in the linked project into which it was moved', async () => {
    const { home, to } = await moved();
    const session = await home.begin();
    await session.say(home.app, 'See OPEN1', write(join(to, 'HIDDEN1.ts')));
    await session.say(join(to, 'nested'), 'HIDDEN2');
    await session.end();
    const inside = await home.begin(to);
    await inside.say(to, 'HIDDEN3');
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it.each([['removed'], ['moved away'], ['renamed']])('stays hidden when it is %s', async (how) => {
    const { home, other, to } = await moved();
    const session = await home.begin();
    await session.say(home.app, 'See OPEN1', write(join(to, 'HIDDEN1.ts')));
    await session.say(to, 'HIDDEN2');
    if (how === 'removed') rmSync(to, { recursive: true });
    else renameSync(to, how === 'renamed' ? `${to}2` : other);
    await session.say(home.app, 'And OPEN2');
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(shown).toContain('OPEN2');
    expect(hiddenIn(shown)).toEqual([]);
  });
});

describe('an excluded folder elsewhere that was renamed', () => {
  it.each([
    ['by its path', 'cat PATH/HIDDEN1.ts'],
    ['from the home folder', 'cat ~/other/HIDDEN1.ts'],
    ['from the folder of the command', 'cat ../../other/HIDDEN1.ts'],
    ['after a change of folder', 'cd .. && cd .. && cat other/HIDDEN1.ts'],
    ['after a change of folder to it', 'cd ../.. && cat other/HIDDEN1.ts'],
    ['as the value of an option', 'cat --file=PATH/HIDDEN1.ts'],
  ])('is hidden when a command names it %s', async (_, text) => {
    const home = await Home.create();
    const [before, after] = ['private', 'other'].map((name) => join(home.folder, name));
    mkdirSync(before!);
    mkdirSync(join(home.app, 'src'));
    await home.exclude(before);
    const session = await home.begin();
    const run = (path: string) => command(text.replaceAll('PATH', path));
    renameSync(before!, after!);
    await session.say(join(home.app, 'src'), 'See OPEN1', run(after!), command('false OPEN2'));
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(shown).toContain('OPEN2');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('is hidden when a message or an answer names it', async () => {
    const home = await Home.create();
    const [before, after] = ['private', 'other'].map((name) => join(home.folder, name));
    mkdirSync(before!);
    await home.exclude(before);
    renameSync(before!, after!);
    const session = await home.begin();
    session.note(home.app, { kind: 'task', text: `As ${after}/HIDDEN1.ts does` });
    session.note(home.app, { kind: 'answer', text: `It was in ${after}/HIDDEN2.ts` });
    session.note(home.app, { kind: 'task', text: 'Now OPEN1' }, { kind: 'answer', text: 'OPEN2' });
    await session.hook('turn');
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(shown).toContain('OPEN2');
    expect(hiddenIn(shown)).toEqual([]);
  });
});

it('shows a message that names a folder whose name only begins like an excluded one', async () => {
  const home = await Home.create();
  const folders = ['private', 'private2', 'private-old', 'private.bak'];
  const [excluded, ...others] = folders.map((name) => join(home.folder, name));
  mkdirSync(excluded!);
  await home.exclude(excluded);
  const session = await home.begin();
  session.note(home.app, { kind: 'task', text: `OPEN1 in ${others.join(' or ')}` });
  session.note(home.app, { kind: 'answer', text: 'OPEN2' }, { kind: 'task', text: 'And then' });
  session.note(home.app, { kind: 'answer', text: `It was HIDDEN1 in ${excluded}.` });
  await session.hook('turn');
  await session.end();
  const shown = await home.shown();
  expect(shown).toContain('OPEN1');
  expect(hiddenIn(shown)).toEqual([]);
});

it('hides what was done in folders that no longer exist while one was excluded', async () => {
  const home = await Home.create();
  await home.exclude();
  const session = await home.begin();
  const names = ['one', 'two'].map((name) => join(home.app, name));
  renameSync(home.secret, names[0]!);
  session.note(names[0]!, { kind: 'task', text: 'HIDDEN1' }, { kind: 'answer', text: 'HIDDEN2' });
  renameSync(names[0]!, names[1]!);
  session.note(names[1]!, { kind: 'task', text: 'HIDDEN3' }, { kind: 'answer', text: 'HIDDEN4' });
  renameSync(names[1]!, home.secret);
  await session.say(home.app, 'Now OPEN1');
  await session.end();
  const shown = await home.shown();
  expect(shown).toContain('OPEN1');
  expect(hiddenIn(shown)).toEqual([]);
});

it('follows a folder that was excluded and moved before its project was linked', async () => {
  const home = await Home.create({ isGit: true, isLinked: false });
  await home.exclude();
  const to = join(home.folder, 'two');
  renameSync(home.app, to);
  await home.link(to);
  const tree = join(home.folder, 'tree');
  execFileSync('git', ['worktree', 'add', '-q', tree], { cwd: to, stdio: 'ignore' });
  mkdirSync(join(tree, 'secret'));
  const session = await home.begin(tree);
  await session.say(tree, 'See OPEN1', write(join(tree, 'secret', 'HIDDEN1.ts')));
  await session.end();
  const shown = await home.shown(to);
  expect(shown).toContain('OPEN1');
  expect(hiddenIn(shown)).toEqual([]);
});

describe('a linked project in a linked one', () => {
  async function nested(level: string) {
    const home = await Home.create();
    const inner = join(home.app, 'inner');
    mkdirSync(join(inner, 'deep'), { recursive: true });
    await home.link(inner, level);
    return { home, inner };
  }

  it.each([['off'], ['all']])(
    'with capture %s hides from the outer one what it hid, after it was unlinked',
    async (level) => {
      const { home, inner } = await nested(level);
      const session = await home.begin();
      await session.say(home.app, 'Look into OPEN1');
      session.note(inner, { kind: 'task', text: 'HIDDEN1' }, { kind: 'answer', text: 'HIDDEN2' });
      session.note(join(inner, 'deep'), { kind: 'task', text: 'HIDDEN3' });
      session.note(inner, { kind: 'answer', text: 'HIDDEN4' });
      await home.unlink(inner);
      await session.say(home.app, 'Now OPEN2');
      await session.say(inner, 'And OPEN3');
      await session.end();
      const vault = home.vaultBytes();
      for (const word of ['OPEN1', 'OPEN2', 'OPEN3']) expect(vault).toContain(word);
      expect(hiddenIn(await home.shown())).toEqual([]);
    },
  );

  it('hides it, too, if it was moved before it was unlinked', async () => {
    const { home, inner } = await nested('off');
    const to = join(home.app, 'moved');
    const session = await home.begin();
    session.note(inner, { kind: 'task', text: 'HIDDEN1' }, { kind: 'answer', text: 'HIDDEN2' });
    renameSync(inner, to);
    session.note(to, { kind: 'task', text: 'HIDDEN3' }, { kind: 'answer', text: 'HIDDEN4' });
    await home.unlink(inner);
    await session.say(home.app, 'Now OPEN1');
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });

  it('hides a private session from the outer one, after it was unlinked', async () => {
    const { home, inner } = await nested('all');
    const session = await home.begin(inner);
    await session.resume(true);
    await session.say(inner, 'HIDDEN1');
    await home.unlink(inner);
    session.note(inner, { kind: 'task', text: 'HIDDEN2' }, { kind: 'answer', text: 'HIDDEN3' });
    await session.resume(false);
    await session.say(inner, 'Now OPEN1');
    await session.end();
    const shown = await home.shown();
    expect(shown).toContain('OPEN1');
    expect(hiddenIn(shown)).toEqual([]);
  });
});

it('hides what was private while the project was unlinked and linked again', async () => {
  const home = await Home.create();
  const session = await home.begin();
  await session.resume(true);
  await session.say(home.app, 'HIDDEN1');
  await home.unlink();
  await home.link();
  session.note(home.app, { kind: 'task', text: 'HIDDEN2' }, { kind: 'answer', text: 'HIDDEN3' });
  await session.resume(false);
  await session.say(home.app, 'Now OPEN1');
  await session.end();
  const shown = await home.shown();
  expect(shown).toContain('OPEN1');
  expect(hiddenIn(shown)).toEqual([]);
});
