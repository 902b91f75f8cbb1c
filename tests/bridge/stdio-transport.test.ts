import { describe, expect, it } from 'vitest';
import { StdioTransport } from '../../src/bridge/stdio-transport.js';
import { MAX_MESSAGE_BYTES, type ByteChannel } from '../../src/bridge/framing.js';

function createChannel() {
  const events: string[] = [];
  const written: string[] = [];
  let receive: (chunk: Uint8Array) => void = () => undefined;
  let end: () => void = () => undefined;
  const channel: ByteChannel = {
    listen(onData, onEnd) {
      receive = onData;
      end = onEnd;
    },
    pause: () => events.push('pause'),
    resume: () => events.push('resume'),
    write(text) {
      written.push(text);
      return Promise.resolve();
    },
    close: () => events.push('close'),
    after: () => () => undefined,
  };
  const sendText = (text: string) => receive(new TextEncoder().encode(text));
  const send = (...messages: unknown[]) =>
    sendText(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  return { channel, events, written, send, sendText, end: () => end() };
}

const call = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
const calls = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => call(from + at));

async function open() {
  const fake = createChannel();
  const transport = new StdioTransport(fake.channel);
  await transport.start();
  const answer = (id: number | string) => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { ...fake, transport, answer };
}

describe('a client with 100 pending calls', () => {
  it('is paused until a call is answered', async () => {
    const { send, events, answer } = await open();
    send(...calls(99));
    expect(events).toEqual([]);
    send(call('one more'));
    expect(events).toEqual(['pause']);
    await answer(5);
    expect(events).toEqual(['pause', 'resume']);
    send(call('another'));
    expect(events).toEqual(['pause', 'resume', 'pause']);
  });

  it('is resumed when a cancelled call has ended', async () => {
    const { send, events, transport, answer } = await open();
    send(...calls(100));
    transport.release(7);
    expect(events).toEqual(['pause', 'resume']);
    transport.release(7);
    await answer(7);
    send(call('one more'));
    expect(events).toEqual(['pause', 'resume', 'pause']);
  });
});

describe('parameters that the SDK would refuse', () => {
  const ONLY_METHOD = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

  it.each([
    [{ cursor: null }, {}],
    [{ arguments: null }, {}],
    [
      { arguments: '{"limit":5}', cursor: 'x' },
      { arguments: { limit: 5 }, cursor: 'x' },
    ],
    [null, undefined],
    [{ arguments: { tags: null } }, { arguments: { tags: null } }],
    [{ arguments: 'no JSON' }, { arguments: 'no JSON' }],
  ])('become valid: %j', async (params, meant) => {
    const { send, transport } = await open();
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    send({ ...call(1), params });
    expect(received).toEqual([meant ? { ...call(1), params: meant } : ONLY_METHOD]);
  });
});

describe('an invalid line', () => {
  it('gets a parse error, even if it is the text "too long"', async () => {
    const { sendText, written } = await open();
    sendText('too long\n');
    expect(JSON.parse(written.join(''))).toMatchObject({
      id: null,
      error: { code: -32700, message: expect.stringContaining('not valid JSON') as string },
    });
  });

  it('gets the error "invalid request" if it is over 10 MB', async () => {
    const { sendText, written } = await open();
    sendText(`${'x'.repeat(MAX_MESSAGE_BYTES + 1)}\n`);
    expect(JSON.parse(written.join(''))).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('over 10 MB') as string },
    });
  });
});

describe('a request over 10 MB', () => {
  const filler = 'x'.repeat(MAX_MESSAGE_BYTES);

  it('gets an error with its own id, and the next request is read', async () => {
    const { sendText, written, transport } = await open();
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    for (const id of [7, 'seven']) {
      const { jsonrpc, method } = call(id);
      sendText(`${JSON.stringify({ method, params: { filler }, jsonrpc, id })}\n`);
      expect(JSON.parse(written.pop() ?? '')).toMatchObject({
        id,
        error: { code: -32600, message: expect.stringContaining('over 10 MB') as string },
      });
    }
    sendText(`${JSON.stringify(call(8))}\n`);
    expect(received).toEqual([call(8)]);
  });

  it('gets the id null if it is a response, whose id belongs to the server', async () => {
    const { sendText, written } = await open();
    sendText(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { filler } })}\n`);
    expect(JSON.parse(written.join(''))).toMatchObject({ id: null });
  });
});

describe('a client that has disconnected', () => {
  it('is closed when its last call is answered', async () => {
    const { send, events, end, answer } = await open();
    send(call('same'), call('same'));
    end();
    await answer('same');
    expect(events).toEqual([]);
    await answer('same');
    expect(events).toEqual(['close']);
  });

  it('is closed when its last call was cancelled', async () => {
    const { send, events, end, transport } = await open();
    send(call(1));
    end();
    transport.release(1);
    expect(events).toEqual(['close']);
  });
});
