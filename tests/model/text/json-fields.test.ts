import { expect, it } from 'vitest';
import {
  isTextList,
  numberIn,
  objectAt,
  objectIn,
  objectsAt,
  parseJson,
  parseJsonObject,
  textAt,
  textIn,
  textOfParts,
  textsIn,
} from '../../../src/model/text/json-fields.js';

it('parses JSON, and nothing else', () => {
  expect(['7', 'null', '"a"', '{"a":[1]}'].map(parseJson)).toEqual([7, null, 'a', { a: [1] }]);
  for (const text of ['', 'hello', '{"a":', '\u{FEFF}{}', '[1,]', 'undefined'])
    expect(parseJson(text)).toBeUndefined();
});

it('parses objects, and no other value', () => {
  expect(parseJsonObject(' {"a":1}\n')).toEqual({ a: 1 });
  for (const text of ['[]', 'null', '7', '"{}"', '{'])
    expect(parseJsonObject(text)).toBeUndefined();
});

it('returns a field only if it has the type', () => {
  const value = { text: 'a', number: 7, object: { inner: 'b' }, list: [1, 'c', {}] };
  expect([textIn(value, 'text'), textIn(value, 'number'), textIn(undefined, 'text')]).toEqual([
    'a',
    undefined,
    undefined,
  ]);
  expect([numberIn(value, 'number'), numberIn(value, 'text')]).toEqual([7, undefined]);
  expect(numberIn({ huge: Infinity }, 'huge')).toBeUndefined();
  expect([objectIn(value, 'object'), objectIn(value, 'list')]).toEqual([{ inner: 'b' }, undefined]);
  expect([textAt(value, 'text'), textAt(value, 'none')]).toEqual(['a', '']);
  expect([objectAt(value, 'object'), objectAt(value, 'none')]).toEqual([{ inner: 'b' }, {}]);
  expect(objectsAt(value, 'list')).toEqual([{}]);
});

it('reads lists of texts', () => {
  expect([textsIn(['a', 7, 'b']), textsIn('a')]).toEqual([['a', 'b'], []]);
  expect([['a'], [], ['a', 7], 'a', undefined].map(isTextList)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it('joins the texts of the parts of a message', () => {
  expect(textOfParts('a')).toBe('a');
  expect(textOfParts([{ text: 'a' }, { image: 1 }, { text: 'b' }])).toBe('a\nb');
});
