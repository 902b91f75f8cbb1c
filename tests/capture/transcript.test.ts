import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activityIn,
  CAPTURED_CLIENTS,
  linesOf,
  type SessionStep,
  transcriptOf,
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
    const { request, answer, files, commands, todos } = activityIn(client, lines);
    expect({ request, answer }).toEqual({
      request: 'Fix the login',
      answer: 'We decided to use JWT.',
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
    expect(activity.commands).toHaveLength(40);
    expect([activity.message.length, activity.answer.length]).toEqual([600, 600]);
  });

  it('leaves secrets out, even at the place where a text is cut', () => {
    const secret = `sk-${'a1B2'.repeat(10)}`;
    const padding = 'x'.repeat(585);
    const steps: SessionStep[] = [
      { kind: 'task', text: `${padding} ${secret}` },
      { kind: 'command', command: `curl -H "Authorization: Bearer ${secret}"` },
    ];
    const text = JSON.stringify(activityIn(client, linesIn(transcriptOf(client, steps))));
    expect(text).not.toContain('sk-a1');
    expect(text).toContain('[secret]');
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
  const { message } = activityIn(client, [...linesIn(before), JSON.stringify(line)]);
  expect(message).toBe('Fix the login');
});

it.each([
  ['review', 'src/pay.ts for rounding errors', '/review src/pay.ts for rounding errors'],
  ['review', '', 'Fix the login'],
  ['compact', 'keep the names of the tests', 'Fix the login'],
])('Claude Code: the request of /%s %j is %j', (name, rest, request) => {
  const content = `<command-message>${name} is running…</command-message>\n<command-name>/${name}</command-name>\n<command-args>${rest}</command-args>`;
  const before = transcriptOf('claude-code', STEPS.slice(0, 1));
  const line = JSON.stringify({ type: 'user', message: { content } });
  expect(activityIn('claude-code', [...linesIn(before), line])).toMatchObject({ message: request });
});

it('reads the messages that Gemini sets together', () => {
  const line = { $set: { messages: [{ type: 'user', content: [{ text: 'Set' }] }] } };
  expect(activityIn('gemini', [JSON.stringify(line)]).message).toBe('Set');
});
