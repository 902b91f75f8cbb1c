import { describe, expect, it } from 'vitest';
import {
  checkpointData,
  checkpointText,
  currentWork,
  isEmptyCheckpoint,
  lastAnswerOf,
  readCheckpoint,
  sessionStatus,
  taskOf,
  wholeCheckpointText,
  type Checkpoint,
  type Turn,
} from '../../../src/model/text/checkpoint.js';

const turn = (message: string, more: Partial<Turn> = {}): Turn => ({
  id: '',
  message,
  answer: '',
  isTask: false,
  ...more,
});
const CHECKPOINT: Checkpoint = {
  turns: [
    turn('Find out who cannot log in', { id: '1', isTask: true, answer: 'The guests.' }),
    turn('Fix the\n\nlogin', { id: '2', isTask: true, answer: 'Use JWT?' }),
    turn('yes', { id: '3', answer: 'Done:\n- JWT' }),
    turn('and a test'),
  ],
  turnCount: 9,
  isFinished: true,
  hasWorked: true,
  client: 'gone',
  model: 'some-model',
  changedAt: '2026-11-24T10:00:00.000Z',
  written: ['project:a.ts'],
  writtenCount: 3,
  read: ['b.md'],
  readCount: 1,
  failed: [
    { command: 'npm test', error: '2 failed' },
    { command: 'make', error: '' },
  ],
  passed: ['ls'],
  todos: [
    { text: 'Test', isDone: true },
    { text: 'Fix', isDone: false },
  ],
  fromState: 'id',
};
const EMPTY = readCheckpoint({})!;

it('is read as it was written, but running means nothing later', () => {
  expect(readCheckpoint(checkpointData(CHECKPOINT))).toEqual(CHECKPOINT);
  expect(checkpointData(EMPTY)).toEqual({});
  const running = readCheckpoint(checkpointData({ ...CHECKPOINT, client: 'running' }));
  expect(running).toEqual({ ...CHECKPOINT, client: undefined });
});

it('treats fields of a wrong type as empty', () => {
  expect(readCheckpoint('x')).toBeUndefined();
  const wrong = {
    turns: [5, { message: 5, isTask: 'yes' }],
    turnCount: 'x',
    isFinished: 'yes',
    client: 'x',
    model: 7,
    changedAt: 'x',
    written: [1, 'a'],
    writtenCount: 'x',
    failed: ['npm test', { error: 'x' }, { command: 'make', error: 5 }],
    passed: 'ls',
    todos: [null, {}, 'y'],
  };
  expect(readCheckpoint(wrong)).toEqual({
    ...EMPTY,
    turns: [turn('')],
    turnCount: 1,
    written: ['a'],
    writtenCount: 1,
    failed: [{ command: 'make', error: '' }],
  });
});

it('has a line of text for each field, the answer after what it answers', () => {
  const lines = [
    'Task: Fix the login',
    'Then: yes',
    'Last answer: Done: - JWT',
    'Then: and a test',
    'Files written (3): project:a.ts',
    'Failed commands: npm test (2 failed); make',
    'To do: [x] Test; [ ] Fix',
    'Before: Find out who cannot log in',
    'Files read (1): b.md',
    'Passed after that: ls',
  ];
  expect(checkpointText(CHECKPOINT)).toBe(lines.join('\n'));
  expect(checkpointText(EMPTY)).toBe('');
  const only = { ...EMPTY, turns: [turn('Fix it', { isTask: true, answer: 'Done.' })] };
  expect(checkpointText(only)).toBe('Task: Fix it\nLast answer: Done.');
});

it('shows the last three messages to a task, and both ends of a long one', () => {
  const turns = [
    turn(`${'a'.repeat(600)}${'b'.repeat(600)}`, { isTask: true }),
    ...['one', 'two', 'three', 'four'].map((message) => turn(message)),
  ];
  expect(checkpointText({ ...EMPTY, turns }).split('\n')).toEqual([
    `Task: ${'a'.repeat(500)} … ${'b'.repeat(100)}`,
    'Then: two',
    'Then: three',
    'Then: four',
  ]);
});

it('does not show a command as failed that has passed since', () => {
  const failed = ['make', 'npm test'].map((command) => ({ command, error: 'x' }));
  const text = checkpointText({ ...EMPTY, failed, passed: ['npm test'] });
  expect(text.split('\n')).toEqual(['Failed commands: make (x)', 'Passed after that: npm test']);
});

it('has all it keeps in its whole text, and says how much is missing', () => {
  expect(wholeCheckpointText(CHECKPOINT)).toBe(
    `Task: Find out who cannot log in

Answer: The guests.

(5 messages are not kept.)

Task: Fix the

login

Answer: Use JWT?

Then: yes

Answer: Done:
- JWT

Then: and a test

Files written (3): project:a.ts
Failed commands: npm test (2 failed); make
Passed after that: ls
To do: [x] Test; [ ] Fix
Files read (1): b.md`,
  );
  expect(wholeCheckpointText(EMPTY)).toBe('');
});

describe('the task', () => {
  const { turns } = CHECKPOINT;

  it('is the last message that began one, with what was said after it', () => {
    const { task, then, before } = currentWork(CHECKPOINT);
    expect([task?.message, then.map(({ message }) => message), before]).toEqual([
      'Fix the\n\nlogin',
      ['yes', 'and a test'],
      'Find out who cannot log in',
    ]);
    expect(taskOf(CHECKPOINT)).toBe('Fix the login');
  });

  it('is the first message if none began one', () => {
    const none = turns.map((each) => ({ ...each, isTask: false }));
    expect(currentWork({ turns: none })).toEqual({
      task: none[0],
      then: none.slice(1),
      before: '',
    });
    expect(currentWork({ turns: [] })).toEqual({ task: undefined, then: [], before: '' });
    expect(taskOf({ turns: [] })).toBe('');
  });

  it('is answered only by an answer to it, or to what was said after it', () => {
    expect(lastAnswerOf(CHECKPOINT)).toBe('Done:\n- JWT');
    expect(lastAnswerOf({ turns: turns.slice(0, 2) })).toBe('Use JWT?');
    expect(lastAnswerOf({ turns: [turns[0]!, turn('Fix it', { isTask: true })] })).toBe('');
    expect(lastAnswerOf({ turns: [] })).toBe('');
  });
});

it.each([
  [true, {}],
  [true, { turns: [turn('')], isFinished: true, todos: [{ text: 'Fix', isDone: false }] }],
  [false, { turns: [turn('hi')] }],
  [false, { turns: [turn('', { answer: 'Hello!' })] }],
  [false, { writtenCount: 1 }],
  [false, { readCount: 1 }],
] as const)('it is %s that nothing helps to continue in %j', (isEmpty, more) => {
  expect(isEmptyCheckpoint({ ...EMPTY, ...more })).toBe(isEmpty);
});

it.each([
  ['finished', { isFinished: true }, 0],
  ['finished', { client: 'ended' }, 0],
  ['interrupted', { client: 'gone' }, 0],
  ['running', { client: 'running' }, 60],
  ['running', {}, 9],
  ['interrupted', {}, 10],
] as const)('is %s with %j after %i minutes of silence', (status, more, minutes) => {
  expect(sessionStatus({ ...EMPTY, ...more }, 0, minutes * 60_000)).toBe(status);
});
