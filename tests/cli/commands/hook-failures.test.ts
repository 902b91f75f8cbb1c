// Tier full: each case starts several programs.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  captureProject,
  messagesIn,
  recordedSession,
  type CapturedProject,
} from '../../fakes/captured-project.js';
import { endOf, startProgram } from '../../fakes/program.js';
import { linesOf } from '../../fakes/transcripts.js';
import { canMount } from '../../node/small-disk.js';
import { inNightly } from '../../tier.js';

const isNight = inNightly('hooks on damaged, full and read-only disks, and large transcripts');
const testAtNight = it.runIf(isNight);
const testWithMounts = it.runIf(isNight && process.platform === 'linux' && canMount());

const EVENTS = ['session-start', 'turn', 'pre-compact', 'session-end'];

/** Calls every hook, and expects that the client notices nothing. Returns what was printed. */
async function callAll(at: CapturedProject, input: object): Promise<string[]> {
  const printed: string[] = [];
  for (const event of EVENTS) {
    const { code, stdout, stderr } = await at.hook(event, input);
    expect({ event, code, stderr }).toEqual({ event, code: 0, stderr: '' });
    if (stdout !== '' && event === 'session-start') JSON.parse(stdout);
    else expect({ event, stdout }).toEqual({ event, stdout: '' });
    printed.push(stdout);
  }
  return printed;
}

function expectFailure(at: CapturedProject, pattern: RegExp): void {
  expect(readFileSync(join(at.state, 'capture/failures.log'), 'utf8')).toMatch(pattern);
}

function sessionAt(at: CapturedProject) {
  const session = recordedSession(at, 'claude-code', 'one');
  session.record({ kind: 'task', text: 'Fix the login' }, { kind: 'answer', text: 'Done.' });
  return session;
}

it('no hook breaks a client whose vault is gone', async () => {
  const at = await captureProject();
  const { input } = sessionAt(at);
  rmSync(at.vault, { recursive: true });
  await callAll(at, input);
  expectFailure(at, /session-start of Claude Code: /);
  const { stdout } = await at.run('doctor', '--vault', at.vault);
  expect(stdout.split('\n').filter((line) => line.includes('of Claude Code: '))).toHaveLength(1);
});

testAtNight('no hook breaks a client whose vault is damaged', async () => {
  const at = await captureProject();
  const { input } = sessionAt(at);
  const core = join(at.vault, 'Savepoint/core');
  for (const name of readdirSync(core, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.jsonl')) writeFileSync(join(core, name), Buffer.alloc(5000, 7));
  await callAll(at, input);
});

testWithMounts('no hook breaks a client on a read-only disk', async () => {
  const at = await captureProject();
  const { input } = sessionAt(at);
  const folders = [at.vault, at.state];
  for (const folder of folders) {
    execFileSync('mount', ['--bind', folder, folder]);
    execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
  }
  try {
    await callAll(at, input);
  } finally {
    for (const folder of folders) execFileSync('umount', [folder]);
  }
});

testWithMounts('no hook breaks a client on a full disk', async () => {
  const at = await captureProject();
  const { input } = sessionAt(at);
  const folders = [join(at.vault, 'Savepoint'), at.state];
  for (const folder of folders) {
    const copy = `${folder}-copy`;
    execFileSync('cp', ['-a', folder, copy]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
    execFileSync('cp', ['-a', `${copy}/.`, folder]);
    try {
      appendFileSync(join(folder, 'filler'), Buffer.alloc(600_000));
    } catch {
      // It is full now.
    }
  }
  try {
    await callAll(at, input);
  } finally {
    for (const folder of folders) execFileSync('umount', [folder]);
  }
});

testAtNight(
  'no hook breaks a client with a transcript of 200 MB',
  async () => {
    const at = await captureProject();
    const { input } = sessionAt(at);
    const output = linesOf('claude-code', { kind: 'answer', text: 'x'.repeat(1_000_000) }, 9).join(
      '\n',
    );
    for (let megabyte = 0; megabyte < 200; megabyte++)
      appendFileSync(input.transcript_path, `${output}\n`);
    const [last] = linesOf('claude-code', { kind: 'task', text: 'Fix the logout' }, 10);
    appendFileSync(input.transcript_path, `${last ?? ''}\n`);
    await callAll(at, input);
    await at.hook('turn', input, '--background');
    expect(await at.brief('codex')).toContain('Fix the logout');
  },
  300_000,
);

testAtNight('no hook breaks a client whose transcript has an unknown version', async () => {
  const at = await captureProject();
  const transcript = join(at.transcripts, 'new.jsonl');
  writeFileSync(transcript, '{"kind":"turn","schema":9,"body":{"role":"human"}}\n'.repeat(50));
  await callAll(at, { session_id: 'new', transcript_path: transcript });
});

testAtNight('two sessions at once are both recorded', async () => {
  const at = await captureProject();
  const sessions = ['first', 'second'].map((id) => recordedSession(at, 'claude-code', id));
  for (const [index, { record }] of sessions.entries())
    record({ kind: 'task', text: `Task ${index}` }, { kind: 'answer', text: 'Done.' });
  await Promise.all(sessions.map(({ input }) => callAll(at, input)));
  for (const { input } of sessions) await at.hook('session-end', input, '--background');
  await expect
    .poll(() => at.checkpoints().flatMap(messagesIn))
    .toEqual(expect.arrayContaining(['Task 0', 'Task 1']));
});

it('no hook breaks a client while the program is replaced', async () => {
  const at = await captureProject();
  const { input } = sessionAt(at);
  const home = join(at.state, 'home');
  mkdirSync(join(home, '.claude'), { recursive: true });
  const env = { ...at.env, HOME: home };
  const program = join(at.state, 'program/savepoint.js');
  const connected = startProgram(['connect', 'claude-code', '--vault', at.vault], { env });
  connected.stdin.end();
  expect(await endOf(connected)).toMatchObject({ code: 0 });
  expect(existsSync(program)).toBe(true);
  const call = (event: string) => {
    const child = startProgram(['hook', event], { env, cwd: at.project, program });
    child.stdin.end(JSON.stringify({ ...input, cwd: at.project }));
    return endOf(child);
  };
  const versions = join(at.state, 'program');
  const calls = EVENTS.map(call);
  for (const name of readdirSync(versions))
    if (/^\d/.test(name)) rmSync(join(versions, name), { recursive: true });
  calls.push(...EVENTS.map(call));
  for (const { code, stderr } of await Promise.all(calls))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
