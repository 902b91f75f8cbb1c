import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BUDGET_ADVICE, budgetProblem, SURFACES } from '../scripts/surface-costs.mjs';

const contributing = readFileSync(
  fileURLToPath(new URL('../CONTRIBUTING.md', import.meta.url)),
  'utf8',
);

it('budgetProblem names the surfaces over budget, and what to do', () => {
  const within = { name: 'full', toolsets: 'all', tokens: 3000, budget: 3000 };
  const over = { name: 'compact', toolsets: 'all', tokens: 470, budget: 450 };
  expect(budgetProblem([within])).toBeUndefined();
  const [first, ...advice] = budgetProblem([within, over])?.split('\n') ?? [];
  expect(first).toMatch(/^Over budget: compact \(all\) by 20 tokens\. /);
  expect(advice).toEqual(BUDGET_ADVICE.map((text, at) => `${at + 1}. ${text}`));
});

it('the recipe for a tool states each budget and the advice', () => {
  for (const { budget } of SURFACES) expect(contributing).toContain(budget.toLocaleString('en'));
  for (const text of BUDGET_ADVICE) expect(contributing).toContain(text);
});
