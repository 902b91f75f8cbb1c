import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/model/event.js';
import { createLog } from '../../src/storage/vault-log.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
} from '../fakes/deterministic.js';
import { workspaceDraft } from '../fakes/events.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createMemoryCopies } from '../storage/helpers.js';
import { runs } from './runs.js';
import { keyOf } from './segments.js';
import { eventsOf, ROOT, tryPut } from './world.js';

let seeds = 90_000;

function createDevice() {
  const copies = createMemoryCopies();
  const clock = createTestClock();
  const files = createMemoryFiles(() => clock.now());
  /** All events that were written except by healing, which must not add any. */
  const written = new Map<string, LogEvent>();
  const append = files.append.bind(files);
  files.append = async (path, bytes, options) => {
    const info = await append(path, bytes, options);
    const isHealing = path.endsWith('-healed.jsonl');
    if (!isHealing)
      for (const { event } of parseSegment(bytes).lines) written.set(keyOf(event), event);
    return info;
  };
  const open = (over = files) =>
    createLog({
      files: over,
      root: ROOT,
      copies,
      clock,
      identities: createMemoryIdentities(),
      random: createTestRandom(++seeds),
      app: 'test',
      device: 'test',
      warn: () => undefined,
    });
  /** Advances the clock and runs due timers. */
  const wait = async (ms: number) => {
    clock.advance(ms);
    for (let turn = 0; turn < 60; turn++) await Promise.resolve();
  };
  return { files, written, open, wait };
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('put' as const), at: fc.nat(99) }) },
  fc.record({
    what: fc.constantFrom('remove', 'cut', 'retire', 'restart', 'wait'),
    at: fc.nat(99),
  }),
);

describe('invariant 10: healing', () => {
  it('eventually restores exactly the events of this device, even if a line retires them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { files, written, open, wait } = createDevice();
        let log = open();
        let count = 0;
        await tryPut(log, workspaceDraft(`W${++count}`));
        for (const { what, at } of steps) {
          const paths = files.paths().filter((path) => path.endsWith('.jsonl'));
          const path = paths[at % paths.length];
          const event = [...written.values()].filter(({ t }) => t === 'ws.new')[at % count];
          if (what === 'put') await tryPut(log, workspaceDraft(`W${++count}`));
          else if (what === 'remove' && path) await files.remove(path);
          else if (what === 'cut' && path)
            files.put(path, (await files.read(path))!.slice(0, at * 10));
          else if (what === 'wait') await wait(61_000);
          else if (what === 'restart') {
            await log.close();
            log = open();
          } else if (what === 'retire' && event) {
            await tryPut(log, {
              t: 'log.retire',
              e: '',
              d: { lane: 'core', w: event.w, from: event.n, to: event.n, count: 1, why: 'test' },
            });
            for (const each of files.paths()) {
              const lines = files.text(each).split('\n');
              const rest = lines.filter(
                (line) => !line.includes(`"w":"${event.w}","n":${event.n},`),
              );
              if (rest.length < lines.length) files.put(each, rest.join('\n'));
            }
          }
          await log.memory();
        }
        await log.close();
        log = open();
        await log.memory();
        await wait(61_000);
        await log.memory();
        const held = new Set((await eventsOf(files)).map(keyOf));
        expect([...held].filter((key) => !written.has(key))).toEqual([]);
        expect([...written.keys()].filter((key) => !held.has(key))).toEqual([]);
      }),
      runs(0.3),
    );
  });

  it('writes nothing into another vault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }), async (counts) => {
        const { open, wait } = createDevice();
        // the time tells the READMEs apart
        const vaults = counts.map((_, index) => createMemoryFiles(() => index));
        for (const [index, files] of vaults.entries()) {
          const log = open(files);
          for (let n = 0; n <= counts[index]!; n++)
            await tryPut(log, workspaceDraft(`V${index} W${n}`));
          await log.close();
        }
        const before = await Promise.all(vaults.map(eventsOf));
        for (const files of vaults) {
          const log = open(files);
          await log.memory();
          await wait(61_000);
          await log.close();
        }
        expect(await Promise.all(vaults.map(eventsOf))).toEqual(before);
      }),
      runs(0.1),
    );
  });
});
