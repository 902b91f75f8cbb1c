import { expect, it } from 'vitest';
import { PendingRequests } from '../../../src/platform/rpc/pending-requests.js';

it('a request that cannot be sent leaves neither an entry nor a timer', async () => {
  const timers = new Set<() => void>();
  const requests = new PendingRequests<string>((_, task) => {
    timers.add(task);
    return () => timers.delete(task);
  });
  let sent = 0;
  const send = (id: number) => {
    sent = id;
    throw new Error('Closed');
  };
  const timeout = { ms: 1000, error: () => new Error('Too late') };
  await expect(requests.start(send, timeout)).rejects.toThrow('Closed');
  expect([sent, requests.has(sent), timers.size]).toEqual([1, false, 0]);
});
