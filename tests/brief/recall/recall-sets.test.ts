import { expect, it } from 'vitest';
import { recall } from '../../../src/brief/recall/recall.js';
import {
  indexOf,
  ordinaryPrompts,
  ruleSources,
  sourceOf,
  statedRules,
  vaultSet,
  vaultSources,
} from './recall-sets.js';

const nobody = { session: '' };
const rules = indexOf(ruleSources());
const vault = indexOf(vaultSources());

it('tells fifteen of sixteen rules that a person stated at a later prompt', () => {
  const told = statedRules.filter(({ prompt, said }) => {
    const texts = recall(prompt, rules, nobody).map(({ text }) => text);
    return said.every((rule) => texts.some((text) => rule.includes(text)));
  });
  expect(told).toHaveLength(15);
});

it('tells something at no more than two of 200 ordinary prompts', () => {
  expect(ordinaryPrompts).toHaveLength(200);
  const told = ordinaryPrompts.filter((prompt) =>
    [rules, vault].some((memory) => recall(prompt, memory, nobody).length > 0),
  );
  expect(told.length).toBeLessThanOrEqual(2);
});

it('is mostly silent in a vault, even where it has something to say in other words', () => {
  const told = vaultSet.prompts.map(({ prompt, right }) => {
    const ids = recall(prompt, vault, nobody).map(({ id }) => id);
    return {
      isDue: right.length > 0,
      isTold: ids.length > 0,
      isRight: ids.some((id) => right.includes(id)),
    };
  });
  expect(told.filter(({ isDue, isTold }) => !isDue && isTold).length).toBeLessThanOrEqual(3);
  expect(told.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(3);
});

it('tells nothing that the session itself has said', () => {
  const { prompt } = statedRules[1]!;
  expect(recall(prompt, rules, nobody).map(({ id }) => id)).toContain('1');
  expect(recall(prompt, rules, { session: '1' })).toEqual([]);
});

it('tells nothing that the prompt says in the same words', () => {
  const typed = indexOf(ordinaryPrompts.map((prompt, at) => sourceOf(`${at}`, [prompt])));
  const repeated = ordinaryPrompts.filter((prompt) =>
    recall(`${prompt}\n`, typed, nobody).some(({ text }) => prompt.includes(text)),
  );
  expect(repeated).toEqual([]);
});
