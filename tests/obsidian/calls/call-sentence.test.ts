import { expect, it } from 'vitest';
import {
  actionText,
  callSentence,
  sentenceText,
  subjectIn,
  subjectOf,
} from '../../../src/obsidian/calls/call-sentence.js';

it('a call is a sentence with its subject', () => {
  const sentence = callSentence('createState', 'Garden begun');
  expect(sentence).toEqual({ before: 'Saved state ', subject: 'Garden begun', after: '' });
  expect(sentenceText(sentence!)).toBe('Saved state “Garden begun”');
});

it('a call without a subject is a sentence without one', () => {
  expect(sentenceText(callSentence('listStates', 'ignored')!)).toBe('Listed the states');
  expect(sentenceText(callSentence('createState', '')!)).toBe('Saved state');
});

it('an unknown tool has no sentence', () => {
  expect(callSentence('toString', 'x')).toBeUndefined();
});

it('a request names the action and its subject', () => {
  expect(actionText('Save state', subjectOf({ name: 'Plan' }))).toBe('Save state: Plan');
  expect(actionText('Save state', subjectOf({ name: 7 }))).toBe('Save state');
  expect(subjectOf({ resource: 'decision', title: 'Use JWT' })).toBe('Use JWT');
});

it('the subject of whole parameters is not one that is nested in them', () => {
  expect(subjectIn('{"preferences":{"name":"inner"},"name":"outer"}')).toBe('outer');
  expect(subjectIn('{"preferences":{"name":"inner"}}')).toBe('');
  for (const odd of ['', '[]', 'null', '{"name":"half']) expect(subjectIn(odd)).toBe('');
});

it('the subject is found in truncated parameters', () => {
  expect(subjectIn('{"tags":[],"name":"A \\"B\\"","conv')).toBe('A "B"');
  expect(subjectIn('{"query":"seeds"}')).toBe('seeds');
  expect(subjectIn('{"limit":3}')).toBe('');
});
