import { expect, it } from 'vitest';
import {
  callSentence,
  sentenceText,
  subjectIn,
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

it('the subject is found in truncated parameters', () => {
  expect(subjectIn('{"tags":[],"name":"A \\"B\\"","conv')).toBe('A "B"');
  expect(subjectIn('{"query":"seeds"}')).toBe('seeds');
  expect(subjectIn('{"limit":3}')).toBe('');
});
