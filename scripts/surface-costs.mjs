/**
 * Token budgets of the surfaces, what to do if one is exceeded, and the function that counts
 * tokens.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Surfaces to measure. `args` select the surface and its tools. */
export const SURFACES = [
  {
    name: 'full',
    toolsets: 'memory and search',
    args: ['--surface', 'full', '--toolsets', 'none'],
    budget: 1650,
  },
  { name: 'full', toolsets: 'all', args: ['--surface', 'full', '--toolsets', 'all'], budget: 3200 },
  {
    name: 'actions',
    toolsets: 'memory and search',
    args: ['--surface', 'actions', '--toolsets', 'none'],
    budget: 1400,
  },
  {
    name: 'actions',
    toolsets: 'memory, search and records',
    args: ['--surface', 'actions', '--toolsets', 'records'],
    budget: 1550,
  },
  {
    name: 'actions',
    toolsets: 'all',
    args: ['--surface', 'actions', '--toolsets', 'all'],
    budget: 2600,
  },
  {
    name: 'compact',
    toolsets: 'all',
    args: ['--surface', 'compact', '--toolsets', 'all'],
    budget: 450,
  },
];

/** What to do if a new tool exceeds a budget, in the order in which to try it. */
export const BUDGET_ADVICE = [
  'Shorten its descriptions. Names, types and enums need no explanation, and examples and failures are not counted.',
  'Drop optional parameters, or reuse a shared input, which several tools describe in the same words.',
  'Make it an action of an existing resource, or put it in an optional toolset such as `trace-manager`, which only the rows with all toolsets count.',
  'Raise the budget in `scripts/surface-costs.mjs` only if nothing else helps, and give the reason on a page in `docs/decisions`.',
];

/**
 * Says which surfaces exceed their budget, and what to do.
 * @param {readonly { name: string, toolsets: string, tokens: number, budget: number }[]} costs
 * @returns {string | undefined}
 */
export function budgetProblem(costs) {
  const exceeded = costs.filter(({ tokens, budget }) => tokens > budget);
  if (exceeded.length === 0) return undefined;
  const names = exceeded.map(
    ({ name, toolsets, tokens, budget }) => `${name} (${toolsets}) by ${tokens - budget} tokens`,
  );
  const advice = BUDGET_ADVICE.map((text, at) => `${at + 1}. ${text}`);
  return [
    `Over budget: ${names.join(', ')}. Run measure-tokens.mjs --each to see each tool.`,
    ...advice,
  ].join('\n');
}

/**
 * Returns the number of o200k tokens that a model reads in `tools/list` for these tools' names,
 * descriptions and input schemas.
 */
export function tokensOf(tools) {
  return encode(
    JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  ).length;
}
