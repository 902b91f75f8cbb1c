import { expect, it } from 'vitest';
import { memoryText, notesText, progressText } from '../../../src/cli/texts/search-texts.js';

it('notesText formats notes with location, content and reason', () => {
  const rows = [
    { path: 'A/One.md', heading: 'Part', line: 12, content: 'Some text', why: 'title, text' },
    { path: 'Two.md', line: 1, content: '', why: 'meaning' },
  ];
  expect(notesText(rows)).toBe(
    'A/One.md:12  # Part\n    Some text\n    (title, text)\n\nTwo.md:1\n    (meaning)\n',
  );
});

it('memoryText formats states and calls with their times', () => {
  const createdAt = '2026-11-20T09:30:00.000Z';
  const rows = [
    { type: 'state', name: 'Plan', content: 'Some text', createdAt },
    { type: 'trace', tool: 'loadState', content: '', createdAt },
  ];
  expect(memoryText(rows)).toBe(
    '2026-11-20 09:30  state Plan\n    Some text\n\n2026-11-20 09:30  trace loadState\n',
  );
});

it('search texts show invisible and control characters as markers', () => {
  const row = { path: 'gpj.\u202edm', line: 1, content: 'a\u001b[2Jb', why: 'text' };
  expect(notesText([row])).toBe('gpj.⟨U+202E⟩dm:1\n    a⟨U+001B⟩[2Jb\n    (text)\n');
});

it('search texts report no matches, and the progress', () => {
  expect([notesText([]), memoryText([])]).toEqual(['No matches.\n', 'No matches.\n']);
  expect(progressText({ done: 1200, total: 3100 })).toBe('Indexing notes 1,200 of 3,100');
});
