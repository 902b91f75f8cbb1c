import { describe, expect, it } from 'vitest';
import { createLineTransport } from '../../src/bridge/stdio-transport.js';
import type { ByteChannel } from '../../src/bridge/framing.js';

function createChannel() {
  const told: string[] = [];
  let receive: (piece: Uint8Array) => void = () => undefined;
  let end: () => void = () => undefined;
  const channel: ByteChannel = {
    listen: (onData, onEnd) => ([receive, end] = [onData, onEnd]),
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
    write: () => Promise.resolve(),
    close: () => told.push('close'),
    after: () => () => undefined,
  };
  const send = (...messages: unknown[]) =>
    receive(
      new TextEncoder().encode(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    );
  return { channel, told, send, end: () => end() };
}

const call = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
const calls = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => call(from + at));

async function open() {
  const scene = createChannel();
  const transport = createLineTransport(scene.channel);
  await transport.start();
  const answer = (id: number | string) => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { ...scene, transport, answer };
}

describe('a client that has 100 calls in hand', () => {
  it('waits until one is answered', async () => {
    const { send, told, answer } = await open();
    send(...calls(99));
    expect(told).toEqual([]);
    send(call('one more'));
    expect(told).toEqual(['pause']);
    await answer(5);
    expect(told).toEqual(['pause', 'resume']);
    send(call('another'));
    expect(told).toEqual(['pause', 'resume', 'pause']);
  });

  it('waits no more when one that was cancelled has come to its end', async () => {
    const { send, told, transport, answer } = await open();
    send(...calls(100));
    transport.release(7);
    expect(told).toEqual(['pause', 'resume']);
    transport.release(7);
    await answer(7);
    send(call('one more'));
    expect(told).toEqual(['pause', 'resume', 'pause']);
  });
});

describe('a client that has gone', () => {
  it('is let go when its last call is answered, an id that was used twice counting twice', async () => {
    const { send, told, end, answer } = await open();
    send(call('same'), call('same'));
    end();
    await answer('same');
    expect(told).toEqual([]);
    await answer('same');
    expect(told).toEqual(['close']);
  });

  it('is let go when its last call was cancelled', async () => {
    const { send, told, end, transport } = await open();
    send(call(1));
    end();
    transport.release(1);
    expect(told).toEqual(['close']);
  });
});
