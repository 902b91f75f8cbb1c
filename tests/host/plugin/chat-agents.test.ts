// Tier full: agents are real processes, which take seconds to start.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { startNodeHost, type NodeHost } from '../node-host.js';
import { personAt } from './desktop-app.js';

const SCRIPTED = fileURLToPath(new URL('../../fakes/scripted-agent.mjs', import.meta.url));

/** Creates a vault with the plugin, and a computer on which the scripted agent is installed under two names. */
function createPlace(quirks = '') {
  const home = temporaryFolder('home');
  const vault = temporaryFolder();
  const plugin = join(vault, '.obsidian/plugins/savepoint/main.js');
  mkdirSync(dirname(plugin), { recursive: true });
  for (const file of ['main.js', 'manifest.json'])
    copyFileSync(join(dirname(PROGRAM), file), join(dirname(plugin), file));
  const bin = join(home, '.local/bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['claude-agent-acp', 'codex-acp']) {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} ${SCRIPTED} ${quirks}\n`);
    chmodSync(file, 0o755);
  }
  writeFileSync(join(vault, 'note.md'), 'one\ntwo\n');
  const env = {
    HOME: home,
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: '',
    SCRIPTED_AGENT_JOURNAL: join(home, 'journal.jsonl'),
  };
  return { home, vault, plugin, env, storageFile: join(home, 'local-storage.json') };
}

async function start({ vault, plugin, env, storageFile }: ReturnType<typeof createPlace>) {
  const host = await startNodeHost({ vault, plugin, env, storageFile });
  onTestFinished(() => host.kill());
  const person = personAt(host);
  await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  return { host, ...person, ...by(host) };
}

function by(host: NodeHost) {
  const person = personAt(host);
  const type = (typed: string) =>
    host.evaluate((_, words) => {
      const area = document.querySelector<HTMLTextAreaElement>('.savepoint-composer textarea');
      if (!area) throw new Error('There is no composer');
      area.value = words;
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }, typed);
  return {
    /** Adds an agent in the settings. */
    async add(title: string) {
      await person.openPage('Agents in the chat');
      await expect.poll(() => person.texts('.savepoint-agent-row')).not.toEqual([]);
      await person.clickNow('.savepoint-agent-row button', `Add: ${title}`);
      await expect
        .poll(() => person.texts('.notice'), { timeout: 60_000 })
        .toContainEqual(expect.stringContaining(`${title} works`));
    },
    type,
    async send(...lines: string[]) {
      await type(lines.join('\n'));
      await person.click('.savepoint-composer button', 'Send');
    },
    answers: async () => (await person.texts('.savepoint-message.mod-answer')).join('\n'),
    idle: () =>
      expect
        .poll(() => person.texts('.savepoint-composer button[aria-label="Stop"]'), {
          timeout: 60_000,
        })
        .toEqual([]),
  };
}

const isRunning = (words: string) =>
  spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.includes(words);

test('an agent is added, answers, writes after approval, and its changes are undone', async () => {
  const place = createPlace();
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await expect.poll(() => app.texts('.savepoint-place')).toContain('Claude Code');

  await app.send('do: say Hello.', 'do: write note.md NEW', 'do: shell other.md By the shell');
  await expect
    .poll(() => app.texts('.savepoint-call-card button'), { timeout: 60_000 })
    .toContain('Allow once');
  expect((await app.texts('.savepoint-call-card')).join()).toContain('-one');
  expect(readFileSync(join(place.vault, 'note.md'), 'utf8')).toBe('one\ntwo\n');
  await app.click('.savepoint-call-card button', 'Allow once');
  await app.idle();
  expect(await app.answers()).toContain('Hello.');
  expect(readFileSync(join(place.vault, 'note.md'), 'utf8')).toBe('NEW\n');

  await expect
    .poll(() => app.texts('.savepoint-banner'))
    .toContainEqual(expect.stringContaining('Changed 2 files'));
  writeFileSync(join(place.vault, 'note.md'), 'NEW\nmine\n');
  await app.click('.savepoint-banner button', 'Review and undo');
  await expect.poll(() => app.texts('.modal button')).toContain('Undo all changes');
  await app.click('.modal button', 'Undo all changes');
  await expect
    .poll(() => readFileSync(join(place.vault, 'note.md'), 'utf8'))
    .toBe('one\ntwo\nmine\n');
  expect(existsSync(join(place.vault, 'other.md'))).toBe(false);
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('one agent saves a state, and another resumes it in two clicks', async () => {
  const place = createPlace();
  const app = await start(place);
  await app.add('Codex');
  await app.add('Claude Code');
  await app.run('open-chat');
  const state = {
    name: 'Halfway',
    conversationContext: 'Half of it is done.',
    activeTask: 'The other half',
    activeFiles: ['note.md'],
    nextSteps: ['Go on'],
  };
  await app.send(`do: call createState ${JSON.stringify(state)}`);
  await expect
    .poll(() => app.texts('.savepoint-call-card button'), { timeout: 60_000 })
    .toContain('Allow once');
  await app.click('.savepoint-call-card button', 'Allow once');
  await app.idle();
  expect(await app.answers()).toContain('createState: completed');

  await app.click('.savepoint-place', 'Model: Claude Code');
  await app.click('.suggestion-item', 'CodexAgent on this device');
  await app.send('do: call loadState {"name":"Halfway"}');
  await app.idle();
  expect(await app.answers()).toContain('loadState: completed');
  const journal = readFileSync(join(place.home, 'journal.jsonl'), 'utf8');
  expect(journal).toContain('Half of it is done.'); // the brief in the first prompt of Codex
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('leaves no process behind when the app quits in mid-turn', async () => {
  const place = createPlace('holds');
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send('do: say Begun already', 'do: wait');
  await expect.poll(() => app.answers(), { timeout: 60_000 }).toContain('Begun');
  expect(isRunning(place.vault)).toBe(true);
  await app.host.quit();
  await expect.poll(() => isRunning(place.vault), { timeout: 20_000 }).toBe(false);
}, 180_000);

test('a change of the app’s settings is reported during the turn and can be undone', async () => {
  const place = createPlace();
  const settings = join(place.vault, '.obsidian/hotkeys.json');
  writeFileSync(settings, '{}\n');
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send('do: shell .obsidian/hotkeys.json {"x":1}', 'do: say Begun', 'do: wait');
  await expect
    .poll(() => app.texts('.notice'), { timeout: 60_000 })
    .toContainEqual(expect.stringContaining('settings: .obsidian/hotkeys.json'));
  expect(await app.texts('.savepoint-composer button[aria-label="Stop"]')).toHaveLength(1);
  await app.click('.savepoint-composer button', 'Stop');
  await app.idle();
  await app.click('.savepoint-banner button', 'Review and undo');
  await expect.poll(() => app.texts('.modal button')).toContain('Undo all changes');
  await app.click('.modal button', 'Undo all changes');
  await expect.poll(() => readFileSync(settings, 'utf8')).toBe('{}\n');
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('the commands of the agent are suggested after a slash', async () => {
  const app = await start(createPlace());
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send('do: commands security-review compact', 'do: say Ready');
  await app.idle();
  await app.type('/security-');
  await expect.poll(() => app.texts('.savepoint-offer')).toHaveLength(1);
  expect((await app.texts('.savepoint-offer')).join()).toContain('Does security-review');
  expect(app.host.errors).toEqual([]);
}, 180_000);
