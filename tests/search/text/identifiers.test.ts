import { expect, it } from 'vitest';
import { findAtTokens, identifierAt, joinedAt } from '../../../src/search/text/identifiers.js';

it.each([
  ['Call is_union or __init__ first', ['is_union', '__init__']],
  ['__m128i and _mm_add_ps', ['__m128i', '_mm_add_ps']],
  ['std::vector<int> of a::b::c', ['std::vector', 'a::b::c']],
  ['C++ and C#, but not F.', ['c++', 'c#']],
  ['git commit --no-verify --amend', ['--no-verify', '--amend']],
  ['rsync -avz `-Recurse` (-n) a-b', ['-avz', '-recurse', '-n']],
  ['MAX_SIZE_2', ['max_size_2']],
  ['class_', ['class_']],
  ['$PSHome, ($total) and "$x"', ['$pshome', '$total', '$x']],
  ['$my_var, $env:PATH and 5$', ['my_var', '$env']],
  ['_emphasized_ and _one_two_', ['one_two']],
  ['a -- b, x--y, well-known, 3 + 4', []],
  ['[[Note#Heading]] and #tag', []],
  ['12:30 and key: value', []],
  ['snake_'.repeat(20), []],
])('finds the identifiers in %j', (text, identifiers) => {
  expect(findAtTokens(text, identifierAt)).toEqual(identifiers);
});

it.each([
  ['e-mail in Real-Time, co-operate!', ['email', 'realtime', 'cooperate']],
  ['1,000,260 or 1.000.260, 1 000 260 and 1’000', ['1000260', '1000260', '1000260', '1000']],
  ['3,511 of ticket 3511', ['3511']],
  ['--no-verify, well--known, 12,34 and 2020 100', []],
  ['a-b-c-d-e', []],
])('joins the separated words and numbers in %j', (text, joined) => {
  expect(findAtTokens(text, joinedAt)).toEqual(joined);
});
