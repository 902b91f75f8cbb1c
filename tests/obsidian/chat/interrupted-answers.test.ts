import { expect, it } from 'vitest';
import { InterruptedAnswers } from '../../../src/obsidian/chat/interrupted-answers.js';
import { createTestVault } from '../../fakes/test-vault.js';

const answer = { parentId: 'm1', text: 'Half an ans' };

function open() {
  const stored = new Map<string, unknown>();
  const app = {
    loadLocalStorage: (key: string) => stored.get(key) ?? null,
    saveLocalStorage: (key: string, value: unknown) =>
      void (value === null ? stored.delete(key) : stored.set(key, value)),
  };
  const { clock } = createTestVault();
  return { stored, clock, answers: () => new InterruptedAnswers(app, clock) };
}

it('an answer that was not stored is returned once after a restart', () => {
  const { clock, answers } = open();
  const before = answers();
  before.keep('c1', { ...answer, text: 'Half' });
  before.keep('c1', answer);
  clock.advance(1000);
  expect(before.take('c1')).toBeUndefined();
  const after = answers();
  expect(after.take('c1')).toEqual(answer);
  expect(after.take('c1')).toBeUndefined();
});

it('a stored answer leaves nothing behind', () => {
  const { stored, clock, answers } = open();
  const before = answers();
  before.keep('c1', answer);
  clock.advance(1000);
  before.keep('c1', answer);
  before.drop('c1');
  clock.advance(5000);
  expect(stored.size).toBe(0);
});

it('anything else in the storage is ignored', () => {
  const { stored, answers } = open();
  stored.set('savepoint-answer-c1', { parentId: 7 });
  expect(answers().take('c1')).toBeUndefined();
});
