import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { installTools } from '../../scripts/install-tools.mjs';

const PROGRAM = path.resolve('main.js');

/**
 * A memory server started over standard input and output, as an AI app does, and called by the same
 * client as the others.
 */
export interface Connected {
  readonly client: Client;
  /** Returns the texts of the answer, as a model sees them. */
  readonly call: (tool: string, params: Record<string, unknown>) => Promise<string>;
}

/** Node's arguments and the environment that start a server. */
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
      '--create',
      ...more,
    ],
  };
}

/** Returns the path of a program that this is compared with. */
const peer = (name: string) => path.join(installTools('benchmarks'), name);

export function serverMemoryCommand(folder: string): Command {
  const program = peer('@modelcontextprotocol/server-memory/dist/index.js');
  return { args: [program], env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') } };
}

export function knowledgeGraphCommand(folder: string): Command {
  const program = peer('@itseasy21/mcp-knowledge-graph/dist/index.js');
  return { args: [program, '--memory-path', path.join(folder, 'memory.jsonl')] };
}

/** Runs a task with a server, then stops the server. A failed call throws its answer. */
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

/** Returns a state as a knowledge graph entity, with its fields as observations. */
export function entityOf(state: Record<string, unknown>): Record<string, unknown> {
  const { name, ...facts } = state;
  return { name, entityType: 'state', observations: Object.values(facts).flat() };
}

/** Writes server-memory's file in its own format, one line per entity. */
export async function fillServerMemory(
  folder: string,
  states: readonly Record<string, unknown>[],
): Promise<void> {
  const lines = states.map((state) => JSON.stringify({ type: 'entity', ...entityOf(state) }));
  await fs.writeFile(path.join(folder, 'memory.jsonl'), lines.join('\n'));
}
