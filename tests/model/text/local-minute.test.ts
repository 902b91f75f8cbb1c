import { expect, it } from 'vitest';
import { localMinute } from '../../../src/model/text/local-minute.js';

it('returns the day and minute of this device', () => {
  expect(localMinute(new Date(2026, 0, 5, 7, 9, 59).toISOString())).toBe('2026-01-05 07:09');
});

it('returns what is no time as it is', () => {
  expect(localMinute('someday')).toBe('someday');
});
