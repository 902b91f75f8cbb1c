import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activityIn,
  CAPTURED_CLIENTS,
  linesOf,
  type SessionStep,
  transcriptOf,
  workIn,
} from '../fakes/transcripts.js';
import { inFull } from '../tier.js';

const itInFull = it.runIf(inFull('large transcripts'));

const STEPS: readonly SessionStep[] = [
  { kind: 'task', text: 'Fix the login' },
  { kind: 'read', path: 'src/login.ts' },
  { kind: 'read', path: 'src/missing.ts', fails: true },
  { kind: 'write', path: 'src/login.ts' },
  { kind: 'write', path: 'src/refused.ts', fails: true },
  { kind: 'command', command: 'npm test', fails: true },
  { kind: 'command', command: 'npm run lint' },
  {
    kind: 'todos',
    todos: [
      { text: 'Write a test', isDone: true },
      { text: 'Fix the bug', isDone: false },
    ],
  },
  { kind: 'answer', text: 'We decided to use JWT.\n\nMore about it.' },
];

const linesIn = (text: string) => text.split('\n');

describe.each(CAPTURED_CLIENTS)('a transcript of %s', (client) => {
  const lines = linesIn(transcriptOf(client, STEPS));

  it('yields task, answer, files, commands and to-do list', () => {
    const { task, then, answer, files, commands, todos } = workIn(client, lines);
    expect({ task, then, answer }).toEqual({
      task: 'Fix the login',
      then: [],
      answer: 'We decided to use JWT.\n\nMore about it.',
    });
    expect(files).toMatchObject([{ path: 'src/login.ts', isWritten: true }]);
    expect(commands.slice(-2)).toMatchObject([
      { command: 'npm test', isSuccess: false },
      { command: 'npm run lint', isSuccess: true },
    ]);
    expect(todos.map(({ text, isDone }) => ({ text, isDone }))).toEqual([
      { text: 'Write a test', isDone: true },
      { text: 'Fix the bug', isDone: false },
    ]);
  });

  it('ignores a torn line and everything that it does not know', () => {
    const whole = activityIn(client, lines);
    const last = linesOf(client, { kind: 'task', text: 'Never sent' }, 99)[0]!;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: last.length - 1 }), fc.json(), (length, json) => {
        const torn = [...lines, last.slice(0, length), JSON.stringify({ type: 'unknown', json })];
        expect(activityIn(client, torn)).toEqual(whole);
      }),
    );
  });

  it('survives any JSON in the place of any field', () => {
    fc.assert(
      fc.property(fc.nat(lines.length - 2), fc.jsonValue(), fc.nat(30), (at, value, field) => {
        let seen = 0;
        const changed = JSON.stringify(JSON.parse(lines[at]!), (_, inner: unknown) =>
          seen++ === field ? value : inner,
        );
        activityIn(client, [...lines.slice(0, at), changed ?? '', ...lines.slice(at + 1)]);
      }),
    );
  });

  itInFull('has a bounded activity, whatever its size', () => {
    const long = 'x'.repeat(100_000);
    const many = Array.from({ length: 5000 }, (_, index): SessionStep[] => [
      { kind: 'write', path: `src/${index}.ts` },
      { kind: 'command', command: `${index} ${long.slice(0, 300)}` },
    ]).flat();
    const steps: SessionStep[] = [
      { kind: 'task', text: long },
      { kind: 'answer', text: long },
      ...many,
    ];
    const activity = activityIn(client, linesIn(transcriptOf(client, steps)));
    expect(activity.files).toHaveLength(2000);
    expect(activity.files.at(-1)?.path).toBe('src/4999.ts');
    expect(activity.commands).toHaveLength(200);
    const [turn] = activity.turns;
    expect([turn?.message.length, turn?.answer.length]).toEqual([1003, 2003]);
    expect(turn?.wrote).toHaveLength(100);
  });

  it('keeps the first message and the newest sixty, and counts all', () => {
    const steps = Array.from({ length: 200 }, (_, index): SessionStep[] => [
      { kind: 'task', text: `Message ${index + 100}` },
      { kind: 'answer', text: `Answer ${index}` },
    ]).flat();
    const { turns, turnCount } = workIn(client, linesIn(transcriptOf(client, steps)));
    const messages = turns.map(({ message }) => message);
    expect([turnCount, messages.length]).toEqual([200, 61]);
    expect([messages[0], messages[1], messages.at(-1)]).toEqual([
      'Message 100',
      'Message 240',
      'Message 299',
    ]);
  });

  it('is read if records are joined on one line, or follow a cut one', () => {
    const whole = activityIn(client, lines);
    const joined = lines.filter((each) => each !== '');
    expect(activityIn(client, [joined.join('')])).toEqual(whole);
    expect(activityIn(client, [joined.join(' ')])).toEqual(whole);
    const lost = linesOf(client, { kind: 'task', text: 'Never read' }, 98)[0]!;
    fc.assert(
      fc.property(fc.nat(lost.length - 1), fc.nat(joined.length - 1), (length, at) => {
        const cut = `${lost.slice(0, length)}${joined[at]}`;
        const torn = [...joined.slice(0, at), cut, ...joined.slice(at + 1)];
        expect(activityIn(client, torn)).toEqual(whole);
      }),
    );
  });

  it('leaves secrets out, even at the place where a text is cut', () => {
    const secret = `sk-${'a1B2'.repeat(10)}`;
    const around = (before: number, after: number) =>
      `${'x'.repeat(before)} ${secret} ${'y'.repeat(after)}`;
    const steps: SessionStep[] = [
      { kind: 'task', text: around(685, 900) },
      { kind: 'task', text: around(900, 285) },
      { kind: 'task', text: around(19_980, 285) },
      { kind: 'command', command: `curl -H "Authorization: Bearer ${secret}"`, fails: true },
      { kind: 'answer', text: around(1485, 900) },
    ];
    const text = JSON.stringify(activityIn(client, linesIn(transcriptOf(client, steps))));
    expect(text).not.toMatch(/sk-a1|a1B2a1B2/);
    expect(text.match(/\[secret\]/g)?.length).toBeGreaterThan(2);
  });
});

it.each([
  ['claude-code', { type: 'user', message: { content: '<command-name>/clear</command-name>' } }],
  ['claude-code', { type: 'user', isMeta: true, message: { content: 'Meta' } }],
  ['claude-code', { type: 'user', isCompactSummary: true, message: { content: 'Summary' } }],
  ['claude-code', { type: 'user', isSidechain: true, message: { content: 'Subagent' } }],
  [
    'claude-code',
    {
      type: 'user',
      message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    },
  ],
  ['gemini', { type: 'user', content: [{ text: '<session_context>\nToday' }] }],
  ['gemini', { type: 'user', content: [{ functionResponse: {} }] }],
  ['codex', { type: 'response_item', payload: { type: 'message', role: 'user', content: 'x' } }],
] as const)('%s: %j is not the task', (client, line) => {
  const before = transcriptOf(client, STEPS.slice(0, 1));
  const { task, then } = workIn(client, [...linesIn(before), JSON.stringify(line)]);
  expect([task, then]).toEqual(['Fix the login', []]);
});

it.each([
  ['Bash', 'Exit code 1\nfirst line\nlast line', 'Exit code 1 first line last line'],
  ['PowerShell', `${'x'.repeat(900)} at the end`, `… ${'x'.repeat(189)} at the end`],
] as const)(
  'Claude Code: a failed call of %s has the end of what it printed',
  (name, text, error) => {
    const input = { command: 'npm test' };
    const call = { type: 'tool_use', id: 'c', name, input };
    const result = { type: 'tool_result', tool_use_id: 'c', is_error: true, content: text };
    const lines = [
      { type: 'assistant', message: { content: [call] } },
      { type: 'user', message: { content: [result] } },
    ];
    const { commands } = activityIn(
      'claude-code',
      lines.map((each) => JSON.stringify(each)),
    );
    expect(commands).toMatchObject([{ command: 'npm test', isSuccess: false, error }]);
  },
);

it('reads the messages that Gemini sets together', () => {
  const line = { $set: { messages: [{ type: 'user', content: [{ text: 'Set' }] }] } };
  expect(workIn('gemini', [JSON.stringify(line)]).task).toBe('Set');
});
