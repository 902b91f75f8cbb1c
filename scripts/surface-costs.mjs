/** Token budgets of the surfaces, and how tokens are counted. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** `args` select the tools on the command line. */
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

/** Returns the o200k tokens of these tools as a model sees them: names, descriptions and input schemas of `tools/list`. */
export function tokensOf(tools) {
  return encode(
    JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  ).length;
}
