import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as path from 'node:path';

const require = createRequire(import.meta.url);
const PROGRAM = path.resolve('main.js');

/** A memory server as an AI app has it: started over standard input and output, and asked by the same client as every other. */
export interface Connected {
  readonly client: Client;
  /** The texts of the answer: what a model is shown of it. */
  readonly call: (tool: string, params: Record<string, unknown>) => Promise<string>;
}

/** The command of a server that keeps its own things in `folder`, and what else it needs to be told. */
export interface Command {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function ourCommand(folder: string, ...more: string[]): Command {
  return {
    args: [
      PROGRAM,
      'mcp',
      '--vault',
      path.join(folder, 'vault'),
      '--state',
      path.join(folder, 'state'),
      ...more,
    ],
  };
}

export function serverMemoryCommand(folder: string): Command {
  const program = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
  return { args: [program], env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') } };
}

export function knowledgeGraphCommand(folder: string): Command {
  const program = require.resolve('@itseasy21/mcp-knowledge-graph/dist/index.js');
  return { args: [program, '--memory-path', path.join(folder, 'memory.jsonl')] };
}

/** Runs a task with a server, which has ended afterwards. Throws where a call fails, with its answer. */
export async function withServer<T>(
  { args, env = {} }: Command,
  task: (server: Connected) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' }),
  );
  try {
    return await task({
      client,
      async call(name, params) {
        const { content, isError } = await client.callTool({ name, arguments: params });
        const text = content
          .flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .join('\n');
        if (isError === true) throw new Error(`${name} failed: ${text}`);
        return text;
      },
    });
  } finally {
    await client.close();
  }
}

/** A state in the words of a knowledge graph: everything that is known of it, as observations. */
export function entityOf(state: Record<string, unknown>): Record<string, unknown> {
  const { name, ...facts } = state;
  return { name, entityType: 'state', observations: Object.values(facts).flat() };
}

/** Writes the memory of server-memory, as it does itself: one line for each entity. */
export async function fillServerMemory(
  folder: string,
  states: readonly Record<string, unknown>[],
): Promise<void> {
  const lines = states.map((state) => JSON.stringify({ type: 'entity', ...entityOf(state) }));
  await fs.writeFile(path.join(folder, 'memory.jsonl'), lines.join('\n'));
}
