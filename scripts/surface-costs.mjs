/** What the tools of each surface may cost a model, and how that is counted. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** `args` say to the program which tools are meant. */
export const SURFACES = [
  {
    name: 'full',
    agents: 'memory and search',
    args: ['--surface', 'full', '--agents', 'none'],
    budget: 1500,
  },
  { name: 'full', agents: 'all', args: ['--surface', 'full', '--agents', 'all'], budget: 3000 },
  {
    name: 'actions',
    agents: 'memory and search',
    args: ['--surface', 'actions', '--agents', 'none'],
  },
  {
    name: 'actions',
    agents: 'all',
    args: ['--surface', 'actions', '--agents', 'all'],
    budget: 1600,
  },
  {
    name: 'compact',
    agents: 'all',
    args: ['--surface', 'compact', '--agents', 'all'],
    budget: 450,
  },
];

/** The tokens of o200k in what a model is shown of these tools, as `tools/list` has them: names, descriptions and input schemas. */
export function tokensOf(tools) {
  return encode(
    JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  ).length;
}
