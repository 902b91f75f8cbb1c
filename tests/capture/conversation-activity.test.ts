import { expect, it } from 'vitest';
import { conversationActivitySteps, withoutGaps } from '../../src/capture/conversation-activity.js';
import type { Message, MessagePart, ToolPart } from '../../src/model/message.js';
import { runToEnd } from '../../src/platform/run-sliced.js';
import { workOf } from '../fakes/transcripts.js';

const conversationActivity = (path: readonly Message[]) =>
  runToEnd(conversationActivitySteps(path));

let count = 0;

const message = (role: Message['role'], ...parts: MessagePart[]): Message => ({
  id: `m${++count}`,
  conversationId: 'c',
  parentId: undefined,
  role,
  parts,
  createdAt: '2026-11-24T10:00:00.000Z',
});
const said = (text: string): MessagePart => ({ type: 'text', text });
const call = (tool: string, params: ToolPart['params'], status: ToolPart['status']): ToolPart => ({
  type: 'tool',
  id: 'call-1', // some providers number the calls of each message from the start
  tool,
  params,
  status,
});

it('each message of the user that is not a tool run begins a turn', () => {
  const activity = conversationActivity([
    message('user', said('Plan the beds')),
    message('assistant', said('North or south?')),
    message('user', said('South, with token=a1B2c3D4e5F6g7H8')),
    message('assistant', said('South it is.\n\nThen the paths.')),
    message('user', said('/createState')),
    message('assistant', call('createState', { name: 'Beds' }, 'done')),
  ]);
  expect(activity.turns).toMatchObject([
    { id: 'm1', message: 'Plan the beds', answer: 'North or south?', isQuestion: true },
    { id: 'm3', message: 'South, with token=[secret]', answer: 'South it is.\n\nThen the paths.' },
  ]);
  // the run of the tool is the first work
  expect(workOf(activity)).toMatchObject({
    task: 'South, with token=[secret]',
    then: [],
    before: 'Plan the beds',
    answer: 'South it is.\n\nThen the paths.',
  });
});

it('attached notes and files in calls are read, and storage calls write', () => {
  const { files } = conversationActivity([
    message('user', said('Look'), { type: 'data', source: 'x', text: 'y', path: 'Beds.md' }),
    message('assistant', call('createState', { activeFiles: ['Plan.md', 7] }, 'done')),
    message('assistant', call('workspaceStorageWrite', { path: 'list.csv' }, 'done')),
    message('assistant', call('workspaceStorageWrite', { path: 'lost.csv' }, 'failed')),
    message('assistant', call('workspaceStorageWrite', { path: 'no.csv' }, 'denied')),
  ]);
  expect(files.map(({ path, isWritten }) => [path, isWritten])).toEqual([
    ['Beds.md', false],
    ['Plan.md', false],
    ['list.csv', true],
  ]);
});

it('calls are listed with their outcome, except those that were not made', () => {
  const { commands } = conversationActivity([
    message('assistant', call('searchMemory', { query: 'beds' }, 'done')),
    message('assistant', call('loadState', { name: 'Gone' }, 'failed')),
    message('assistant', call('archiveState', { name: 'Beds' }, 'stopped')),
  ]);
  expect(commands.map(({ command, isSuccess }) => [command, isSuccess])).toEqual([
    ['searchMemory {"query":"beds"}', true],
    ['loadState {"name":"Gone"}', false],
  ]);
});

it('a turn during which capture was paused is left out whole', () => {
  const at = (minute: number, made: Message): Message => ({
    ...made,
    createdAt: `2026-11-24T10:${String(minute).padStart(2, '0')}:00.000Z`,
  });
  const path = [
    at(1, message('user', said('Plan the beds'))),
    at(2, message('assistant', said('Done.'))),
    at(10, message('user', said('Plan the surprise party'))),
    at(30, message('assistant', said('Done, too.'))),
    at(31, message('user', said('Plan the paths'))),
  ];
  const time = (minute: number) => Date.parse(at(minute, path[0]!).createdAt);
  const gaps = [{ kind: 'pause', of: '', from: time(11), to: time(20) }] as const;
  expect(withoutGaps(path, gaps)).toEqual([path[0], path[1], path[4]]);
  const lasting = [{ kind: 'folder', of: '/vault', from: time(30) }] as const;
  expect(withoutGaps(path, lasting)).toEqual([path[0], path[1]]);
  expect(withoutGaps(path, [])).toEqual(path);
});
