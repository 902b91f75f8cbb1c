/**
 * Prints the o200k token count of `tools/list` on each surface and fails if a count exceeds its
 * budget.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetProblem, SURFACES, tokensOf } from './surface-costs.mjs';

const program = fileURLToPath(new URL('../main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'savepoint-tokens-'));

/** Returns the tools as a client receives them. */
async function toolsWith(args) {
  const client = new Client({ name: 'measure-tokens', version: '1.0.0' });
  const command = [
    program,
    'mcp',
    '--vault',
    folder,
    '--state',
    join(folder, 'state'),
    '--create',
    ...args,
  ];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: command }));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

const [full] = SURFACES;
const usual = { ...full, toolsets: 'default', args: [] };
const costs = [];
for (const { name, toolsets, args, budget } of [usual, ...SURFACES]) {
  const tools = await toolsWith(args);
  const tokens = tokensOf(tools);
  console.log(
    `tools/list ${name}, toolsets: ${toolsets}: ${tokens} tokens in ${tools.length} tools (budget ${budget})`,
  );
  costs.push({ name, toolsets, tokens, budget });
  if (process.argv.includes('--each'))
    for (const tool of tools) console.log(`  ${tokensOf([tool])}  ${tool.name}`);
}

const problem = budgetProblem(costs);
if (problem !== undefined) {
  console.error(`\n${problem}`);
  process.exitCode = 1;
}
await rm(folder, { recursive: true });
