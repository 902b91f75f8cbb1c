// Tier full: starts the program for each call
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { endOf, runProgram, startProgram } from '../../fakes/program.js';
import { lateCount, toldProject, type ToldProject } from '../../fakes/told-project.js';

const TIME = 120_000;
const RULE = 'Thumbnails of photos are made once, with a long edge of 400 pixels.';
const TASK = 'Make the thumbnails of the photos with the long edge in pixels';
/** Clients end a hook after ten seconds. */
const MAX_MS = 10_000;

async function withRule(): Promise<ToldProject> {
  const at = await toldProject();
  await at.work(
    'claude-code',
    'first',
    { kind: 'task', text: RULE },
    { kind: 'write', path: 'src/photos.ts' },
    { kind: 'answer', text: 'Done.' },
  );
  return at;
}

/** Returns the path of the file with what can be told. */
function recallFileOf({ state }: ToldProject): string {
  const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
  return join(state, names.find((name) => name.endsWith('.recall')) ?? '');
}

const inputOf = (at: ToldProject) => ({
  session_id: 'asking',
  cwd: at.project,
  hook_event_name: 'UserPromptSubmit',
  prompt: TASK,
});

const run = (at: ToldProject, args: readonly string[], input: string) =>
  runProgram(args, { cwd: at.project, env: at.env, input });

const NOTHING = { code: 0, stdout: '', stderr: '' };
const PROMPT = ['hook', 'prompt', '--client', 'codex'];

describe('a hook that cannot tell anything prints nothing and succeeds', () => {
  it(
    'with a file that is damaged, missing or a folder',
    async () => {
      const at = await withRule();
      const file = recallFileOf(at);
      const whole = readFileSync(file);
      const [stamp = ''] = whole.toString().split('\n');
      const damaged = [
        Buffer.alloc(0),
        Buffer.from([0, 255, 254, 10, 9]),
        Buffer.from('{}'),
        Buffer.from(`${stamp}\n`),
        Buffer.from(`${stamp}\nsavepoint recall 1\n9 9 9\n`),
        Buffer.from(
          `${stamp}\nsavepoint recall 2\n${whole.toString().split('\n').slice(2).join('\n')}`,
        ),
        Buffer.from(whole.toString().replaceAll('\t', ' ')),
        Buffer.from(whole.toString().replaceAll(/\d/g, '9')),
      ];
      for (const bytes of damaged) {
        writeFileSync(file, bytes);
        expect(await run(at, PROMPT, JSON.stringify(inputOf(at)))).toEqual(NOTHING);
      }
      rmSync(file);
      expect(await run(at, PROMPT, JSON.stringify(inputOf(at)))).toEqual(NOTHING);
      mkdirSync(file);
      expect(await run(at, PROMPT, JSON.stringify(inputOf(at)))).toEqual(NOTHING);
      rmSync(file, { recursive: true });
      writeFileSync(file, whole);
      expect(await at.prompted('codex', 'other', TASK)).toContain(RULE);
    },
    TIME,
  );

  it(
    'with input that is no object, binary or far too long',
    async () => {
      const at = await withRule();
      const inputs = [
        '',
        ' ',
        '[]',
        '3',
        'null',
        '"text"',
        '{',
        '{"prompt":',
        '\u0000\ufffd',
        '{}',
        '{"cwd":3,"prompt":[]}',
        JSON.stringify({ ...inputOf(at), cwd: '../x' }),
        JSON.stringify({ ...inputOf(at), prompt: 'y'.repeat(8 * 1024 * 1024) }),
        JSON.stringify({ ...inputOf(at), prompt: 'other words '.repeat(600_000) }),
        JSON.stringify({ ...inputOf(at), prompt: '<a-b>x\n</a-b>\n'.repeat(300_000) }),
        JSON.stringify({ ...inputOf(at), prompt: '' }),
      ];
      for (const input of inputs) {
        const begin = performance.now();
        expect(await run(at, PROMPT, input)).toEqual(NOTHING);
        expect(performance.now() - begin).toBeLessThan(MAX_MS);
      }
    },
    TIME,
  );

  it(
    'in time, if standard input is never closed',
    async () => {
      const at = await withRule();
      for (const input of ['', JSON.stringify(inputOf(at))]) {
        const begin = performance.now();
        const child = startProgram(PROMPT, { cwd: at.project, env: at.env });
        child.stdin.on('error', () => undefined).write(input);
        expect(await endOf(child)).toEqual(NOTHING);
        expect(performance.now() - begin).toBeLessThan(MAX_MS);
      }
    },
    TIME,
  );

  it(
    'with arguments that it does not know',
    async () => {
      const at = await withRule();
      const input = JSON.stringify(inputOf(at));
      const wrong = [
        ['hook'],
        ['hook', ''],
        ['hook', 'Prompt', '--client', 'codex'],
        ['hook', 'prompts', '--client', 'codex'],
        ['hook', 'prompt', '--client', 'nobody'],
        ['hook', 'prompt', '--client', ''],
        ['hook', 'prompt', '--client', 'codex', '--tell', 'all'],
        ['hook', '--prompt'],
        ['hook', 'subagent', '--client', 'gemini'],
        ['hook', 'tool', '--client', 'codex'],
      ];
      for (const args of wrong) expect(await run(at, args, input)).toEqual(NOTHING);
    },
    TIME,
  );

  it.skipIf(process.platform === 'win32')(
    'when it is late, which doctor counts; later it is told',
    async () => {
      const at = await withRule();
      const before = lateCount(at.state);
      const child = startProgram(PROMPT, { cwd: at.project, env: at.env });
      await sleep(1500);
      child.kill('SIGSTOP');
      child.stdin.end(JSON.stringify(inputOf(at)));
      await sleep(500);
      child.kill('SIGCONT');
      expect(await endOf(child)).toEqual(NOTHING);
      expect(lateCount(at.state)).toBe(before + 1);
      expect(await told(at)).toMatch(
        /^agents were told something 0 times in the last week, with about 0 tokens; \d+ times? it was ready too late, and left out$/,
      );
      expect(await at.prompted('codex', 'asking', TASK)).toContain(RULE);
      expect(await told(at)).toMatch(
        /^agents were told something 1 time in the last week, with about [3-9]\d tokens; /,
      );
    },
    TIME,
  );
});

/** Returns what doctor says about it; empty for nothing. */
async function told(at: ToldProject): Promise<string> {
  const { stdout } = await run(at, ['doctor', '--vault', at.vault, '--json'], '');
  const { capture } = JSON.parse(stdout) as { capture: { name: string; text: string }[] };
  return capture.find(({ name }) => name === 'told')?.text ?? '';
}
