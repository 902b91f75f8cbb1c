import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatNoteSource,
  parseNoteSize,
  parseStateSource,
  formatStateSource,
} from '../../src/chat/data-source.js';

const state = { name: 'Beds', workspace: 'Garden', day: '2026-11-18' };

it('parseStateSource parses the source of a state with any name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (name) => {
      expect(parseStateSource(formatStateSource({ ...state, name }))).toEqual({ ...state, name });
    }),
  );
  expect(parseStateSource('the file "x"')).toBeUndefined();
});

it('parseStateSource parses who saved a state, and how many of its files have changed', () => {
  const savedBy = { who: 'Claude Code (m on x)', device: 'Laptop; 1 of 2' };
  const files = { changed: 2, count: 5 };
  expect(formatStateSource({ ...state, savedBy, files })).toBe(
    'the saved state "Beds" of the workspace "Garden", saved on 2026-11-18 by Claude Code (m on x) on Laptop; 1 of 2; 2 of 5 files changed since',
  );
  for (const source of [
    { ...state, files },
    { ...state, savedBy: { who: 'A', device: 'B' }, files },
  ])
    expect(parseStateSource(formatStateSource(source))).toEqual(source);
});

it('parseNoteSize parses the size of a truncated note', () => {
  expect(formatNoteSource('A.md')).toBe('the note "A.md"');
  expect(formatNoteSource('A.md', 250)).toBe('the note "A.md" (only its first 100 of 250 KB)');
  expect(parseNoteSize(formatNoteSource('A.md', 250))).toBe(250);
  expect(parseNoteSize(formatNoteSource('A.md'))).toBeUndefined();
});
