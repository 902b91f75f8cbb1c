import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  noteSource,
  readNoteSize,
  readStateSource,
  stateSource,
} from '../../src/chat/data-source.js';

it('says of a state what can be read again, whatever its name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (name) => {
      const read = readStateSource(stateSource(name, 'Garden', '2026-11-18'));
      expect(read).toEqual({ name, workspace: 'Garden', day: '2026-11-18' });
    }),
  );
  expect(readStateSource('the file "x"')).toBeUndefined();
});

it('says of a note that is cut how long it is', () => {
  expect(noteSource('A.md')).toBe('the note "A.md"');
  expect(noteSource('A.md', 250)).toBe('the note "A.md" (only its first 100 of 250 KB)');
  expect(readNoteSize(noteSource('A.md', 250))).toBe(250);
  expect(readNoteSize(noteSource('A.md'))).toBeUndefined();
});
