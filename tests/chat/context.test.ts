import { describe, expect, it } from 'vitest';
import { contextUsage, estimateMessageTokens } from '../../src/chat/context.js';
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

describe('the estimate of a message', () => {
  it('counts attachments but not reasoning', () => {
    const reasoning: MessagePart = { type: 'reasoning', text: 'x'.repeat(4000) };
    const note: MessagePart = {
      type: 'data',
      source: 'the note "Beds.md"',
      text: 'y'.repeat(4000),
    };
    expect(estimateMessageTokens(message([reasoning]))).toBe(0);
    expect(estimateMessageTokens(message([note]))).toBeGreaterThan(1000);
  });
});

describe('context usage', () => {
  it('is an estimate until a provider reports a number', () => {
    expect(contextUsage([message([words('x'.repeat(400))])], 50)).toEqual({
      tokens: 150,
      truncatedTokens: 0,
    });
    expect(contextUsage([], 50)).toEqual({ tokens: 0, truncatedTokens: 0 });
  });

  it('adds an estimate of newer messages to the last report', () => {
    const path = [
      message([words('Hello')]),
      message([words('Hi')], { input: 900, output: 100 }),
      message([words('x'.repeat(400))]),
    ];
    expect(contextUsage(path, 50)).toEqual({ tokens: 1100, truncatedTokens: 0 });
  });

  it('detects a server that truncates the request', () => {
    const path = [
      message([words('x'.repeat(48_000))]),
      message([words('Hm?')], { input: 4096, output: 10 }),
    ];
    expect(contextUsage(path)).toEqual({ tokens: 12_010, truncatedTokens: 12_000 - 4096 });
  });

  it('does not take a short request for a truncated one', () => {
    const path = [
      message([words('x'.repeat(4000))]),
      message([words('Hm?')], { input: 300, output: 10 }),
    ];
    expect(contextUsage(path).truncatedTokens).toBe(0);
  });
});
