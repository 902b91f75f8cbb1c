import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { answerOf } from './answer-of.js';
import type { Scene } from './live-plugin.js';
import { nodeArgs } from './program.js';

export interface ProcessOptions {
  readonly cwd: string;
  readonly name?: string;
  readonly roots?: readonly string[];
  readonly env?: Record<string, string>;
}

/** Starts a process for a client that works in a folder. */
export async function start({ vault, state }: Scene, options: ProcessOptions) {
  const { cwd, name = 'test', roots, env = {} } = options;
  const client = new Client({ name, version: '1' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: nodeArgs('mcp', '--vault', vault, '--state', state),
      cwd,
      env,
      stderr: 'inherit',
    }),
  );
  onTestFinished(() => client.close());
  return {
    client,
    call: async (tool: string, params: object = {}, meta?: object) => {
      const request = { name: tool, arguments: { ...params }, ...(meta && { _meta: { ...meta } }) };
      return answerOf(await client.callTool(request));
    },
    end: () => client.close(),
  };
}
