import { expect, it } from 'vitest';
import {
  checkpointData,
  checkpointText,
  readCheckpoint,
  sessionStatus,
  taskOf,
  type Checkpoint,
} from '../../../src/model/text/checkpoint.js';

const CHECKPOINT: Checkpoint = {
  request: 'Fix the login',
  earlier: 'Find out who cannot log in',
  message: 'yes',
  answer: 'Use JWT.',
  answered: '',
  isFinished: true,
  hasWorked: true,
  client: 'gone',
  changedAt: '2026-11-24T10:00:00.000Z',
  written: ['project:a.ts'],
  writtenCount: 3,
  read: ['b.md'],
  readCount: 1,
  failed: ['npm test'],
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
    request: 5,
    isFinished: 'yes',
    client: 'x',
    changedAt: 'x',
    written: [1, 'a'],
    writtenCount: 'x',
    todos: [null, {}, 'y'],
  };
  expect(readCheckpoint(wrong)).toEqual({ ...EMPTY, written: ['a'], writtenCount: 1 });
});

it('has a line of text for each field that is not empty, each answer after what it answers', () => {
  const lines = [
    'Task: Fix the login',
    'Last answer: Use JWT.',
    'Last message: yes',
    'Files written (3): project:a.ts',
    'Failed commands: npm test',
    'To do: [x] Test; [ ] Fix',
    'Before: Find out who cannot log in',
    'Files read (1): b.md',
    'Successful commands: ls',
  ];
  expect(checkpointText(CHECKPOINT)).toBe(lines.join('\n'));
  expect(checkpointText(EMPTY)).toBe('');
  const answerLines = (more: Partial<Checkpoint>) => {
    const all = checkpointText({ ...CHECKPOINT, ...more }).split('\n');
    const at = all.findIndex((line) => line.startsWith('Last answer'));
    return all.slice(at - 1, at + 1);
  };
  expect(answerLines({ answered: 'yes' })).toEqual(['Last message: yes', 'Last answer: Use JWT.']);
  expect(answerLines({ answered: CHECKPOINT.earlier })).toEqual([
    'Before: Find out who cannot log in',
    'Last answer, to that: Use JWT.',
  ]);
  expect(answerLines({ answered: 'Which?' })).toEqual([
    'Answered: Which?',
    'Last answer, to that: Use JWT.',
  ]);
  expect(checkpointText({ ...EMPTY, answer: 'To what?' })).toBe('');
});

it.each([
  ['Fix the login', '', false, 'Fix the login'],
  ['', 'Tidy', true, 'Tidy'],
  ['', 'Tidy', false, ''],
  ['', 'yes', true, ''],
  ['', '/review now please', true, ''],
] as const)('the task of %j and %j is %j', (request, message, hasWorked, task) => {
  expect(taskOf({ ...EMPTY, request, message, hasWorked })).toBe(task);
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
