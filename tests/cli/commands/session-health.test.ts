// Tier full: starts the program for each finding of doctor
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../fakes/in-process.js';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';

const REPORTS = fileURLToPath(new URL('../../node/client-setup/reports', import.meta.url));
const ALL_WORKS = 'All connections work.';

let home: string;
let env: Record<string, string>;
let vault: string;
let project: string;
let run: (...args: string[]) => Promise<string>;
let hook: (event: string, input: object, more?: Record<string, string>) => Promise<string>;

beforeEach(() => {
  home = realpathSync(temporaryFolder('home'));
  vault = join(home, 'vault');
  project = join(home, 'project');
  for (const folder of [join(vault, '.obsidian'), project, join(home, '.claude')])
    mkdirSync(folder, { recursive: true });
  env = {
    PATH: join(home, 'bin'), // without the clients of this machine
    HOME: home,
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: home,
  };
  run = (...args) => runInProcess(home, env, args);
  hook = (event, input, more) =>
    runInProcess(home, { ...env, ...more }, ['hook', event, '--background'], JSON.stringify(input));
});

const link = () =>
  run('link', '--project', project, '--workspace', 'Default', '--vault', vault, '--capture', 'on');
const connect = (client: string, ...more: string[]) =>
  run('connect', client, '--vault', vault, ...more);
/** Lets Claude Code start a session in the project. */
const see = (more: Record<string, string> = {}) =>
  hook('session-start', { session_id: 'seen', cwd: project, source: 'startup' }, more);
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
    const unseen = await doctor();
    expect(unseen).toContain(
      `  ??  Claude Code hooks: are in settings.json, but not seen yet in ${project}\n      Fix: start a session there. Start a new Claude Code session; /hooks lists them.\n`,
    );
    expect(unseen).not.toContain(ALL_WORKS);
    expect(unseen).toMatch(/Nothing has failed; see \?\? above\.\n.*exit 0$/s);
    await see();
    const text = await doctor();
    expect(text).toContain('  ok  Claude Code hooks: are in settings.json\n');
    expect(text).toContain(ALL_WORKS);
  });

  it('does not take a private session for one that was seen', async () => {
    await connect('claude-code', '--hooks');
    await link();
    await see({ SAVEPOINT_PRIVATE: '1' });
    expect(await doctor()).toContain(`but not seen yet in ${project}`);
    await run('unlink', '--project', project);
    await see();
    expect(await doctor()).toContain('  ok  Claude Code hooks: are in settings.json\n');
  });

  it('names a hook that is missing among others', async () => {
    await connect('claude-code', '--hooks');
    const settings = inHome('.claude', 'settings.json');
    const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as { hooks: object };
    addFields(settings, { hooks: { ...hooks, Stop: undefined } });
    const text = await doctor();
    expect(text).toContain(
      '  NO  Claude Code hooks: Stop is missing in settings.json\n      Fix: run node main.js connect claude-code --hooks --vault DIR to add them.',
    );
    expect(text).not.toContain('hooks: are in');
    expect(text).not.toContain(ALL_WORKS);
  });

  it('names a file that a hook calls and that does not exist', async () => {
    await connect('claude-code', '--hooks');
    const settings = inHome('.claude', 'settings.json');
    const call = (start: string) =>
      edit(settings, (text) =>
        text.replace(
          /"command":\s*".*( hook turn )/,
          (_, end: string) => `"command": ${JSON.stringify(`${start}${end}`).slice(0, -1)}`,
        ),
      );
    call(String.raw`node '/nope/it'\''s gone.js'`);
    const text = await doctor();
    expect(text).toContain(`  NO  Claude Code hooks: There is no file "/nope/it's gone.js"`);
    expect(text).not.toContain(ALL_WORKS);
    call('/nope/node $HOME/savepoint.js');
    expect(await doctor()).toContain('There is no file "/nope/node"');
  });

  it('names the switch in the settings of a linked project', async () => {
    await connect('claude-code', '--hooks');
    await link();
    mkdirSync(join(project, '.claude'));
    const [shared, local] = [
      join(project, '.claude', 'settings.json'),
      join(project, '.claude', 'settings.local.json'),
    ];
    const off = JSON.stringify({ disableAllHooks: true });
    for (const file of [shared, local]) {
      writeFileSync(file, off);
      const text = await doctor();
      expect(text).toMatch(/Claude Code runs no hooks in \S+, because disableAllHooks in /);
      expect(text).toContain(`${file}:1 switches them off.`);
      expect(text).not.toContain(ALL_WORKS);
      rmSync(file);
    }
    await see();
    writeFileSync(shared, off);
    writeFileSync(local, JSON.stringify({ disableAllHooks: false })); // which precedes the other
    expect(await doctor()).toContain(ALL_WORKS);
  });

  it('names the line of settings that cannot be read', async () => {
    await connect('claude-code', '--hooks');
    await link();
    const settings = inHome('.claude', 'settings.json');
    writeFileSync(settings, '{\n  "hooks": {,}\n}\n');
    const text = await doctor();
    expect(text).toMatch(
      /NO {2}Claude Code hooks: Claude Code cannot read its own file .+ \(line 2, column 13/,
    );
    expect(text).not.toContain('no longer in');
    expect(text).not.toContain('no AI app has the hooks');
    expect(text).not.toContain(ALL_WORKS);
  });

  it('names hooks that are gone, and linked projects whose sessions nothing reads', async () => {
    await connect('claude-code', '--hooks');
    writeFileSync(inHome('.claude', 'settings.json'), '{}');
    const text = await doctor();
    expect(text).toContain(
      'Claude Code hooks: were added, but are no longer in settings.json\n      Fix: run node main.js connect claude-code --hooks --vault DIR to add them.',
    );
    expect(text).not.toContain(ALL_WORKS);
    expect(await connect('claude-code', '--undo')).toMatch(/exit 0$/);
    await connect('claude-code');
    expect(await doctor()).toContain(ALL_WORKS); // nobody wants hooks
    await link();
    expect(await doctor()).toContain(
      `Fix: run node main.js connect CLIENT --hooks --vault ${realpathSync(vault)} to add them.`,
    );
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
      `Gemini CLI does not start it, because mcp.allowed in ${settings}:1 keeps it from doing so.`,
    );
    expect(await doctor()).toContain('because mcp.allowed in');
    addFields(settings, { mcp: { allowed: ['github', 'savepoint'] } });
    expect(await doctor()).toContain(ALL_WORKS);
    addFields(settings, { mcp: { excluded: ['savepoint'] } });
    expect(await doctor()).toContain('because mcp.excluded in');
  });

  it('names the file in which Gemini CLI notes that a server is disabled', async () => {
    mkdirSync(inHome('.gemini'));
    const file = inHome('.gemini', 'mcp-server-enablement.json');
    writeFileSync(file, JSON.stringify(report('gemini-mcp-server-enablement.json')));
    for (const text of [await connect('gemini'), await doctor()]) {
      expect(text).toContain(
        `Gemini CLI does not start it, because savepoint.enabled in ${file}:1 keeps it from doing so.`,
      );
      expect(text).not.toContain('is connected');
      expect(text).not.toContain(ALL_WORKS);
    }
  });

  it('names a project in which Claude Code has the server disabled', async () => {
    await connect('claude-code');
    addFields(inHome('.claude.json'), {
      projects: { '/p': { disabledMcpServers: ['savepoint'] } },
    });
    const text = await doctor();
    expect(text).toContain(
      `  ??  enabled        0 ms  Claude Code does not start it in /p, because disabledMcpServers in ${inHome('.claude.json')}:1`,
    );
    expect(text).not.toContain(ALL_WORKS);
    expect(text).toMatch(/exit 0$/);
    expect(await connect('claude-code', '--read-only')).toContain(
      'Claude Code: the entry works, except for what is said above.',
    );
  });

  it('leaves no byte order mark that Claude Desktop refuses, but gives it back', async () => {
    mkdirSync(inHome('.config', 'Claude'), { recursive: true });
    const file = inHome('.config', 'Claude', 'claude_desktop_config.json');
    const before = readFileSync(join(REPORTS, 'claude-desktop-bom.json'), 'utf8');
    writeFileSync(file, before);
    expect(await connect('claude-desktop')).toContain(
      '  (the byte order mark is removed, which some apps refuse; the backup has it as it was)\n',
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ mcpServers: { notes: {} } });
    edit(file, (text) => `\u{FEFF}${text}`); // as PowerShell does
    const text = await doctor();
    expect(text).toContain(`cannot read ${file}, because it begins with a byte order mark.`);
    expect(text).not.toContain(ALL_WORKS);
    await connect('claude-desktop');
    await connect('claude-desktop', '--undo');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.runIf(spawnSync('unshare', ['-rm', 'true']).status === 0)(
    'names the settings of a company that deny servers, and hooks of users',
    () => {
      const etc = inHome('etc', 'claude-code');
      mkdirSync(etc, { recursive: true });
      const text = readFileSync(join(REPORTS, 'claude-managed-settings.json'), 'utf8');
      writeFileSync(join(etc, 'managed-settings.json'), text);
      const overlay =
        'T=$(mktemp -d) && mount -t tmpfs t $T && mkdir $T/w $T/u && cp -r "$0"/. $T/u && mount -t overlay o -o lowerdir=/etc,upperdir=$T/u,workdir=$T/w /etc && exec "$@"';
      const inCompany = (...args: string[]) =>
        spawnSync(
          'unshare',
          [
            '-rm',
            'sh',
            '-c',
            overlay,
            inHome('etc'),
            process.execPath,
            PROGRAM,
            ...args,
            '--vault',
            vault,
          ],
          { env: { ...env, PATH: process.env['PATH'] }, cwd: home, encoding: 'utf8' },
        ).stdout;
      const file = '/etc/claude-code/managed-settings.json:1';
      const connected = inCompany('connect', 'claude-code', '--hooks');
      expect(connected).toContain(`does not start it, because deniedMcpServers in ${file} keeps`);
      expect(connected).toContain(
        `runs no hooks, because allowManagedHooksOnly in ${file} switches`,
      );
      expect(connected).not.toContain('is connected');
      const checked = inCompany('doctor');
      expect(checked).toContain(`does not start it, because deniedMcpServers in ${file} keeps`);
      expect(checked).toContain(`runs no hooks, because allowManagedHooksOnly in ${file} switches`);
    },
  );

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
    expect(await doctor()).toContain(ALL_WORKS); // and the hooks were seen
    await turn('three', { type: 'utterance', by: 'human' });
    const text = await doctor();
    expect(text).toContain(
      'transcripts: Claude Code 9.1.0: nothing was understood in the last 3 transcripts that were read. Unknown: type "utterance"',
    );
    expect(text).not.toContain(ALL_WORKS);
    await turn('four', { type: 'user', message: { content: 'Hello there, old friend' } });
    expect(await doctor()).toContain(ALL_WORKS);
  });

  it('names transcripts of lines that are no JSON objects', async () => {
    await connect('claude-code', '--hooks');
    await link();
    const turn = async (id: string, text: string) => {
      const transcript = inHome(`${id}.jsonl`);
      if (text !== '') writeFileSync(transcript, text);
      await hook('turn', { session_id: id, transcript_path: transcript, cwd: project });
    };
    for (const id of ['one', 'two', 'three']) {
      await turn(id, 'human: hello\n'.repeat(30));
      await turn(`${id}-empty`, ''); // says nothing about the format
    }
    const text = await doctor();
    expect(text).toContain(
      'nothing was understood in the last 3 transcripts that were read. Unknown: lines that are no JSON objects',
    );
    expect(text).not.toContain(ALL_WORKS);
  });
});
