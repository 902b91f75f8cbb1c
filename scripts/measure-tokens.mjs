/** Prints what `tools/list` costs a model on each surface, in tokens of o200k, and fails over the budget. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUDGETS = { full: 1500, compact: 450 };
const program = fileURLToPath(new URL('../main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'savepoint-tokens-'));

for (const [surface, budget] of Object.entries(BUDGETS)) {
  const client = new Client({ name: 'measure-tokens', version: '1.0.0' });
  const args = [program, 'mcp', '--vault', folder, '--surface', surface, '--state', join(folder, 'state')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  const { tools } = await client.listTools();
  await client.close();
  // Only these three are shown to a model.
  const visible = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const tokens = encode(JSON.stringify(visible)).length;
  console.log(`tools/list ${surface}: ${tokens} tokens in ${tools.length} tools (budget ${budget})`);
  if (tokens > budget) process.exitCode = 1;
  if (process.argv.includes('--each'))
    for (const tool of visible) console.log(`  ${encode(JSON.stringify(tool)).length}  ${JSON.stringify(tool)}`);
}

await rm(folder, { recursive: true });
