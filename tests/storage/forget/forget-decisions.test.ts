import { expect, it } from 'vitest';
import {
  AGREEMENT_MS,
  isRemovalDue,
  isRefusable,
  type ForgetDecision,
} from '../../../src/storage/forget/forgets.js';

const SEEN_AT = Date.UTC(2026, 10, 20);
const SOON = SEEN_AT + 1000;
const DAY_7 = SEEN_AT + 7 * 24 * 3_600_000;

it('gives the user of another device seven days to refuse', () => {
  expect(AGREEMENT_MS).toBe(DAY_7 - SEEN_AT);
});

it.each<[string, ForgetDecision['choice'] | undefined, number, { open: boolean; due: boolean }]>([
  ['what its own program forgot', 'own', SOON, { open: false, due: true }],
  ['what its user agreed to', 'agreed', SOON, { open: false, due: true }],
  ['what its user refused', 'refused', SOON, { open: false, due: false }],
  ['what its user refused, forever', 'refused', 2 * DAY_7, { open: false, due: false }],
  ['what it has just seen', 'open', SOON, { open: true, due: false }],
  ['what is open before seven days are over', 'open', DAY_7 - 1, { open: true, due: false }],
  ['what is open after seven days', 'open', DAY_7, { open: false, due: true }],
  ['what it has not stored yet', undefined, 2 * DAY_7, { open: true, due: false }],
])('a device can prevent, or has to destroy, %s', (_, choice, now, expected) => {
  const decision = choice && { choice, seenAt: SEEN_AT };
  expect({ open: isRefusable(decision, now), due: isRemovalDue(decision, now) }).toEqual(expected);
});
