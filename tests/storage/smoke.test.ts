import { expect, it } from 'vitest';
import { createLog } from '../../src/storage/log.js';
import { verify } from '../../src/storage/verify.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createMemoryIdentities, createTestClock, createTestRandom } from '../fakes/deterministic.js';
import { allWorkspaces } from '../../src/model/find.js';

it('smoke', async () => {
  const files = createMemoryFiles();
  const identities = createMemoryIdentities();
  const open = (seed: number) =>
    createLog({
      files,
      root: 'Savepoint',
      identities,
      clock: createTestClock(),
      random: createTestRandom(seed),
      app: 'savepoint/0',
      device: 'test',
      warn: (m) => {
        throw new Error(m);
      },
    });
  const log = open(1);
  const make = (name: string) =>
    log.write(() => ({ drafts: [{ t: 'ws.new', e: name, d: { name, description: 'd', rootFolder: '/', purpose: 'p' } }], answer: name }));
  await Promise.all(Array.from({ length: 500 }, (_, i) => make(`w${i}`)));
  await log.writeTrace({ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } });
  expect(allWorkspaces(await log.memory()).length).toBe(501);
  await log.close();
  const log2 = open(2);
  expect(allWorkspaces(await log2.memory()).length).toBe(501);
  expect((await log2.readTraces(await log2.traceEntries('default'))).length).toBe(1);
  const log3 = open(3);
  await log3.write(() => ({
    drafts: [{ t: 'ws.new', e: 'zz', d: { name: 'zz', description: 'd', rootFolder: '/', purpose: 'p' } }],
    answer: 1,
  }));
  await log3.close();
  expect(allWorkspaces(await log2.memory()).length).toBe(502);
  console.log(files.paths(), files.text(files.paths()[1]!).slice(0, 900), files.text(files.paths().at(-1)!));
  console.log(JSON.stringify(await verify(files, 'Savepoint'), null, 1));
});
it('vector', async () => {
  const { decodeLine, encodeLine } = await import('../../src/storage/line.js');
  const text =
    '{"v":1,"w":"rqpx3sjttkuf","n":2,"p":"1b112c35","h":"2026-11-20T04:52:58.271Z.0001","t":"set","e":"7hq2m4x9zk3vtb8d","d":{"/isArchived":true,"/preferences/tone":"dry"},"c":"53290e39"}';
  const b = new TextEncoder().encode(text);
  const r = decodeLine(b, 0, b.length);
  expect(r).toHaveProperty('event');
  if ('event' in r) expect(new TextDecoder().decode(encodeLine(r.event).bytes)).toBe(text + '\n');
});
