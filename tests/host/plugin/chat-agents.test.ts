// Tier full: agents are real processes, which take seconds to start.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { encodedTexts, randomFiles } from '../../fakes/encoded-texts.js';
import { createPlace, isRunning, journalOf, runningAgents, start } from './agent-app.js';

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

test('undo returns the same bytes in all encodings, however the agent has written', async () => {
  const place = createPlace();
  const files = new Map<string, Uint8Array>();
  for (const folder of ['Shell', 'Client'])
    for (const [name, bytes] of [...encodedTexts(), ...randomFiles(100)])
      files.set(`${folder}/${name}.md`, bytes);
  for (const [name, bytes] of randomFiles(6)) files.set(`Named/${name}`, bytes);
  for (const [path, bytes] of files) {
    mkdirSync(join(place.vault, dirname(path)), { recursive: true });
    writeFileSync(join(place.vault, path), bytes);
  }
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send(
    'do: spoil Shell',
    'do: spoil Named asks',
    'do: push_all Client',
    'do: say Spoilt.',
  );
  await expect
    .poll(() => app.texts('.savepoint-call-card button'), { timeout: 60_000 })
    .toContain('Allow once');
  await app.click('.savepoint-call-card button', 'More options');
  await app.click('.menu-item', 'Allow in this conversation');
  await app.idle();
  expect(await app.answers()).toContain('Spoilt.');
  const ruined = () =>
    [...files].filter(([path, bytes]) => {
      const file = join(place.vault, path);
      return !existsSync(file) || !readFileSync(file).equals(bytes);
    });
  expect(ruined()).toHaveLength(files.size);

  await app.click('.savepoint-banner button', 'Review and undo');
  await expect.poll(() => app.texts('.modal button')).toContain('Undo all changes');
  const shown = await app.texts('.modal .savepoint-diff');
  await app.click('.modal button', 'Undo all changes');
  await expect
    .poll(() => app.texts('.notice'), { timeout: 60_000 })
    .toContainEqual(expect.stringMatching(/^Undid \d+ changes/u));
  expect(ruined().map(([path]) => path)).toEqual([]);
  const latin = shown.filter((diff) => diff.includes('/windows-1252.md'));
  expect(latin).toHaveLength(2);
  for (const diff of latin) expect(diff).toContain('not text in UTF-8');
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('what cannot be undone is said before the agent may write it', async () => {
  const place = createPlace();
  writeFileSync(join(place.vault, 'large.md'), 'x'.repeat(1024 * 1024 + 1));
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send('do: write large.md NEW');
  await expect
    .poll(() => app.texts('.savepoint-call-card button'), { timeout: 60_000 })
    .toContain('Allow once');
  expect((await app.texts('.savepoint-call-card')).join()).toContain(
    'Cannot be undone (over 1 MB or excluded): large.md',
  );
  await app.click('.savepoint-call-card button', 'Deny');
  await app.idle();
  expect(readFileSync(join(place.vault, 'large.md'), 'utf8')).toHaveLength(1024 * 1024 + 1);
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('undo writes through no link that the agent has left', async () => {
  const place = createPlace();
  const outside = join(place.home, 'outside.md');
  writeFileSync(outside, 'Secret\n');
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send(`do: link note.md ${outside}`, 'do: say Linked.');
  await app.idle();
  await app.click('.savepoint-banner button', 'Review and undo');
  await expect.poll(() => app.texts('.modal button')).toContain('Undo all changes');
  await app.click('.modal button', 'Undo all changes');
  await expect
    .poll(() => app.texts('.notice'))
    .toContainEqual(expect.stringContaining('note.md is behind a link.'));
  expect(readFileSync(outside, 'utf8')).toBe('Secret\n');
  rmSync(join(place.vault, 'note.md'));
  await app.click('.modal button', 'Undo all changes');
  await expect.poll(() => existsSync(join(place.vault, 'note.md'))).toBe(true);
  expect(readFileSync(join(place.vault, 'note.md'), 'utf8')).toBe('one\ntwo\n');
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

test('a change outside the vault is reported, and can be undone if it was announced', async () => {
  const place = createPlace();
  const [edited, created] = ['profile', 'new'].map((name) => join(place.home, name)) as [
    string,
    string,
  ];
  writeFileSync(edited, 'one\n');
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send(`do: announce ${edited} TWO`, `do: announce ${created} x`, 'do: say Begun');
  await app.idle();
  for (const file of [edited, created])
    expect((await app.texts('.notice')).join()).toContain(
      `Claude Code changes a file that it must not change: ${file}.`,
    );
  await app.click('.savepoint-banner button', 'Review and undo');
  await expect.poll(() => app.texts('.modal button')).toContain('Undo all changes');
  await app.click('.modal button', 'Undo all changes');
  await expect.poll(() => readFileSync(edited, 'utf8')).toBe('one\n');
  await expect.poll(() => existsSync(created)).toBe(false);
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('a change of the memory is reported during the turn and can be undone', async () => {
  const place = createPlace();
  const app = await start(place);
  const core = join(place.vault, 'Savepoint/core');
  const segments = () =>
    readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.jsonl'),
    );
  const memory = () => segments().map((file) => readFileSync(join(core, file), 'utf8'));
  const state = (name: string) =>
    `do: call createState ${JSON.stringify({ name, conversationContext: 'c', activeTask: 't', activeFiles: [], nextSteps: ['n'] })}`;
  const allow = async () => {
    await expect
      .poll(() => app.texts('.savepoint-call-card button'), { timeout: 60_000 })
      .toContain('Allow once');
    await app.click('.savepoint-call-card button', 'Allow once');
  };
  const reports = async () =>
    (await app.texts('.notice')).filter((shown) => shown.includes('own folder'));
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send(state('Kept'));
  await allow();
  await app.idle();
  expect(await app.answers()).toContain('createState: completed');
  expect(await reports()).toEqual([]);

  const [segment] = segments();
  const path = `Savepoint/core/${segment!}`;
  await app.send(`do: shell ${path} Nothing`, state('Later'), 'do: say Begun', 'do: wait');
  await allow();
  await expect
    .poll(reports, { timeout: 60_000 })
    .toEqual([expect.stringContaining(`Claude Code changed Savepoint’s own folder: ${path}.`)]);
  expect(memory().join('')).not.toContain('"Kept"');
  await app.click('.savepoint-composer button', 'Stop');
  await app.idle();
  await app.click('.savepoint-banner button', 'Review and undo');
  await expect.poll(() => app.texts('.modal button')).toContain('Undo all changes');
  await app.click('.modal button', 'Undo all changes');
  await expect.poll(() => memory().join('')).toContain('"Kept"');
  expect(memory().join('')).toContain('"Later"');
  expect(memory().join('')).not.toContain('Nothing');
  expect(await reports()).toHaveLength(1);
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('a turn that ends early says whether the user or the agent has ended it', async () => {
  const app = await start(createPlace());
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send('do: say Begun', 'do: cancel');
  await app.idle();
  const ended = 'Claude Code ended its turn before the answer was complete.';
  await expect.poll(() => app.texts('.savepoint-ending')).toEqual([ended]);
  expect(await app.texts('.savepoint-failure')).toEqual([]);
  await app.send('do: say Again and again', 'do: wait');
  await expect.poll(() => app.answers()).toContain('Again');
  await app.click('.savepoint-composer button', 'Stop');
  await app.idle();
  await expect
    .poll(() => app.texts('.savepoint-ending'))
    .toEqual([ended, 'You stopped this answer.']);
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

test('an uninstalled agent is reported in the conversation', async () => {
  const place = createPlace();
  const app = await start(place);
  await app.add('Claude Code');
  rmSync(join(place.bin, 'claude-agent-acp'));
  await app.run('open-chat');
  await app.send('do: say Hello');
  await expect
    .poll(() => app.texts('.savepoint-failure p'), { timeout: 60_000 })
    .toEqual([
      'Claude Code was not found on this computer. Install it (npm install -g @agentclientprotocol/claude-agent-acp@0.101.0), then try again.',
    ]);
  await app.idle();
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('the panel says whether an agent could start the memory server', async () => {
  const place = createPlace('tolerates');
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.host.evaluate(() => {
    const start = globalThis.setTimeout;
    const soon = (task: () => void, ms = 0) => start(task, ms === 20_000 ? 2000 : ms);
    Object.assign(globalThis, { setTimeout: soon });
  });
  renameSync(place.plugin, `${place.plugin}.away`);
  await app.send('do: memory');
  await app.idle();
  expect(await app.answers()).toContain('servers: 0');
  const banners = () => app.texts('.savepoint-banner[role="status"]');
  await expect
    .poll(banners, { timeout: 20_000 })
    .toEqual([expect.stringContaining('Claude Code has not connected to Savepoint’s memory.')]);

  renameSync(`${place.plugin}.away`, place.plugin);
  await app.click('.savepoint-header button', 'More actions');
  await app.click('.menu-item', 'New conversation');
  await app.send('do: memory');
  await app.idle();
  expect(await app.answers()).toContain('servers: 1');
  await sleep(3000);
  expect(await banners()).toEqual([]);
  expect(app.host.errors).toEqual([]);
}, 180_000);

test('two conversations with one agent have a process each', async () => {
  const place = createPlace();
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await app.send('do: say Apples first', 'do: wait', 'do: say Cherries');
  await expect.poll(() => app.answers(), { timeout: 60_000 }).toContain('Apples');
  await app.click('.savepoint-header button', 'More actions');
  await app.click('.menu-item', 'New conversation');
  await app.send('do: say Pears', 'do: memory');
  await app.idle();
  const second = await app.answers();
  expect(second).toContain('Pears');
  expect(second).toContain('servers: 1');
  expect(second).not.toContain('Apples');
  expect(runningAgents(place)).toHaveLength(2);
  const servers = journalOf(place).flatMap(({ mcpServers = [] }) => mcpServers);
  const conversations = servers.slice(-2).map(({ args }) => args[args.indexOf('--session') + 1]);
  expect(new Set(conversations).size).toBe(2);

  await app.show(conversations[0] ?? '');
  await expect.poll(() => app.answers()).toContain('Apples');
  await app.click('.savepoint-composer button', 'Stop');
  await app.idle();
  expect(await app.answers()).not.toMatch(/Pears|Cherries/u);
  expect(app.host.errors).toEqual([]);
}, 180_000);
