import { expect, it } from 'vitest';
import { withoutAdvice } from '../../../src/obsidian/calls/user-texts.js';

const NAMES = ['listStates', 'loadState'];

it('an error for users leaves out which tool to use', () => {
  const error =
    'State "A. B" not found. Use listStates to see available states. Did you mean "AB"?';
  expect(withoutAdvice(error, NAMES)).toBe('State "A. B" not found. Did you mean "AB"?');
});

it('an error for users stays as it is if nothing else would be left', () => {
  expect(withoutAdvice('Use loadState.', NAMES)).toBe('Use loadState.');
});
