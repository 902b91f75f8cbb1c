import { describe, expect, it } from 'vitest';
import {
  droppedLinks,
  triggerAt,
  withoutTrigger,
} from '../../../../src/obsidian/chat/ui/triggers.js';

const at = (typed: string) => triggerAt(typed, typed.length);

describe('a trigger', () => {
  it('is a note after two brackets, until they are closed', () => {
    expect(at('see [[Bed')).toEqual({ kind: 'note', query: 'Bed', from: 4 });
    expect(at('see [[')).toEqual({ kind: 'note', query: '', from: 4 });
    expect(at('see [[Beds]] and')).toBeUndefined();
    expect(at('see [[Beds\nand')).toBeUndefined();
  });

  it('is a state after an at sign that begins a word', () => {
    expect(at('from @beds dr')).toEqual({ kind: 'state', query: 'beds dr', from: 5 });
    expect(at('@')).toEqual({ kind: 'state', query: '', from: 0 });
    expect(at('me@example')).toBeUndefined();
    expect(at('from @beds  and')).toBeUndefined();
  });

  it('is a tool only where the slash begins the message', () => {
    expect(at('/load')).toEqual({ kind: 'tool', query: 'load', from: 0 });
    expect(at('and /load')).toBeUndefined();
    expect(at('/load it')).toBeUndefined();
  });

  it('is what stands before the caret, and goes without what stands after it', () => {
    const typed = 'see [[Bed, please';
    const trigger = triggerAt(typed, 9)!;
    expect(withoutTrigger(typed, 9, trigger)).toEqual({ text: 'see , please', caret: 4 });
  });
});

describe('what is dropped', () => {
  it('leads to notes as the app writes them: addresses, links and paths', () => {
    expect(droppedLinks('obsidian://open?vault=V&file=Deep%2FNote\n')).toEqual(['Deep/Note']);
    expect(droppedLinks('[[Note|shown]]\n![[Other#Part]]')).toEqual(['Note', 'Other']);
    expect(droppedLinks('A/b.md')).toEqual(['A/b.md']);
    expect(droppedLinks('obsidian://[')).toEqual([]);
    expect(droppedLinks('')).toEqual([]);
  });
});
