import { expect, it } from 'vitest';
import type { Checkpoint, Turn } from '../../../src/model/text/checkpoint.js';
import type { Trace } from '../../../src/model/trace.js';
import { checkpointTitle, isCaptured } from '../../../src/obsidian/checkpoints/captured-trace.js';
import { continueEntries } from '../../../src/obsidian/checkpoints/continue-entries.js';
import { clockText, eventOf, stateDraft, workspaceDraft } from '../../fakes/events.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { archive, traceOf } from '../memory/memories.js';

const EMPTY: Checkpoint = {
  turns: [],
  turnCount: 0,
  isFinished: false,
  hasWorked: false,
  written: [],
  writtenCount: 0,
  read: [],
  readCount: 0,
  failed: [],
  passed: [],
  todos: [],
};
const turn = (message: string, answer = '', isTask = true): Turn => ({
  id: '',
  message,
  answer,
  isTask,
});
const timeAt = (minute: number) => clockText(minute).slice(0, 24);
const captured = (sessionId: string, minute: number, more: Partial<Trace> = {}): Trace =>
  traceOf({
    sessionId,
    tool: 'checkpoint',
    kind: 'checkpoint',
    checkpoint: { ...EMPTY, turns: [turn(`task of ${sessionId}`)] },
    createdAt: timeAt(minute),
    ...more,
  });
const OPTIONS = { currentId: 'default', limit: 10, isOffered: () => true };

async function memoryWith() {
  const by = { client: 'Obsidian', session: 's-saved', device: 'Laptop' };
  const saved = await stateDraft('saved');
  const drafts = [
    { minute: 1, draft: workspaceDraft('Old') },
    { minute: 2, draft: archive('ws-Old') },
    { minute: 3, draft: workspaceDraft('Thesis') },
    { minute: 10, draft: { ...saved, d: { ...saved.d, by } } },
    { minute: 20, draft: await stateDraft('newest') },
  ];
  return fold(
    emptyMemory,
    drafts.map(({ draft, minute }, at) => eventOf({ ...draft, n: at + 1, h: clockText(minute) })),
  );
}

const titlesOf = (entries: ReturnType<typeof continueEntries>) =>
  entries.map((entry) =>
    entry.kind === 'state' ? entry.state.displayName : checkpointTitle(entry.trace, new Map()),
  );

it('lists states and the last checkpoint of each session, newest first', async () => {
  const checkpoints = [captured('b', 30), captured('a', 15), captured('b', 12)];
  const entries = continueEntries(await memoryWith(), checkpoints, OPTIONS);
  expect(titlesOf(entries)).toEqual(['task of b', 'newest', 'task of a', 'saved']);
});

it('leaves out a checkpoint whose session has saved a state since', async () => {
  const memory = await memoryWith();
  expect(titlesOf(continueEntries(memory, [captured('s-saved', 9)], OPTIONS))).toEqual([
    'newest',
    'saved',
  ]);
  expect(titlesOf(continueEntries(memory, [captured('s-saved', 11)], OPTIONS))).toContain(
    'task of s-saved',
  );
});

it('leaves out empty, archived and unknown ones, and sessions put away', async () => {
  const checkpoints = [
    captured('empty', 30, { checkpoint: EMPTY }),
    captured('old', 31, { workspaceId: 'ws-Old' }),
    captured('gone', 32, { workspaceId: 'nowhere' }),
    captured('away', 33),
  ];
  const isOffered = (sessionId: string) => sessionId !== 'away';
  const entries = continueEntries(await memoryWith(), checkpoints, { ...OPTIONS, isOffered });
  expect(titlesOf(entries)).toEqual(['newest', 'saved']);
});

it('lists the current workspace first among those of one minute', async () => {
  const checkpoints = [captured('here', 30), captured('there', 30, { workspaceId: 'ws-Thesis' })];
  const first = (currentId: string) => titlesOf(continueEntriesOf(currentId))[0];
  const memory = await memoryWith();
  const continueEntriesOf = (currentId: string) =>
    continueEntries(memory, checkpoints, { ...OPTIONS, currentId });
  expect(first('default')).toBe('task of here');
  expect(first('ws-Thesis')).toBe('task of there');
});

it('lists one workspace if that is asked for, up to the limit', async () => {
  const checkpoints = [captured('there', 30, { workspaceId: 'ws-Thesis' })];
  const memory = await memoryWith();
  const only = (workspaceId: string, limit: number) =>
    titlesOf(continueEntries(memory, checkpoints, { ...OPTIONS, workspaceId, limit }));
  expect(only('ws-Thesis', 10)).toEqual(['task of there']);
  expect(only('default', 1)).toEqual(['newest']);
});

it('a title is the task up to a word, or else the last answer or a file', () => {
  const titleOf = (checkpoint: Partial<Checkpoint>) => {
    const trace = captured('s', 1, { checkpoint: { ...EMPTY, ...checkpoint } });
    return isCaptured(trace) ? checkpointTitle(trace, new Map()) : '';
  };
  expect(titleOf({ turns: [turn('word '.repeat(20))] })).toBe('word '.repeat(12).trim());
  const turns = [turn('Fix\nit'), turn('yes', 'Done.', false)];
  expect(titleOf({ turns, written: ['a.md'] })).toBe('Fix it');
  expect(titleOf({ turns: [turn('', 'Done.')], written: ['a.md'] })).toBe('Done.');
  expect(titleOf({ written: ['a.md'] })).toBe('a.md');
});
