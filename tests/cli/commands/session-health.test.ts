import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../fakes/in-process.js';
import { temporaryFolder } from '../../fakes/program.js';

const REPORTS = fileURLToPath(new URL('../../node/client-setup/reports', import.meta.url));
const ALL_WORKS = 'All connections work.';

let home: string;
let vault: string;
let project: string;
let run: (...args: string[]) => Promise<string>;
let hook: (event: string, input: object) => Promise<string>;

beforeEach(() => {
  home = realpathSync(temporaryFolder('home'));
  vault = join(home, 'vault');
  project = join(home, 'project');
  for (const folder of [join(vault, '.obsidian'), project, join(home, '.claude')])
    mkdirSync(folder, { recursive: true });
  const env = {
    PATH: join(home, 'bin'), // without the clients of this machine
    HOME: home,
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: home,
  };
  run = (...args) => runInProcess(home, env, args);
  hook = (event, input) =>
    runInProcess(home, env, ['hook', event, '--background'], JSON.stringify(input));
});

const link = () =>
  run('link', '--project', project, '--workspace', 'Default', '--vault', vault, '--capture', 'on');
const connect = (client: string, ...more: string[]) =>
  run('connect', client, '--vault', vault, ...more);
const doctor = () => run('doctor', '--vault', vault);
const inHome = (...parts: string[]) => join(home, ...parts);
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));
/** Adds fields to a file of settings. */
const addFields = (file: string, fields: object) =>
  edit(file, (text) => JSON.stringify({ ...(JSON.parse(text) as object), ...fields }));
const report = (name: string) =>
  JSON.parse(readFileSync(join(REPORTS, name), 'utf8')) as Record<string, unknown>;

describe('doctor', () => {
  it('says that all works if hooks, link and settings are in order', async () => {
    expect(await connect('claude-code', '--hooks')).toContain('Claude Code is connected.');
    await link();
    expect(await doctor()).toContain(ALL_WORKS);
  });

  it('names hooks that are gone, and linked projects whose sessions nothing reads', async () => {
    await connect('claude-code', '--hooks');
    writeFileSync(inHome('.claude', 'settings.json'), '{}');
    const text = await doctor();
    expect(text).toContain(
      'Claude Code hooks: were added, but are no longer in settings.json\n      Fix: run "savepoint connect claude-code --hooks"',
    );
    expect(text).not.toContain(ALL_WORKS);
    expect(await connect('claude-code', '--undo')).toMatch(/exit 0$/);
    await connect('claude-code');
    expect(await doctor()).toContain(ALL_WORKS); // nobody wants hooks
    await link();
    expect(await doctor()).toContain('hooks: no AI app has the hooks');
  });

  it('names the switch that keeps hooks from running', async () => {
    for (const folder of ['.codex', '.gemini']) mkdirSync(inHome(folder));
    const claude = inHome('.claude', 'settings.json');
    writeFileSync(claude, JSON.stringify(report('claude-hooks-off.json')));
    const connected = await connect('claude-code', '--hooks');
    expect(connected).not.toContain('is connected');
    expect(connected).toContain(`runs no hooks, because disableAllHooks in ${claude}`);
    expect(connected).toMatch(/exit 1$/);
    edit(claude, (text) => text.replace('"disableAllHooks": true', '"disableAllHooks": false'));
    edit(claude, (text) => text.replace('"disableAllHooks":true', '"disableAllHooks":false'));
    expect(await connect('claude-code', '--hooks')).toContain('Claude Code has the hooks.');
    expect(await doctor()).toContain(ALL_WORKS);
    addFields(claude, report('claude-hooks-off.json'));
    expect(await doctor()).toContain('Claude Code runs no hooks, because disableAllHooks');

    await connect('gemini', '--hooks');
    addFields(inHome('.gemini', 'settings.json'), { hooksConfig: { enabled: false } });
    await connect('codex', '--hooks');
    edit(inHome('.codex', 'config.toml'), (text) => `${text}\n[features]\nhooks = false\n`);
    const text = await doctor();
    expect(text).toContain('Gemini CLI runs no hooks, because hooksConfig.enabled in');
    expect(text).toContain('Codex runs no hooks, because [features] hooks in');
    expect(text).not.toContain(ALL_WORKS);
  });

  it('names the list that keeps the server from being started', async () => {
    mkdirSync(inHome('.gemini'));
    const settings = inHome('.gemini', 'settings.json');
    writeFileSync(settings, JSON.stringify(report('gemini-allowed.json')));
    const connected = await connect('gemini');
    expect(connected).not.toContain('is connected');
    expect(connected).toContain(
      `Gemini CLI does not start it, because mcp.allowed in ${settings} keeps it from doing so.`,
    );
    expect(await doctor()).toContain('because mcp.allowed in');
    addFields(settings, { mcp: { allowed: ['github', 'savepoint'] } });
    expect(await doctor()).toContain(ALL_WORKS);
    addFields(settings, { mcp: { excluded: ['savepoint'] } });
    expect(await doctor()).toContain('because mcp.excluded in');
  });

  it('names a linked folder that is gone, and settings that are damaged', async () => {
    await connect('claude-code', '--hooks');
    await link();
    rmSync(project, { recursive: true });
    const gone = await doctor();
    expect(gone).toContain('There is no project in this folder any more.');
    expect(gone).not.toContain(ALL_WORKS);
    const settings = inHome('state', 'capture', 'settings.json');
    writeFileSync(settings, '{"links":');
    const damaged = await doctor();
    expect(damaged).toContain('The settings of what is captured are damaged, so nothing is');
    expect(damaged).toContain(settings);
    expect(damaged).not.toContain(ALL_WORKS);
    mkdirSync(project);
    expect(await link()).toContain('Correct that file, or delete it');
  });

  it('names a package and hooks that are there at once', async () => {
    await connect('claude-code', '--hooks');
    const file = inHome('.claude', 'settings.json');
    addFields(file, { enabledPlugins: { 'savepoint@market': true } });
    const text = await doctor();
    expect(text).toContain(
      'Claude Code hooks: are there twice, in its settings and in its package',
    );
    expect(text).not.toContain(ALL_WORKS);
  });

  it('names the app, version and field of transcripts of which nothing was understood', async () => {
    await connect('claude-code', '--hooks');
    await link();
    const turn = async (id: string, line: object) => {
      const transcript = inHome(`${id}.jsonl`);
      writeFileSync(transcript, `${JSON.stringify({ version: '9.1.0', cwd: project, ...line })}\n`);
      await hook('turn', { session_id: id, transcript_path: transcript, cwd: project });
    };
    for (const id of ['one', 'two']) await turn(id, { type: 'utterance', by: 'human' });
    expect(await doctor()).toContain(ALL_WORKS);
    await turn('three', { type: 'utterance', by: 'human' });
    const text = await doctor();
    expect(text).toContain(
      'transcripts: Claude Code 9.1.0: nothing was understood in the last 3 transcripts that were read. Unknown: type "utterance"',
    );
    expect(text).not.toContain(ALL_WORKS);
    await turn('four', { type: 'user', message: { content: 'Hello there, old friend' } });
    expect(await doctor()).toContain(ALL_WORKS);
  });
});
