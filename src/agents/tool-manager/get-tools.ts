import * as z from 'zod';
import { didYouMean } from '../../model/names.js';
import { succeed } from '../../toolkit/answer.js';
import { inputSchema } from '../../toolkit/schema.js';
import type { Catalog } from '../relay.js';
import { defineRelay } from '../services.js';

export const createGetTools = (catalog: Catalog) =>
  defineRelay({
    name: 'getTools',
    title: 'Get tools',
    access: 'read',
    description:
      "Without names, list all available tools. With names, return those tools' input schemas (for useTools).",
    input: z.strictObject({ tools: z.array(z.string()).optional() }),
    output: z.array(
      z.object({
        agent: z.string(),
        tool: z.string(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.json()).optional(),
      }),
    ),
    failures: {
      unknown: {
        error: 'Tool "{name}" does not exist.',
        advice: 'Use getTools without names to list all tools.{hint}',
      },
    },
    examples: [
      {
        title: 'One schema',
        params: { tools: ['loadState'] },
        data: [{ agent: 'memoryManager', tool: 'loadState', inputSchema: { type: 'object' } }],
      },
      { title: 'All tools', params: {} },
    ],
    run({ tools: names }, { defaults, fail }) {
      const available = catalog(defaults.toolsets);
      const known = available.map(({ tool }) => tool.name);
      const unknown = names?.find((name) => !known.includes(name));
      if (unknown !== undefined)
        fail('unknown', { name: unknown, hint: didYouMean(unknown, known) });
      const selected = available.filter(
        ({ tool }) => names === undefined || names.includes(tool.name),
      );
      const rows = selected.map(({ toolset, tool }) => ({
        agent: toolset,
        tool: tool.name,
        description: tool.description,
        ...(names && { inputSchema: inputSchema(tool) }),
      }));
      return Promise.resolve(succeed(rows));
    },
  });
