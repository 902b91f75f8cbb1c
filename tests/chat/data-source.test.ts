import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatNoteSource,
  parseNoteSize,
  parseStateSource,
  formatStateSource,
} from '../../src/chat/data-source.js';

it('parseStateSource parses the source of a state with any name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (name) => {
      const read = parseStateSource(formatStateSource(name, 'Garden', '2026-11-18'));
      expect(read).toEqual({ name, workspace: 'Garden', day: '2026-11-18' });
    }),
  );
  expect(parseStateSource('the file "x"')).toBeUndefined();
});

it('parseNoteSize parses the size of a truncated note', () => {
  expect(formatNoteSource('A.md')).toBe('the note "A.md"');
  expect(formatNoteSource('A.md', 250)).toBe('the note "A.md" (only its first 100 of 250 KB)');
  expect(parseNoteSize(formatNoteSource('A.md', 250))).toBe(250);
  expect(parseNoteSize(formatNoteSource('A.md'))).toBeUndefined();
});
