import { expect, it } from 'vitest';
import {
  checkpointData,
  checkpointText,
  readCheckpoint,
  type Checkpoint,
} from '../../../src/model/text/checkpoint.js';

const CHECKPOINT: Checkpoint = {
  task: 'Fix the login',
  answer: 'Use JWT.',
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

it('is read as it was written', () => {
  expect(readCheckpoint(checkpointData(CHECKPOINT))).toEqual(CHECKPOINT);
  expect(checkpointData(EMPTY)).toEqual({});
});

it('treats fields of a wrong type as empty', () => {
  expect(readCheckpoint('x')).toBeUndefined();
  const wrong = { task: 5, written: [1, 'a'], writtenCount: 'x', todos: [null, {}, 'y'] };
  expect(readCheckpoint(wrong)).toEqual({ ...EMPTY, written: ['a'], writtenCount: 1 });
});

it('has a line of text for each field that is not empty', () => {
  expect(checkpointText(CHECKPOINT)).toBe(
    [
      'Task: Fix the login',
      'Last answer: Use JWT.',
      'Files written (3): project:a.ts',
      'Files read (1): b.md',
      'Failed commands: npm test',
      'Successful commands: ls',
      'To do: [x] Test; [ ] Fix',
    ].join('\n'),
  );
  expect(checkpointText(EMPTY)).toBe('');
});
