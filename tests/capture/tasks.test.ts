import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityTurn } from '../../src/apps/transcripts/activity.js';
import { tasksIn } from '../../src/capture/tasks.js';

const turn = (message: string, more: Partial<ActivityTurn> = {}): ActivityTurn => ({
  id: '',
  message,
  answer: '',
  isPart: false,
  isQuestion: false,
  wrote: [],
  hasRun: false,
  ...more,
});
const wrote = (message: string, ...paths: string[]) => turn(message, { wrote: paths });

/** Returns the messages that began a task. */
const tasksOf = (...turns: ActivityTurn[]) => {
  const tasks = tasksIn(turns);
  return turns.filter((_, at) => tasks[at]).map(({ message }) => message);
};
const WORKED = wrote('Rewrite the importer so that it reads the export line by line', 'a.ts');

describe('a message', () => {
  it.each([
    ['Fix it'],
    ['Nun der Kopf'],
    ['Et le pied'],
    ['Ahora el pie'],
    ['Теперь вход'],
    ['改登录页'],
    ['测试'],
    ['次は脚注'],
    ['로그인'],
    ['الآن التذييل'],
    ['now b'],
    ['👍 b.ts'],
  ])('%j begins a task if the agent then wrote other files', (message) => {
    expect(tasksOf(WORKED, wrote(message, 'b.ts'))).toEqual([WORKED.message, message]);
  });

  it.each([
    ['Thanks!'],
    ['谢谢'],
    ['ありがとう'],
    ['Danke, das war alles, was ich wissen wollte.'],
  ])('%j begins none if nothing followed from it', (message) => {
    expect(tasksOf(WORKED, turn(message))).toEqual([WORKED.message]);
    expect(tasksOf(WORKED, turn(message, { answer: 'You are welcome.' }))).toHaveLength(1);
  });

  it('begins none if mostly the same files were written after it', () => {
    const work = wrote('Split the parser', 'a.ts', 'b.ts');
    expect(tasksOf(work, wrote('And shorter names', 'a.ts'))).toHaveLength(1);
    expect(tasksOf(work, wrote('And a test', 'a.ts', 'test.ts'))).toHaveLength(1);
    expect(tasksOf(work, wrote('And the footer', 'a.ts', 'c.ts', 'd.ts'))).toHaveLength(2);
    expect(tasksOf(work, turn('Run the tests', { hasRun: true }))).toHaveLength(1);
  });

  it('has all files of its task, whichever message they were written after', () => {
    const turns = [WORKED, wrote('And a test', 'a.ts', 'test.ts'), wrote('Name it', 'test.ts')];
    expect(tasksOf(...turns)).toEqual([WORKED.message]);
    const other = [wrote('The footer', 'b.ts'), wrote('Back to the importer', 'a.ts')];
    expect(tasksOf(WORKED, ...other)).toHaveLength(3);
  });

  it('begins none if it answers a question', () => {
    const asked = { ...WORKED, isQuestion: true };
    expect(tasksOf(asked, wrote('yes', 'b.ts'))).toEqual([WORKED.message]);
    expect(tasksOf(asked, turn('why?'), wrote('The other one', 'b.ts'))).toHaveLength(2);
  });

  it('has what was done after the messages that belong to it', () => {
    const part = { ...wrote('Keep the old name', 'b.ts'), isPart: true };
    expect(tasksOf(WORKED, turn('Now the footer'), part)).toEqual([
      WORKED.message,
      'Now the footer',
    ]);
    expect(tasksOf(WORKED, turn('And a test'), { ...part, wrote: ['a.ts'] })).toHaveLength(1);
  });

  it('begins none if it was sent during a turn, or chosen', () => {
    const part = { ...wrote('Keep the old name', 'b.ts'), isPart: true };
    expect(tasksOf(WORKED, part)).toEqual([WORKED.message]);
    expect(tasksOf(turn(''), part)).toEqual(['', part.message]);
  });
});

describe('before any work has begun', () => {
  it('the longest message with work is the task', () => {
    const hello = turn('hello', { answer: 'Hello! What can I do?' });
    expect(tasksOf(hello, WORKED)).toEqual(['hello', WORKED.message]);
    const choice = turn(WORKED.message, { isQuestion: true });
    expect(tasksOf(choice, wrote('the first', 'a.ts'))).toEqual([WORKED.message]);
    expect(tasksOf(choice, wrote(`${WORKED.message}, then the footer`, 'a.ts'))).toHaveLength(2);
  });

  it('a longer message is the task if it was answered', () => {
    expect(tasksOf(turn('hello'), turn(WORKED.message))).toEqual(['hello']);
    const answered = turn(WORKED.message, { answer: 'It reads all of it at once.' });
    expect(tasksOf(turn('hello'), answered)).toEqual(['hello', WORKED.message]);
    expect(tasksOf(answered, turn('and why?', { answer: 'For speed.' }))).toHaveLength(1);
  });

  it('work that began before any known message gives way to the first one', () => {
    expect(tasksOf(turn(''), turn('Fix it', { hasRun: true }))).toEqual(['', 'Fix it']);
  });
});

it('a command is work, and so begins the first task, but no other one', () => {
  const run = (message: string) => turn(message, { hasRun: true });
  expect(tasksOf(turn('hi'), run('Run the tests'), run('Run them once more'))).toEqual([
    'hi',
    'Run the tests',
  ]);
});

it('longer messages begin a task in which mostly other programs run, if nothing is written', () => {
  const run = (message: string, ...programs: string[]) => turn(message, { hasRun: true, programs });
  const push = run('Push it', 'git');
  const sound = run('Why is there no sound?', 'git', 'lspci', 'pactl');
  expect(tasksOf(push, sound)).toEqual(['Push it', sound.message]);
  expect(tasksOf(sound, run('And now?', 'amixer'))).toHaveLength(1);
  expect(tasksOf(push, run('Push it once more', 'git'))).toHaveLength(1);
  expect(tasksOf(WORKED, run(`${WORKED.message}. Then push it`, 'git'))).toHaveLength(1);
});

it('the first message always begins a task, and each message has an answer', () => {
  const arbitrary = fc.record({
    id: fc.constant(''),
    message: fc.string(),
    answer: fc.string(),
    isPart: fc.boolean(),
    isQuestion: fc.boolean(),
    wrote: fc.array(fc.constantFrom('a', 'b', 'c')),
    hasRun: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(arbitrary), (turns) => {
      const tasks = tasksIn(turns);
      expect(tasks).toHaveLength(turns.length);
      expect(tasks[0]).toBe(turns.length > 0 ? true : undefined);
    }),
  );
});
