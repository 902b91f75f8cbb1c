import { describe, expect, it } from 'vitest';
import { asks, spokenPart } from '../../../src/model/text/answer.js';

describe('the spoken part of an answer', () => {
  it.each([
    ['Done.', 'Done.'],
    ['Done.\n\nAll tests pass.\n', 'Done.\n\nAll tests pass.'],
    ['## Result\n\nDone.', 'Done.'],
    ['# Result\n## Details\nDone.\n## Next\nNothing.', 'Done.\n## Next\nNothing.'],
    ['**Result**\n\nDone.', 'Done.'],
    ['**Result:**\nDone.', 'Done.'],
    ['---\nDone.', 'Done.'],
    ['Here is the result:\n\n- one\n- two', '- one\n- two'],
    ['**Here it is:**\n- one', '- one'],
    ['结果如下：\n完成了。', '完成了。'],
    ['以下の通りです：\n\n終わりました。', '終わりました。'],
    ['**Result** is what the table shows.', '**Result** is what the table shows.'],
    ['It is 10:30.', 'It is 10:30.'],
    ['  indented\n  twice', 'indented\n  twice'],
  ])('of %j is %j', (answer, part) => {
    expect(spokenPart(answer)).toBe(part);
  });

  it.each([[''], ['  \n '], ['## Result'], ['Now I run the tests:'], ['**Plan**\n\nFirst:']])(
    'of %j is empty',
    (answer) => {
      expect(spokenPart(answer)).toBe('');
    },
  );
});

it.each([
  ['North or south?'],
  ['I can do both.\n\nWhich one do you want?'],
  ['**Which one?**'],
  ['Should I go on? (It takes an hour.)'],
  ['Which format should it be?\n\n1. CSV\n2. JSON\n'],
  ['Which format should it be?\n- CSV\n- JSON'],
  ['Which format?\na) CSV\nb) JSON'],
  ['Before I begin:\n1. Which format?\n2. Which folder?'],
  ['どちらにしますか？'],
  ['要继续吗？我可以先写测试。'],
  ['Ποιο από τα δύο; Which?'],
  ['هل أتابع؟'],
  ['Շարունակե՞մ՞'],
])('%j asks', (answer) => {
  expect(asks(answer)).toBe(true);
});

it.each([
  [''],
  ['Done.'],
  ['Which one? I asked myself.\n\nI took the first.'],
  ['See https://example.com/a?b=c for more.'],
  ['Why it failed?\n\nThe lock was held.'],
])('%j does not ask', (answer) => {
  expect(asks(answer)).toBe(false);
});
