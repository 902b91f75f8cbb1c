import { afterEach, expect, it } from 'vitest';
import { answerOf } from '../fakes/answer-of.js';
import { callOn } from '../fakes/surface-calls.js';
import { closeClients, openOn } from './surface-client.js';

afterEach(closeClients);

const LISTED = { full: 'searchContent', actions: 'search' } as const;

it.each(['full', 'actions'] as const)('sends found notes once, as text, on %s', async (surface) => {
  const { vault, client } = await openOn(surface);
  const { tools } = await client.listTools();
  expect(tools.filter(({ outputSchema }) => !outputSchema).map(({ name }) => name)).toEqual(
    expect.arrayContaining([LISTED[surface]]),
  );
  for (const params of [{ query: 'beds' }, { query: '-' }]) {
    const result = await client.callTool(callOn(surface, 'searchContent', params));
    const answer = await vault.call('searchContent', params);
    expect(result).toMatchObject({ content: [{ type: 'text' }], isError: !answer.success });
    expect(result).not.toHaveProperty('structuredContent');
    expect(answerOf(result)).toEqual(answer);
  }
});

it.each(['full', 'actions'] as const)('sends other answers twice on %s', async (surface) => {
  const { client } = await openOn(surface);
  for (const [tool, params] of [
    ['searchMemory', { query: 'beds' }],
    ['listStates', {}],
  ] as const) {
    const { content, structuredContent } = await client.callTool(callOn(surface, tool, params));
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  }
});
