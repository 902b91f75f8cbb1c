import { describe, expect, onTestFinished, test } from 'vitest';
import type { PanelCall, ShownCall } from '../../../src/chat/panel.js';
import type { Message, MessagePart } from '../../../src/model/message.js';
import {
  foldedText,
  isFolded,
  isFoldedStep,
  isRetried,
  runsOf,
} from '../../../src/obsidian/calls/folded-calls.js';
import { toolNamed } from '../../../src/obsidian/calls/labels.js';
import { chooseLanguage } from '../../../src/obsidian/i18n/index.js';
import { allTools } from '../../../src/toolkit/toolkit.js';
import { createTestVault } from '../../fakes/test-vault.js';

const { toolkit } = createTestVault();
const find = (name: string) => toolNamed({ toolkit }, name);

let count = 0;
const own = (tool: string, more: Partial<ShownCall> = {}): ShownCall & MessagePart =>
  ({ type: 'tool', id: `${++count}`, tool, params: {}, status: 'done', ...more }) as ShownCall &
    MessagePart;
const note = (path: string) => own('readContent', { params: { path } });
const agents = (kind: string, title = kind, more: Partial<ShownCall> = {}) =>
  own(kind, { title, ...more });
const message = (parts: readonly MessagePart[], more: Partial<Message> = {}): Message => ({
  id: `${++count}`,
  conversationId: 'c',
  parentId: undefined,
  role: 'assistant',
  end: 'tools',
  createdAt: '',
  parts,
  ...more,
});

describe('the line of several calls', () => {
  test.each([
    [[note('A.md'), note('B.md'), note('A.md')], 'Read 2 notes'],
    [[own('searchContent'), own('searchMemory'), own('searchDirectory')], 'Searched 3 times'],
    [[note('A.md'), own('searchMemory')], 'Read 1 note, searched once'],
    [[own('listStates'), own('timeline')], 'Listed the states, read the timeline'],
    [[own('loadState'), own('loadState'), note('A.md')], 'Loaded state 2 times, read 1 note'],
    [
      [agents('read', 'a.ts'), agents('read', 'b.ts'), agents('search')],
      'Read 2 files, searched once',
    ],
    [[agents('execute', 'ls'), agents('execute', 'ls')], 'Ran 2 commands'],
    [[agents('fetch'), agents('think')], 'Made 2 other calls'],
    [[note('A.md'), own('listStates', { status: 'stopped' })], 'Read 1 note, 1 call not run'],
  ])('%# says what they did', (calls, line) => {
    expect(foldedText(calls, find)).toBe(line);
  });

  test('is in German where the app is', () => {
    chooseLanguage('de');
    onTestFinished(() => chooseLanguage('en'));
    const calls = [note('A.md'), note('B.md'), own('searchMemory'), own('searchContent')];
    expect(foldedText(calls, find)).toBe('2 Notizen gelesen, 2-mal gesucht');
    const listed = [own('listStates'), own('listStates'), own('listRecords')];
    expect(foldedText(listed, find)).toBe('Stände aufgelistet (2-mal), Einträge aufgelistet');
  });
});

describe('a call', () => {
  test('is folded if it reads, whichever tool of the program it calls', () => {
    for (const { tool } of allTools(toolkit))
      expect([tool.name, isFolded(own(tool.name), find)]).toEqual([
        tool.name,
        tool.access === 'read',
      ]);
  });

  test.each([
    agents('edit'),
    agents('delete'),
    agents('move'),
    agents('other', 'Rename', { changes: [] }),
    agents('execute', 'rm', { notUndoable: ['big.bin'] }),
    agents('plan'),
    own('eraseEverything'),
    own('loadState', { status: 'failed' }),
    own('loadState', { status: 'denied' }),
    agents('execute', 'ls', { status: 'asking' }),
  ])('%# that writes, failed or needs the user is not folded', (call) => {
    expect(isFolded(call, find)).toBe(false);
  });
});

test('a step is folded with a remark, but not with a long text, a write or an end', () => {
  const remark = { type: 'text' as const, text: 'I look further.' };
  const reasoning = { type: 'reasoning' as const, text: 'Hm. '.repeat(500) };
  const isStep = (parts: readonly MessagePart[], more?: Partial<Message>) =>
    isFoldedStep(message(parts, more), find);
  expect(isStep([reasoning, remark, note('A.md')])).toBe(true);
  expect(isStep([{ ...remark, text: 'x'.repeat(301) }, note('A.md')])).toBe(false);
  expect(isStep([note('A.md'), own('createState')])).toBe(false);
  expect(isStep([remark])).toBe(false);
  expect(isStep([note('A.md')], { end: 'stopped' })).toBe(false);
});

test('runsOf groups neighbours that are folded', () => {
  expect(runsOf([2, 4, 1, 3, 6, 8], (value) => value % 2 === 0)).toEqual([
    [2, 4],
    [1],
    [3],
    [6, 8],
  ]);
});

describe('a failed call', () => {
  const failed = own('createState', { status: 'failed' });
  const user = message([], { role: 'user' });

  test('is tried again if a later call of its turn is of the same tool', () => {
    expect(isRetried(failed, [message([failed, own('createState')])], [])).toBe(true);
    expect(isRetried(failed, [message([failed]), message([own('createState')])], [])).toBe(true);
    expect(isRetried(failed, [message([own('createState'), failed])], [])).toBe(false);
    expect(isRetried(failed, [message([failed]), message([own('loadState')])], [])).toBe(false);
  });

  test('is not tried again by a call of another turn', () => {
    const path = [message([failed]), user, message([own('createState')])];
    expect(isRetried(failed, path, [])).toBe(false);
  });

  test('is tried again by a call that the model makes now', () => {
    const live = (id: string, tool: string) =>
      ({ id, tool, params: {}, status: 'asking' }) as PanelCall;
    expect(isRetried(failed, [message([failed])], [live('x', 'createState')])).toBe(true);
    expect(isRetried(failed, [message([failed]), user], [live('x', 'createState')])).toBe(false);
    const both = [live(failed.id, 'createState'), live('x', 'createState')];
    expect(isRetried({ ...failed }, [user], both)).toBe(true);
    expect(isRetried({ ...failed }, [user], both.slice(0, 1))).toBe(false);
  });
});
