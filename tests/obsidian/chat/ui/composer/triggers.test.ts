import { describe, expect, it } from 'vitest';
import {
  parseDroppedLinks,
  triggerAt,
  withCommand,
  withoutTrigger,
} from '../../../../../src/obsidian/chat/ui/composer/triggers.js';

const at = (typed: string) => triggerAt(typed, typed.length);

describe('a trigger', () => {
  it('is a note after two brackets until they are closed', () => {
    expect(at('see [[Bed')).toEqual({ kind: 'note', query: 'Bed', from: 4 });
    expect(at('see [[')).toEqual({ kind: 'note', query: '', from: 4 });
    expect(at('see [[Beds]] and')).toBeUndefined();
    expect(at('see [[Beds\nand')).toBeUndefined();
  });

  it('is a state after an at sign at the start of a word', () => {
    expect(at('from @beds dr')).toEqual({ kind: 'state', query: 'beds dr', from: 5 });
    expect(at('@')).toEqual({ kind: 'state', query: '', from: 0 });
    expect(at('me@example')).toBeUndefined();
    expect(at('from @beds  and')).toBeUndefined();
  });

  it('is a tool after a slash at the start of the message', () => {
    expect(at('/load')).toEqual({ kind: 'tool', query: 'load', from: 0 });
    expect(at('/mcp:security-re')?.query).toBe('mcp:security-re');
    expect(at('/plan.review+2')?.query).toBe('plan.review+2');
    expect(at('/home/me')).toBeUndefined();
    expect(at('and /load')).toBeUndefined();
    expect(at('/load it')).toBeUndefined();
  });

  it('ends at the caret and leaves the text after it', () => {
    const typed = 'see [[Bed, please';
    const trigger = triggerAt(typed, 9)!;
    expect(withoutTrigger(typed, 9, trigger)).toEqual({ text: 'see , please', caret: 4 });
  });
});

it('completes a command of the agent and keeps the text after it', () => {
  expect(withCommand('/sec', 4, 'security-review')).toEqual({
    text: '/security-review ',
    caret: 17,
  });
  expect(withCommand('/sec this', 4, 'review')).toEqual({ text: '/review this', caret: 8 });
});

describe('parseDroppedLinks', () => {
  it('reads Obsidian URLs, wikilinks and paths', () => {
    expect(parseDroppedLinks('obsidian://open?vault=V&file=Deep%2FNote\n')).toEqual(['Deep/Note']);
    expect(parseDroppedLinks('[[Note|shown]]\n![[Other#Part]]')).toEqual(['Note', 'Other']);
    expect(parseDroppedLinks('A/b.md')).toEqual(['A/b.md']);
    expect(parseDroppedLinks('obsidian://[')).toEqual([]);
    expect(parseDroppedLinks('')).toEqual([]);
  });
});
