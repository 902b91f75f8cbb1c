import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/model/event.js';
import { allStates } from '../../src/model/lookup.js';
import { emptyMemory, entityOf, fold, registerOf } from '../../src/model/memory.js';
import { mapEntries } from '../../src/model/persistent-map.js';
import { Refusal } from '../../src/model/refusal.js';
import { stateData, canonicalStateText } from '../../src/model/state.js';
import { FileChangedError } from '../../src/platform/files.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { sha256 } from '../../src/platform/sha256.js';
import { canonicalMemory } from '../fakes/canonical.js';
import {
  clockText,
  contentOf,
  eventOf,
  joinLines,
  lineOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../fakes/events.js';
import type { MemoryFiles } from '../fakes/memory-files.js';
import { runs } from './runs.js';
import {
  createDevice,
  DAY,
  eventsOf,
  openLog,
  ROOT,
  snapshot,
  sync,
  syncAll,
  tryPut,
  type Device,
} from './world.js';

const LONG = 70_000;

/**
 * An action of a device or an event that affects it. `device` is taken modulo the number of
 * devices.
 */
const step = fc.record({
  device: fc.nat(2),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('put' as const) },
    { weight: 2, arbitrary: fc.constant('put many' as const) },
    fc.constantFrom(
      'put long',
      'trace',
      'close',
      'kill',
      'next day',
      'sync',
      'disk full',
      'torn write',
      'all written, then an error',
    ),
  ),
});

type What = typeof step extends fc.Arbitrary<{ what: infer W }> ? W : never;

const steps = fc.array(step, { minLength: 1, maxLength: 14 });

let names = 0;

function newDraft(padding = 0): Draft {
  const name = `N${++names}`;
  return workspaceDraft(name, `ws-${name}`, { purpose: 'p'.repeat(padding) });
}

/** Lets the next append write a part of its bytes and then fail. */
function failNext({ watched, files }: Device, keep: (length: number) => number): void {
  watched.beforeAppend = async (path, bytes) => {
    watched.beforeAppend = () => undefined;
    const before = (await files.read(path)) ?? new Uint8Array();
    const kept = bytes.slice(0, keep(bytes.length));
    if (kept.length > 0) files.put(path, Uint8Array.from([...before, ...kept]));
    throw new Refusal('The disk failed.');
  };
}

/** Runs a step, and returns the acknowledged ids. */
async function take(
  devices: readonly Device[],
  { device: index, what }: { device: number; what: What },
): Promise<string[]> {
  const device = devices[index % devices.length]!;
  const { log, clock } = device;
  const put = async (...drafts: Draft[]) =>
    (await tryPut(log, ...drafts)) ? drafts.map(({ e }) => e) : [];
  switch (what) {
    case 'put':
      return put(newDraft());
    case 'put many':
      return (
        await Promise.all([put(newDraft()), put(newDraft(), newDraft()), put(newDraft(20_000))])
      ).flat();
    case 'put long':
      return put(newDraft(LONG));
    case 'trace':
      await log
        .writeTrace({ t: 'trace.new', e: `t${++names}`, d: { ws: 'default', tool: 't' } })
        .catch(() => undefined);
      return [];
    case 'close':
    case 'kill':
      await device.restart(what === 'kill');
      return [];
    case 'next day':
      clock.advance(DAY);
      await log.memory(); // also writes due watermarks
      return [];
    case 'sync':
      await sync(device, devices[(index + 1) % devices.length]!);
      return [];
    case 'disk full':
      failNext(device, () => 0);
      return put(newDraft());
    case 'torn write':
      failNext(device, (length) => length >> 1);
      return put(newDraft());
    default:
      failNext(device, (length) => length);
      return put(newDraft());
  }
}

describe('invariant 1: an acknowledged write', () => {
  it('is read by every device after sync, and verify finds it intact', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const devices = [createDevice(), createDevice(3 * DAY), createDevice(-3 * DAY)];
        const acknowledged: string[] = [];
        for (const each of history) acknowledged.push(...(await take(devices, each)));
        await syncAll(devices);
        const memories = await Promise.all(devices.map(({ log }) => log.memory()));
        for (const memory of memories) {
          expect(acknowledged.filter((id) => !entityOf(memory, id).created)).toEqual([]);
          expect(canonicalMemory(memory)).toEqual(canonicalMemory(memories[0]!));
        }
        const fresh = await openLog(devices[0]!.files).memory();
        expect(canonicalMemory(fresh)).toEqual(canonicalMemory(memories[0]!));
        for (const { log } of devices) await log.close();
        await syncAll(devices);
        const now = Math.max(...devices.map(({ clock }) => clock.now()));
        const reports = await Promise.all(devices.map(({ files }) => verify(files, ROOT, { now })));
        for (const { isWhole, digest } of reports)
          expect({ isWhole, digest }).toEqual({ isWhole: true, digest: reports[0]!.digest });
      }),
      runs(0.25),
    );
  });
});

describe('invariant 4: a segment', () => {
  it('has one writer, only grows, and is final once sealed', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const devices = [createDevice(), createDevice()];
        const broken: string[] = [];
        for (const { watched, files } of devices) {
          const append = watched.append.bind(watched);
          watched.append = async (path, bytes, options) => {
            const before = (await files.read(path)) ?? new Uint8Array();
            if (path.endsWith('.jsonl')) {
              const old = parseSegment(before).lines.map(({ event }) => event);
              const added = parseSegment(bytes).lines.map(({ event }) => event);
              if (new Set([...old, ...added].map(({ w }) => w)).size !== 1)
                broken.push(`several writers in ${path}`);
              if (old.at(-1)?.t === 'log.seal') broken.push(`more behind the seal of ${path}`);
              if ((options.expect === 'new') !== (before.length === 0))
                broken.push(`an unexpected ${path}`);
            }
            return append(path, bytes, options);
          };
          watched.remove = async (path) => {
            if ((await files.read(path))?.length !== 0) broken.push(`removed ${path}`);
            await files.remove(path);
          };
        }
        for (const each of history) {
          const before = await Promise.all(devices.map(({ files }) => snapshot(files)));
          await take(devices, each);
          const after = await Promise.all(
            devices.map(async ({ files }) => new Map(await snapshot(files))),
          );
          for (const [at, vault] of before.entries()) {
            for (const [path, bytes] of vault)
              expect(after[at]!.get(path)?.startsWith(bytes)).toBe(true);
          }
        }
        expect(broken).toEqual([]);
      }),
      runs(0.25),
    );
  });
});

type Harm = (device: Device, path: string, bytes: Uint8Array) => Promise<void> | void;

/** Changes that other programs make to a segment. */
const harms: Record<string, Harm> = {
  'cut off': ({ files }, path, bytes) => files.put(path, bytes.slice(0, -30)),
  'cut at a line': ({ files }, path, bytes) =>
    files.put(path, bytes.slice(0, bytes.lastIndexOf(0x0a, -2) + 1)),
  'taken away': ({ files }, path) => files.remove(path),
  'replaced by a copy': async ({ files }, path, bytes) => {
    await files.remove(path);
    files.put(path, bytes);
  },
  'made longer': ({ files }, path, bytes) => files.put(path, Uint8Array.from([...bytes, 0x0a])),
  'changed in its last line': ({ files }, path, bytes) =>
    files.put(
      path,
      bytes.map((byte, at) => (at === bytes.length - 40 ? byte ^ 1 : byte)),
    ),
  'copied under another name': ({ files }, path, bytes) =>
    files.put(path.replace('.jsonl', ' (1).jsonl'), bytes),
};

describe('invariant 5: a sequence number of a writer', () => {
  it('is written once, despite failures and changes by other programs', async () => {
    const harm = fc.record({ device: fc.nat(1), what: fc.constantFrom(...Object.keys(harms)) });
    const memory = fc.record({ device: fc.nat(1), what: fc.constantFrom('remember', 'restore') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: step }, harm, memory), {
          minLength: 2,
          maxLength: 16,
        }),
        async (history) => {
          const devices = [createDevice(), createDevice()];
          const tried = new Map<string, string>();
          const twice: string[] = [];
          for (const device of devices) {
            const append = device.watched.append.bind(device.watched);
            device.watched.append = (path, bytes, options) => {
              for (const { event } of parseSegment(bytes).lines) {
                const number = `${event.w} ${event.n}`;
                if ((tried.get(number) ?? event.c) !== event.c) twice.push(number);
                tried.set(number, event.c);
              }
              return append(path, bytes, options);
            };
            await device.restart(true);
          }
          const remembered = new Map<Device, Map<string, unknown[]>>();
          for (const { device: index, what } of history) {
            const device = devices[index % devices.length]!;
            const { records } = device.identities;
            if (what === 'remember')
              remembered.set(device, new Map([['core', [...(records.get('core') ?? [])]]]));
            else if (what === 'restore')
              records.set('core', [...((remembered.get(device)?.get('core') ?? []) as never[])]);
            else if (what in harms) {
              const path = device.files.paths().findLast((each) => each.includes('/core/'));
              const bytes = path !== undefined && (await device.files.read(path));
              if (bytes && bytes.length > 60) await harms[what]!(device, path, bytes);
            } else await take(devices, { device: index, what: what as What });
          }
          expect(twice).toEqual([]);
        },
      ),
      runs(0.3),
    );
  });
});

describe('invariant 6: a causally later edit', () => {
  it('wins, even with wrong clocks', async () => {
    const edit = fc.record({
      device: fc.nat(2),
      from: fc.option(fc.nat(2)),
      drift: fc.integer({ min: -DAY, max: DAY }),
    });
    const skew = fc.integer({ min: -30 * DAY, max: 30 * DAY });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(skew, skew, skew),
        fc.array(edit, { minLength: 2, maxLength: 10 }),
        async (skews, edits) => {
          const devices = skews.map((each) => createDevice(each));
          /** For each edit, the earlier edits that its device had seen. */
          const seenBy: Set<number>[] = [];
          const seen = devices.map(() => new Set<number>());
          for (const [index, { device: at, from, drift }] of edits.entries()) {
            const device = devices[at]!;
            if (from !== null && from !== at) {
              await sync(devices[from]!, device);
              for (const each of seen[from]!) seen[at]!.add(each);
            }
            device.clock.set(device.clock.now() + drift);
            await device.log.memory();
            await tryPut(device.log, { t: 'set', e: 'ws', d: { '/purpose': index } });
            seenBy.push(new Set(seen[at]));
            seen[at]!.add(index);
          }
          await syncAll(devices);
          const memory = await devices[0]!.log.memory();
          const winner = registerOf(entityOf(memory, 'ws'), '/purpose');
          expect(seenBy.filter((before) => before.has(winner as number))).toEqual([]);
        },
      ),
      runs(0.3),
    );
  });
});

describe('invariant 12: states and creations', () => {
  it('never change or disappear, despite later edits', () => {
    const path = fc.constantFrom(
      '/name',
      '/conversationContext',
      '/activeTask',
      '/activeFiles/0',
      '/nextSteps',
      '/sha',
      '/ws',
      '',
      '/',
    );
    const value = fc.oneof(fc.string(), fc.constant(null), fc.constant(['x']));
    const change = fc.record({
      t: fc.constantFrom('set', 'state.new', 'ws.new', 'set'),
      path,
      value,
      minute: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), (changes) => {
        const content = contentOf('Save');
        const d = stateData('default', content, 'sha');
        const creation = eventOf({ t: 'state.new', e: 'st', h: clockText(0), d });
        const other: Draft['d'] = { ...d, name: 'Other', conversationContext: 'Changed' };
        const later = changes.map(({ t, path: to, value: set, minute }, n) =>
          eventOf({
            t,
            w: WRITER_B,
            n: n + 1,
            e: 'st',
            h: clockText(minute),
            d:
              t === 'set'
                ? ({ [to]: set } as Draft['d'])
                : t === 'ws.new'
                  ? workspaceDraft('W').d
                  : other,
          }),
        );
        const states = allStates(fold(emptyMemory, [...later, creation]), 'default');
        expect(states.map(({ item }) => item)).toMatchObject([content]);
      }),
      runs(),
    );
  });

  it('stay unchanged in every memory and on every disk', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const devices = [createDevice(), createDevice()];
        const seen = devices.map(() => new Map<string, string>());
        for (const each of history) {
          await take(devices, each);
          for (const [index, { log, files }] of devices.entries()) {
            const held = new Map(
              (await eventsOf(files)).map(({ w, n, c }) => [`${w} ${n} ${c}`, true]),
            );
            const created = [...mapEntries((await log.memory()).entities)].flatMap(
              ([id, entity]) => (entity.created ? [[id, entity.created] as const] : []),
            );
            for (const [id, creation] of created) {
              const text = JSON.stringify([
                creation.h,
                creation.w,
                creation.n,
                creation.c,
                creation.d,
              ]);
              expect(seen[index]!.get(id) ?? text).toBe(text);
              seen[index]!.set(id, text);
              if (creation.w !== '')
                expect(held.has(`${creation.w} ${creation.n} ${creation.c}`)).toBe(true);
            }
            expect(seen[index]!.size).toBe(created.length);
          }
        }
      }),
      runs(0.1),
    );
  });

  it('match the hash that they were saved with', async () => {
    const text = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), fc.array(text), async (name, activeFiles, tags) => {
        const content = contentOf(name, { activeFiles, tags });
        const sha = await sha256(canonicalStateText(content));
        const device = createDevice();
        await tryPut(device.log, {
          t: 'state.new',
          e: 'st',
          d: stateData('default', content, sha),
        });
        const [shown] = allStates(await openLog(device.files).memory(), 'default');
        expect(await sha256(canonicalStateText(shown!.item))).toBe(sha);
      }),
      runs(0.2),
    );
  });
});

/**
 * Returns the bytes of every file without seals, since even a refused write seals a segment of an
 * earlier day.
 */
async function withoutSeals(files: MemoryFiles): Promise<[string, string][]> {
  return (await snapshot(files)).map(([path, bytes]) => [
    path,
    bytes.replace(/^.*"t":"log\.seal".*\n/m, ''),
  ]);
}

describe('invariant 13: a refused write', () => {
  it('leaves memory and disk unchanged, and is reported', async () => {
    const refusal = fc.constantFrom(
      'disk full',
      'changed for good',
      'too long',
      'decided against',
      'bug',
    );
    await fc.assert(
      fc.asyncProperty(steps, refusal, fc.nat(3), async (history, kind, more) => {
        const device = createDevice();
        for (const each of history) await take([device], each);
        const { log, files, watched } = device;
        const before = [canonicalMemory(await log.memory()), await withoutSeals(files)];
        watched.beforeAppend = () => {
          if (kind === 'disk full') throw new Refusal('The disk is full.');
          if (kind === 'changed for good') throw new FileChangedError('Changed');
        };
        const drafts = [
          newDraft(kind === 'too long' ? 1024 * 1024 : 0),
          ...Array.from({ length: more }, () => newDraft()),
        ];
        const write = log.write(() => {
          if (kind === 'decided against') throw new Refusal('No.');
          if (kind === 'bug') throw new TypeError('A bug');
          return { drafts, answer: undefined };
        });
        await expect(write).rejects.toThrow(kind === 'bug' ? TypeError : Refusal);
        watched.beforeAppend = () => undefined;
        const after = [canonicalMemory(await log.memory()), await withoutSeals(files)];
        expect(after).toEqual(before);
        expect(await tryPut(log, newDraft())).toBe(true);
      }),
      runs(0.25),
    );
  });
});

describe('invariant 11: an event of an unknown type or version', () => {
  it('stays on disk byte for byte, and is read with all its fields', async () => {
    const foreign = fc.record({
      v: fc.constantFrom(1, 1, 2, 9),
      t: fc.constantFrom('thing.new', 'state.new', 'ws.new', 'set', 'log.other', ''),
      d: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(foreign, { minLength: 1, maxLength: 4 }),
        steps,
        async (things, history) => {
          const device = createDevice();
          const path = `${ROOT}/core/foreign.jsonl`;
          const lines = things.map(({ v, t, d }, n) =>
            lineOf({
              v,
              t,
              w: WRITER_A,
              n: n + 1,
              e: 'x',
              h: clockText(n),
              d: JSON.parse(JSON.stringify(d)) as Draft['d'],
            }),
          );
          const text = lines.map(({ event }) => JSON.stringify(event)).join('\n');
          const bytes = joinLines(lines);
          device.files.put(path, bytes);
          for (const each of history) await take([device], each);
          expect(Buffer.compare((await device.files.read(path))!, bytes)).toBe(0);
          const read = parseSegment((await device.files.read(path))!).lines.map(
            ({ event: { v, w, n, p, h, t, e, d, c } }) => ({
              v,
              w,
              n,
              p,
              h,
              t,
              e,
              d,
              c,
            }),
          );
          expect(read.map((event) => JSON.stringify(event)).join('\n')).toBe(text);
        },
      ),
      runs(0.2),
    );
  });
});
