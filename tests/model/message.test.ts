import { expect, it } from 'vitest';
import type { LogEvent } from '../../src/model/event.js';
import {
  messageData,
  messageOf,
  textOfMessage,
  type MessageContent,
} from '../../src/model/message.js';

const content: MessageContent = {
  conversationId: 'c',
  parentId: 'm0',
  role: 'assistant',
  model: 'claude',
  usage: { input: 7, output: 3 },
  end: 'failed',
  error: 'No network.',
  parts: [
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Hello' },
    {
      type: 'tool',
      id: '1',
      tool: 'listStates',
      params: {},
      answer: { success: true },
      status: 'done',
      ms: 4,
    },
    { type: 'data', source: 'a note', text: 'x', path: 'A.md' },
    { type: 'text', text: 'Bye' },
  ],
};
const eventOf = (d: LogEvent['d'], t = 'msg.new'): LogEvent => ({
  v: 1,
  w: 'aaaaaaaaaaaa',
  n: 1,
  p: '00000000',
  c: '00000000',
  h: '2026-11-20T09:00:00.000Z.0000',
  t,
  e: 'm1',
  d,
});

it('a message round-trips through the log', () => {
  expect(messageOf(eventOf(messageData(content)))).toEqual({
    ...content,
    id: 'm1',
    createdAt: '2026-11-20T09:00:00.000Z',
  });
  const bare: MessageContent = {
    conversationId: 'c',
    parentId: undefined,
    role: 'user',
    parts: [],
  };
  expect(messageOf(eventOf(messageData(bare)))).toEqual({
    ...bare,
    id: 'm1',
    createdAt: '2026-11-20T09:00:00.000Z',
  });
});

it('a message omits unknown parts and fields', () => {
  const d = {
    conv: 'c',
    parent: 7,
    role: 'user',
    parts: [{ type: 'video' }, null, 'x', { type: 'text' }, { type: 'text', text: 'ok' }],
    end: 'odd',
    usage: {},
  };
  expect(messageOf(eventOf(d))).toMatchObject({ parts: [{ type: 'text', text: 'ok' }] });
  expect(Object.keys(messageOf(eventOf(d))!)).not.toContain('end');
});

it.each([
  { conv: 7, role: 'user', parts: [] },
  { conv: 'c', role: 'system', parts: [] },
  { conv: 'c', role: 'user', parts: 'x' },
])('a message is undefined for the data %j', (d) => {
  expect(messageOf(eventOf(d))).toBeUndefined();
});

it('a message is undefined for another type of event', () => {
  expect(messageOf(eventOf(messageData(content), 'trace.new'))).toBeUndefined();
});

it('the text of a message omits reasoning and tool calls', () => {
  expect(textOfMessage(content)).toBe('Hello\n\nBye');
});
