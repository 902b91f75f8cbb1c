import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createClientRoots } from '../../src/bridge/client-roots.js';

/** A connected client whose answers to `roots/list` the test gives. */
async function connect() {
  const timers = new Set<() => void>();
  const roots = createClientRoots((_, task) => {
    timers.add(task);
    return () => timers.delete(task);
  });
  const answers: ((folder: string) => void)[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { roots: { listChanged: true } } },
  );
  client.setRequestHandler(
    ListRootsRequestSchema,
    () =>
      new Promise((resolve) => {
        answers.push((folder) => resolve({ roots: [{ uri: `file://${folder}` }] }));
      }),
  );
  const { server } = new McpServer({ name: 'test', version: '1' }, {});
  roots.follow(server);
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  await expect.poll(() => answers.length).toBe(1);
  return { roots, client, answers, timers };
}

describe('the roots of a client', () => {
  it('are awaited by the first call', async () => {
    const { roots, answers, timers } = await connect();
    const first = roots.get();
    answers[0]?.('/shop');
    expect(await first).toEqual(['file:///shop']);
    expect(timers.size).toBe(0);
  });

  it('are used by later calls if they arrive too late for the first', async () => {
    const { roots, answers, timers } = await connect();
    for (const task of timers) task();
    expect(await roots.get()).toEqual([]);
    answers[0]?.('/shop');
    await expect.poll(() => roots.get()).toEqual(['file:///shop']);
  });

  it('are the latest if an earlier answer arrives last', async () => {
    const { roots, client, answers } = await connect();
    await client.sendRootsListChanged();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.('/new');
    expect(await roots.get()).toEqual(['file:///new']);
    answers[0]?.('/old');
    await client.ping(); // its answer follows the roots
    expect(await roots.get()).toEqual(['file:///new']);
  });
});
