/** Token budgets of the surfaces, and the function that counts tokens. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Surfaces to measure. `args` select the surface and its tools; a surface without a budget is only printed. */
export const SURFACES = [
  {
    name: 'full',
    agents: 'memory and search',
    args: ['--surface', 'full', '--toolsets', 'none'],
    budget: 1500,
  },
  { name: 'full', agents: 'all', args: ['--surface', 'full', '--toolsets', 'all'], budget: 3000 },
  {
    name: 'actions',
    agents: 'memory and search',
    args: ['--surface', 'actions', '--toolsets', 'none'],
  },
  {
    name: 'actions',
    agents: 'all',
    args: ['--surface', 'actions', '--toolsets', 'all'],
    budget: 1600,
  },
  {
    name: 'compact',
    agents: 'all',
    args: ['--surface', 'compact', '--toolsets', 'all'],
    budget: 450,
  },
];

/** Returns the number of o200k tokens that a model reads in `tools/list` for these tools' names, descriptions and input schemas. */
export function tokensOf(tools) {
  return encode(
    JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  ).length;
}
