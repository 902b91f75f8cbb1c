import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findKnownChatAgent } from '../../src/acp/known-chat-agents.js';
import type { AiApp } from '../../src/apps/ai-app.js';
import { AI_APPS, displayName } from '../../src/apps/index.js';
import { isTrue } from '../../src/apps/switches.js';
import { namedFolderIn } from '../../src/bridge/projects.js';
import { objectAt, textAt } from '../../src/model/text/json-fields.js';
import { findChatAgents } from '../../src/node/chat-agents/find-chat-agents.js';
import { captureProject } from '../fakes/captured-project.js';
import { runInProcess } from '../fakes/in-process.js';
import { temporaryFolder } from '../fakes/program.js';
import { node } from '../node/folders.js';

/** An app that nothing but this record knows. */
const harken: AiApp = {
  id: 'harken',
  title: 'Harken Pro',
  clientNames: ['harken-mcp'],
  namedFolder: (meta) =>
    typeof meta['harken/at'] === 'string' ? { folder: meta['harken/at'], remotes: {} } : undefined,
  async findPackage({ fields }) {
    const { addon = {} } = await fields('addons.json');
    return { version: JSON.stringify(addon), vault: '' };
  },
  switches: () => [
    { stops: 'hooks', source: '', files: ['tools.json'], setting: 'mute', isOff: isTrue },
  ],
  config: {
    format: 'jsonc',
    section: 'tools',
    required: { kind: 'local' },
    reload: 'Ring the bell.',
    places: (at) => [{ folder: at.join(at.home, '.harken'), file: 'tools.json' }],
  },
  hooks: {
    file: 'bells.json',
    format: 'json',
    events: {
      'session-start': 'Wake',
      turn: 'Rest',
      'pre-compact': 'Fold',
      'session-end': 'Sleep',
    },
    tells: [{ moment: 'prompt', event: 'Asked' }],
    unitMs: 100,
    advice: 'Ring the other bell.',
    answerField: 'last_words',
    transcript: {
      typedIn(entry) {
        const text = textAt(objectAt(entry, 'heard'), 'said');
        return text === '' ? undefined : { text, id: '' };
      },
      readEntry: (entry, recorder) => recorder.touchFile(entry['wrote'], true, '1'),
    },
  },
  acp: { command: 'harken', args: ['--acp'], install: undefined, homepage: 'https://harken.test' },
};

beforeAll(() => {
  (AI_APPS as AiApp[]).push(harken);
});
afterAll(() => {
  (AI_APPS as AiApp[]).pop();
});

it('an app that is only in the list is connected, with its hooks, and found by doctor', async () => {
  const home = realpathSync(temporaryFolder('home'));
  const vault = join(home, 'vault');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  mkdirSync(join(home, '.harken'));
  const env = { HOME: home, SAVEPOINT_STATE: join(home, 'state'), XDG_RUNTIME_DIR: home };
  const connect = (...args: string[]) =>
    runInProcess(home, env, ['connect', ...args, '--vault', vault]);
  expect(await connect()).toMatch(/\n {2}harken +Harken Pro: not connected; would add "savepoint"/);
  expect(await connect('unheard')).toContain(', harken.\n');
  const connected = await connect('harken', '--hooks');
  expect(connected).toContain('Harken Pro is connected. Ring the bell.\n');
  expect(connected).toContain('Harken Pro has the hooks. Ring the other bell.\n');
  expect(connected).toMatch(/exit 0$/);
  const written = (name: string) =>
    JSON.parse(readFileSync(join(home, '.harken', name), 'utf8')) as object;
  expect(written('tools.json')).toMatchObject({
    tools: { savepoint: { kind: 'local', args: expect.arrayContaining(['mcp', vault]) as [] } },
  });
  expect(written('bells.json')).toMatchObject({
    hooks: {
      Rest: [{ hooks: [{ command: expect.stringMatching(/hook turn --client harken$/) as '' }] }],
      Sleep: [{ hooks: [{ timeout: 100 }] }],
    },
  });
  writeFileSync(join(home, '.harken', 'addons.json'), '{ "addon": 7 }');
  const report = await runInProcess(home, env, ['doctor', '--vault', vault]);
  expect(report).toContain(`Harken Pro: "savepoint" for ${vault}`);
  expect(report).toContain('Harken Pro: version 7');
});

it('its hooks are understood, and its transcripts are read', async () => {
  const at = await captureProject();
  const transcript = join(at.transcripts, 'one.jsonl');
  const lines = [{ heard: { said: 'Paint the gate' } }, { wrote: join(at.project, 'gate.ts') }];
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const input = {
    session_id: 'one',
    cwd: at.project,
    transcript_path: transcript,
    last_words: 'The gate is red.',
  };
  const args = ['hook', 'session-end', '--client', 'harken', '--background'];
  expect(await runInProcess(node.os.homedir(), at.env, args, JSON.stringify(input))).toBe('exit 0');
  expect(at.checkpoints()).toMatchObject([
    {
      turns: [{ message: 'Paint the gate', answer: 'The gate is red.', isTask: true }],
      written: ['project:gate.ts'],
    },
  ]);
});

it('it is offered in the chat, and has its title under each of its names', async () => {
  const home = realpathSync(temporaryFolder('home'));
  const program = join(home, 'harken');
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  const host = { platform: process.platform, env: { PATH: home }, home, execPath: '' };
  const found = (await findChatAgents(node, host)).find(({ agent }) => agent.id === 'harken');
  expect(found).toMatchObject({ agent: { title: 'Harken Pro', args: ['--acp'] }, program });
  expect(findKnownChatAgent('harken')?.homepage).toBe('https://harken.test');
  expect(['harken', 'harken-mcp'].map(displayName)).toEqual(['Harken Pro', 'Harken Pro']);
  expect(namedFolderIn({ 'harken/at': '/far' })?.folder).toBe('/far');
});
