import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/platform/bytes/line-splitter.js';
import { DeclinedRequest, JsonRpc, type RpcProblem } from '../../../src/platform/rpc/json-rpc.js';
import { PendingRequests } from '../../../src/platform/rpc/pending-requests.js';

/** Timers that a test fires itself. */
function createTimers() {
  const timers = new Map<number, () => void>();
  let last = 0;
  return {
    timers,
    after: (_: number, task: () => void) => {
      const id = ++last;
      timers.set(id, task);
      return () => timers.delete(id);
    },
  };
}

function createSide(write: (line: string) => void, maxBytes = 1000) {
  const { timers, after } = createTimers();
  const reports: unknown[] = [];
  const others: string[] = [];
  const notified: unknown[] = [];
  const rpc = new JsonRpc({
    write,
    after,
    handlers: {
      request(method, params) {
        if (method === 'echo') return Promise.resolve(params);
        if (method === 'declined') return Promise.reject(new DeclinedRequest('Not today.'));
        if (method === 'broken') return Promise.reject(new Error('inner'));
        return undefined;
      },
      notification: (method, params) => void notified.push([method, params]),
    },
    toError: (problem: RpcProblem) => new Error(JSON.stringify(problem)),
    onOtherLine: (text) => void others.push(text),
    report: (error) => void reports.push(error),
  });
  const split = createLineSplitter(maxBytes);
  const receive = (text: string) => {
    for (const frame of split(new TextEncoder().encode(text))) rpc.receive(frame);
  };
  return { rpc, timers, receive, reports, others, notified };
}

function createPair() {
  const left = createSide((line) => queueMicrotask(() => right.receive(line)));
  const right = createSide((line) => queueMicrotask(() => left.receive(line)));
  return { left, right };
}

describe('JsonRpc', () => {
  it('answers requests of both sides, each under its own number', async () => {
    const { left, right } = createPair();
    const answers = [left, right, left].map(({ rpc }, at) => rpc.request('echo', { at }));
    expect(await Promise.all(answers)).toEqual([{ at: 0 }, { at: 1 }, { at: 2 }]);
    left.rpc.notify('told', { a: 1 });
    await left.rpc.request('echo', {});
    expect(right.notified).toEqual([['told', { a: 1 }]]);
  });

  it('rejects with what the other side says', async () => {
    const { left, right } = createPair();
    await expect(left.rpc.request('declined', {})).rejects.toThrow('Not today.');
    await expect(left.rpc.request('none', {})).rejects.toThrow('Method not found: none');
    expect(right.reports).toEqual([]);
    await expect(left.rpc.request('broken', {})).rejects.toThrow('Internal error');
    expect(right.reports).toEqual([new Error('inner')]);
  });

  it('rejects a request whose answer is late or too long, and ignores the late answer', async () => {
    const side = createSide(() => undefined, 60);
    const late = side.rpc.request('a', {}, 5000);
    const long = side.rpc.request('b', {});
    side.timers.get(1)?.();
    await expect(late).rejects.toThrow('{"kind":"timeout","ms":5000}');
    side.receive('{"jsonrpc":"2.0","id":1,"result":7}\n');
    side.receive(`{"jsonrpc":"2.0","id":2,"result":"${'x'.repeat(100)}"}\n`);
    await expect(long).rejects.toThrow('{"kind":"oversized"}');
  });

  it('refuses a request that is too long, whatever its number is here', async () => {
    const sent: string[] = [];
    const side = createSide((line) => sent.push(line), 60);
    const own = side.rpc.request('a', {});
    side.receive(`{"jsonrpc":"2.0","id":1,"method":"echo","params":"${'x'.repeat(100)}"}\n`);
    side.receive('{"jsonrpc":"2.0","id":1,"result":7}\n');
    expect(await own).toBe(7);
    expect(JSON.parse(sent[1] ?? '')).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it('reports lines that are no messages, and goes on', async () => {
    const side = createSide(() => undefined);
    const answer = side.rpc.request('a', {}, 5000);
    side.receive('Hello\n\n{"level":"info"}\n{"jsonrpc":"2.0","id":1}\n');
    expect(await answer).toBeNull();
    expect(side.others).toEqual(['Hello', '', '{"level":"info"}']);
    expect(side.timers.size).toBe(0);
  });
});

describe('PendingRequests', () => {
  it('fails all requests, and those to come, with the first error', async () => {
    const pending = new PendingRequests<number>(createTimers().after);
    const sent: number[] = [];
    const requests = [1, 2].map(() => pending.start((id) => sent.push(id)));
    expect(pending.has(2)).toBe(true);
    pending.fail(new Error('first'));
    pending.fail(new Error('second'));
    requests.push(pending.start((id) => sent.push(id)));
    const ends = await Promise.allSettled(requests);
    expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
      Array(3).fill('Error: first'),
    );
    expect([sent, pending.has(2)]).toEqual([[1, 2], false]);
  });
});
