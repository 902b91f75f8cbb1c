import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { contextUse, estimateMessage, estimateTokens } from '../../src/chat/context.js';
import type { Message, MessagePart, TokenUsage } from '../../src/model/message.js';

const message = (parts: readonly MessagePart[], usage?: TokenUsage): Message => ({
  id: 'm',
  conversationId: 'c',
  parentId: undefined,
  role: usage ? 'assistant' : 'user',
  parts,
  createdAt: '2026-11-20T10:00:00.000Z',
  ...(usage && { usage }),
});
const words = (text: string): MessagePart => ({ type: 'text', text });

describe('the estimate of tokens', () => {
  it.each([
    ['English', 'The beds face south, so the first row warms early. '.repeat(40)],
    ['German', 'Die Beete liegen nach Süden, darum erwärmt sich die erste Reihe früh. '.repeat(40)],
    ['Russian', 'Грядки смотрят на юг, поэтому первый ряд рано прогревается. '.repeat(40)],
    ['Chinese', '苗床朝南，所以第一排很早就暖和起来。'.repeat(40)],
    [
      'code',
      'export function add(a: number, b: number): number {\n  return a + b;\n}\n'.repeat(40),
    ],
  ])('is within a factor of two of what a tokenizer counts for %s', (_, text) => {
    const ratio = estimateTokens(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('counts what is sent of a message, not what was thought', () => {
    const thought: MessagePart = { type: 'reasoning', text: 'x'.repeat(4000) };
    const note: MessagePart = {
      type: 'data',
      source: 'the note "Beds.md"',
      text: 'y'.repeat(4000),
    };
    expect(estimateMessage(message([thought]))).toBe(0);
    expect(estimateMessage(message([note]))).toBeGreaterThan(1000);
  });
});

describe('what a branch takes up', () => {
  it('is estimated until a provider has counted', () => {
    expect(contextUse([message([words('x'.repeat(400))])], 50)).toEqual({ tokens: 150, unread: 0 });
    expect(contextUse([], 50)).toEqual({ tokens: 0, unread: 0 });
  });

  it('is what was counted last, and an estimate of what came since', () => {
    const path = [
      message([words('Hello')]),
      message([words('Hi')], { input: 900, output: 100 }),
      message([words('x'.repeat(400))]),
    ];
    expect(contextUse(path, 50)).toEqual({ tokens: 1100, unread: 0 });
  });

  it('tells when a server has read far less than it was sent', () => {
    const path = [
      message([words('x'.repeat(40_000))]),
      message([words('Hm?')], { input: 4096, output: 10 }),
    ];
    expect(contextUse(path)).toEqual({ tokens: 10_010, unread: 10_000 - 4096 });
  });

  it('takes no short request for one that was cut', () => {
    const path = [
      message([words('x'.repeat(4000))]),
      message([words('Hm?')], { input: 300, output: 10 }),
    ];
    expect(contextUse(path).unread).toBe(0);
  });
});
