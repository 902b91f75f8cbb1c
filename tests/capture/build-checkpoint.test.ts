import { describe, expect, it } from 'vitest';
import {
  NO_ACTIVITY,
  type Activity,
  type ActivityTurn,
  type CommandRun,
} from '../../src/apps/transcripts/activity.js';
import { buildCheckpoint, type SessionFolders } from '../../src/capture/build-checkpoint.js';
import {
  checkpointData,
  checkpointText,
  currentWork,
  lastAnswerOf,
  taskOf,
} from '../../src/model/text/checkpoint.js';

const FOLDERS: SessionFolders = {
  project: ['/link/app', '/home/me/app'],
  working: '/home/me/app/src',
  vault: ['/home/me/vault'],
  home: '/home/me',
  roots: ['home', 'link', 'opt', 'srv', 'var'],
  excluded: ['/home/me/app/private'],
};
const activity = (given: Partial<Activity>): Activity => ({
  ...NO_ACTIVITY,
  turnCount: given.turns?.length ?? 0,
  ...given,
});
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
const touched = (path: string, isWritten = true) => ({ path, isWritten, call: path });
const run = (command: string, isSuccess: boolean | undefined, error = ''): CommandRun => ({
  call: command,
  command,
  ...(isSuccess !== undefined && { isSuccess }),
  ...(error !== '' && { error }),
});
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

it('stores paths of the project, of the vault, or only names', () => {
  const files = [
    touched('/home/me/app/private/key.ts'),
    touched('/etc/hosts'),
    touched('/home/me/vault/Notes/a.md'),
    touched('./b.ts'),
    touched('/link/app/src/a.ts', false),
    touched('/home/me/app/src/a.ts'),
    touched('C:\\other\\c.ts', false),
  ];
  const { written, read } = buildCheckpoint(activity({ files }), FOLDERS);
  expect(written).toEqual(['project:src/a.ts', 'project:src/b.ts', 'Notes/a.md', 'outside:hosts']);
  expect(read).toEqual(['outside:c.ts']);
});

it('names the newest 200 written files and 20 read ones, and counts all', () => {
  const named = (kind: string, isWritten: boolean) =>
    Array.from({ length: 300 }, (_, index) =>
      touched(`/home/me/app/${kind}${index}.ts`, isWritten),
    );
  const files = [...named('w', true), ...named('r', false)];
  const checkpoint = buildCheckpoint(activity({ files }), FOLDERS);
  expect(checkpoint.written).toHaveLength(200);
  expect(checkpoint.read).toHaveLength(20);
  expect([checkpoint.written[0], checkpoint.read[0]]).toEqual([
    'project:w299.ts',
    'project:r299.ts',
  ]);
  expect(checkpoint).toMatchObject({ writtenCount: 300, readCount: 300 });
});

it('contains no absolute path in its texts', () => {
  const checkpoint = buildCheckpoint(
    activity({
      turns: [
        turn('Look at /home/me/app/src/a.ts, "/var/lib/x/y.db" and file:///srv/www/z', {
          answer: 'See ~/notes/b.md and C:\\Users\\me\\c.txt; https://example.com/a/b stays',
        }),
      ],
      commands: [
        run('cat /opt/tool/log.txt', false, 'No /opt/tool/log.txt below /home/me'),
        run('ls /home/me/app', true),
      ],
      todos: [{ id: '1', text: 'Move /home/me/other/d.ts', isDone: false }],
    }),
    FOLDERS,
    { fromState: 'state' },
  );
  expect(checkpoint).toMatchObject({
    turns: [
      {
        message: 'Look at src/a.ts, "…/y.db" and …/z',
        answer: 'See …/b.md and …/c.txt; https://example.com/a/b stays',
      },
    ],
    failed: [{ command: 'cat …/log.txt', error: 'No …/log.txt below ~' }],
    passed: ['ls .'],
    todos: [{ text: 'Move …/d.ts', isDone: false }],
    fromState: 'state',
  });
});

it.each([
  ['Let /api/v2/users answer with 404'],
  ['GET "/api/v2" and (/v1/a/b)'],
  ['The line \\u2500\\u2502 of the table'],
  ['Replace \\d+\\s+ in the pattern'],
  ['The page /docs/guide/start.html is empty'],
  ['Compare /home and /varnish/x/y'],
  ['yes/no/maybe, 24/12/2026, and/or'],
  ['In /home/meadow-app there is none'],
])('%s stays, since it names no folder of this device', (text) => {
  const { turns } = buildCheckpoint(activity({ turns: [turn(text)] }), {
    ...FOLDERS,
    roots: ['var', 'opt'],
  });
  expect(turns[0]?.message).toBe(text);
});

it.each([
  ['/var/lib/x/y.db', '…/y.db'],
  ['~/notes/b.md', '…/b.md'],
  ['D:\\work\\c.txt', '…/c.txt'],
  ['d:/files/c.txt', '…/c.txt'],
  ['file:///srv/www/z', '…/z'],
  ['/home/me', '~'],
  ['/home/me/app.', '..'],
  ['/home/me/vault/Notes/a.md', 'Notes/a.md'],
])('%s becomes %s', (path, short) => {
  const { turns } = buildCheckpoint(activity({ turns: [turn(`See ${path}`)] }), FOLDERS);
  expect(turns[0]?.message).toBe(`See ${short}`);
});

describe('the turns', () => {
  it('begin a task or belong to one, with their ids and their number', () => {
    const turns = [
      turn('Fix the login', { id: '1', wrote: ['a.ts'], answer: 'Fixed.' }),
      turn('and a test', { id: '2', wrote: ['a.ts'], answer: 'Tested.' }),
      turn('Now the footer', { id: '3', wrote: ['b.ts'], answer: 'Done.' }),
    ];
    const checkpoint = buildCheckpoint(activity({ turns, turnCount: 7, model: 'm' }), FOLDERS);
    expect(checkpoint).toMatchObject({
      turns: [
        { id: '1', message: 'Fix the login', answer: 'Fixed.', isTask: true },
        { id: '2', message: 'and a test', answer: 'Tested.', isTask: false },
        { id: '3', message: 'Now the footer', answer: 'Done.', isTask: true },
      ],
      turnCount: 7,
      model: 'm',
    });
  });

  it('have an answer if something was changed, or if it is the last one', () => {
    const turns = [
      turn('What is it?', { answer: 'A table.' }),
      turn('Paint it', { wrote: ['a.ts'], answer: 'Painted.' }),
      turn('Run it', { hasRun: true, answer: 'It runs.' }),
      turn('Is it red?', { answer: 'Yes.' }),
      turn('Thanks'),
    ];
    const checkpoint = buildCheckpoint(activity({ turns }), FOLDERS);
    expect(checkpoint.turns.map(({ answer }) => answer)).toEqual([
      '',
      'Painted.',
      'It runs.',
      'Yes.',
      '',
    ]);
  });
});

describe('the commands', () => {
  const commandsOf = (...commands: CommandRun[]) => {
    const { failed, passed } = buildCheckpoint(activity({ commands }), FOLDERS);
    return { failed: failed.map(({ command }) => command), passed };
  };

  it('that passed are those after the first one that failed, newest first', () => {
    expect(commandsOf(run('ls', true), run('make', true))).toMatchObject({ failed: [] });
    const commands = [run('ls', true), run('make', false), run('npm i', true), run('pwd', true)];
    expect(commandsOf(...commands, run('sleep', undefined))).toEqual({
      failed: ['make'],
      passed: ['pwd', 'npm i'],
    });
  });

  it('that passed are none if none has failed', () => {
    expect(commandsOf(run('ls', true), run('make', true)).passed).toEqual([]);
  });

  it('that failed are named once, with their last errors, newest first', () => {
    const commands = [run('make', false, 'old'), run('ls x', false), run('make', false, 'new')];
    const { failed } = buildCheckpoint(activity({ commands }), FOLDERS);
    expect(failed).toEqual([
      { command: 'make', error: 'new' },
      { command: 'ls x', error: '' },
    ]);
  });

  it('that failed again after they had passed are shown as failed', () => {
    const commands = [run('make', false), run('make', true), run('make', false, 'again')];
    const text = checkpointText(buildCheckpoint(activity({ commands }), FOLDERS));
    expect(text).toBe('Failed commands: make (again)');
  });
});

describe('the level "task"', () => {
  const turns = [
    turn('Find out who cannot log in', { hasRun: true, answer: 'The guests.' }),
    turn('Fix the login of the guests', { wrote: ['a.ts'], answer: `One. ${'x'.repeat(900)}` }),
    turn('and a test', { wrote: ['a.ts'], answer: `Two. ${'y'.repeat(900)}` }),
  ];
  const more = { files: [touched('a.ts')], commands: [run('make', false, 'No rule')] };
  const given = activity({ turns, ...more });

  it('keeps the messages of the task, files and commands', () => {
    const checkpoint = buildCheckpoint(given, FOLDERS, {}, 'task');
    expect(checkpoint.turns.map(({ message }) => message)).toEqual([
      'Fix the login of the guests',
      'and a test',
    ]);
    expect(checkpoint).toMatchObject({
      written: ['project:src/a.ts'],
      failed: [{ command: 'make', error: 'No rule' }],
    });
    const whole = buildCheckpoint(given, FOLDERS, {}, 'all');
    expect(taskOf(checkpoint)).toBe(taskOf(whole));
    expect(currentWork(whole).before).not.toBe('');
    expect(JSON.stringify(checkpoint)).not.toMatch(/who cannot|guests\./);
  });

  it('keeps the beginning of the last answer, and no other one', () => {
    const checkpoint = buildCheckpoint(given, FOLDERS, {}, 'task');
    expect(checkpoint.turns.map(({ answer }) => answer)).toEqual(['', `Two. ${'y'.repeat(295)} …`]);
  });
});

describe('a checkpoint', () => {
  const LIMIT = 24 * 1024;
  const long = (letter: string, length: number) => letter.repeat(length);
  const build = (given: Partial<Activity>) => buildCheckpoint(activity(given), FOLDERS);
  const sizeOf = (given: Partial<Activity>) => bytesOf(checkpointData(build(given)));
  const more = {
    files: [...Array.from({ length: 9 }, (_, at) => touched(`${at}.ts`)), touched('r.ts', false)],
    commands: [run('make', false, 'No rule'), run('ls', true)],
  };
  const first = turn('First of all', { wrote: ['0.ts'], answer: long('a', 300) });
  const last = turn('The last one', { wrote: ['1.ts'], answer: long('z', 2000) });
  const between = (count: number, length: number, answer = long('b', 300)) =>
    Array.from({ length: count }, (_, at) =>
      turn(`${at} ${long('m', length)}`, { wrote: [`${at}.ts`], answer }),
    );

  it('within 24 kB is kept as it is', () => {
    const turns = [first, ...between(20, 500), last];
    const checkpoint = build({ turns, ...more });
    expect(checkpoint.turns).toHaveLength(22);
    expect(checkpoint.turns.every(({ answer }) => answer !== '')).toBe(true);
    expect([checkpoint.passed, checkpoint.read]).toEqual([['ls'], ['project:src/r.ts']]);
  });

  it('over 24 kB loses what passed and the earlier answers first', () => {
    const turns = [first, ...between(30, 600), last];
    const checkpoint = build({ turns, ...more });
    expect(checkpoint.turns).toHaveLength(32);
    expect(checkpoint.turns.map(({ answer }) => answer !== '').lastIndexOf(false)).toBe(30);
    expect(lastAnswerOf(checkpoint)).toBe(last.answer);
    expect(checkpoint).toMatchObject({ passed: [], read: ['project:src/r.ts'] });
    expect([checkpoint.written.length, checkpoint.failed.length]).toEqual([9, 1]);
  });

  it('then loses the messages after the first one, and counts them', () => {
    const turns = [first, ...between(59, 990), last];
    const checkpoint = build({ turns, ...more });
    expect(bytesOf(checkpointData(checkpoint))).toBeLessThanOrEqual(LIMIT);
    expect(checkpoint.turnCount).toBe(61);
    const messages = checkpoint.turns.map(({ message }) => message);
    expect(messages[0]).toBe(first.message);
    expect(messages.slice(1)).toEqual(
      turns.slice(turns.length - messages.length + 1).map(({ message }) => message),
    );
    expect(messages.length).toBeGreaterThan(15);
  });

  it('keeps the message that began its task, even if many follow', () => {
    const task = turn('Rewrite the importer', { wrote: ['x.ts'] });
    const then = between(50, 990).map((each) => ({ ...each, wrote: ['x.ts'] }));
    const checkpoint = build({ turns: [first, task, ...then] });
    expect(taskOf(checkpoint)).toBe(task.message);
    expect(currentWork(checkpoint).before).toBe(first.message);
  });

  it('is within 24 kB in any language, and with any files', () => {
    expect(
      sizeOf({ turns: between(61, 990).map((each) => ({ ...each, message: long('登', 1000) })) }),
    ).toBeLessThanOrEqual(LIMIT);
    const files = Array.from({ length: 200 }, (_, at) => touched(`${long('f', 200)}${at}.ts`));
    expect(sizeOf({ turns: [first, last], files })).toBeLessThanOrEqual(LIMIT);
  });
});
