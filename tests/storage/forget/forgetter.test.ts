import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import type { EncodedLine } from '../../../src/storage/format/line.js';
import type { ForgetterOptions } from '../../../src/storage/forget/forgetter.js';
import { encodeStub } from '../../../src/storage/format/stub.js';
import { joinLines, lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';
import { forgedForget, forgetLine, lineRun } from './forget-events.js';
import { FOLDER, forgetterOn, SEGMENT, VAULT_ID } from './forgetter-on.js';
import { ROOT } from '../helpers.js';

const NOTHING = { rewritten: [], waiting: [], remaining: [] };
const DAY_MS = 24 * 60 * 60 * 1000;
const lines = lineRun(3);
const [first, second, third] = lines as [EncodedLine, EncodedLine, EncodedLine];
const ofSecond = forgetLine([second]);
const ofThird = forgetLine([third]);
const seal = lineOf({ t: 'log.seal', n: 4, p: third.hash, d: { count: 3 } });

/** A program whose vault and copies have three lines, the second of which is to be destroyed. */
async function destroyerOf(options: Partial<ForgetterOptions> = {}) {
  const device = forgetterOn(options);
  device.put(SEGMENT, ...lines);
  await device.copies.add(VAULT_ID, joinLines(lines), 'own');
  const key = await device.forget(ofSecond, 'own');
  return { ...device, key };
}

describe('Destroying what is due', () => {
  it('removes lines from segments, copies, the cache and what was derived from them', async () => {
    let clears = 0;
    const cache = {
      load: () => Promise.resolve([]),
      save: () => Promise.resolve(),
      clear: () => Promise.resolve(void clears++),
    };
    const device = await destroyerOf({ cache });
    const conflict = `${FOLDER}/conflict.jsonl`;
    device.put(conflict, second, third);
    const again = await device.forget(forgetLine([second, third], 'laptop'), 'agreed');

    const report = await device.forgetter.destroy();

    expect(report).toEqual({ rewritten: [SEGMENT, conflict], waiting: [], remaining: [] });
    expect(await device.contentOf()).toBe('a1 - -');
    expect(await device.contentOf(conflict)).toBe('- -');
    expect(await device.copied()).toBe('a1 - -');
    expect(clears).toBe(1);
    expect(device.told).toEqual([
      `seal core ${SEGMENT}`,
      `rewritten core ${SEGMENT}`,
      `rewritten core ${conflict}`,
      'destroy a2 a3',
    ]);
    for (const key of [device.key, again])
      expect(device.store.decisions()[key]?.appliedBy).toEqual(['app']);
    expect(device.warnings).toEqual([]);
    expect(await device.forgetter.destroy()).toEqual(NOTHING);
  });

  it('only looks up, once, whether lines are here about which nobody has decided', async () => {
    const device = forgetterOn();
    device.put(SEGMENT, first, second);
    const keys = [await device.forget(ofSecond)];
    keys.push(await device.forget(ofThird, undefined, `${FOLDER}/later.jsonl`));
    expect(await device.forgetter.destroy()).toEqual(NOTHING);
    expect(device.told).toEqual(['held']);
    expect(keys.map((key) => device.store.decisions()[key]?.isHeld)).toEqual([true, false]);
    const reads = device.files.reads.length;
    expect(reads).toBeGreaterThan(0);
    expect(await device.forgetter.destroy()).toEqual(NOTHING);
    expect([device.told, device.files.reads.length]).toEqual([['held'], reads]);
  });

  it('looks it up again once such a line is met', async () => {
    const device = forgetterOn();
    const key = await device.forget(ofSecond);
    await device.forgetter.destroy();
    expect([device.told, device.store.decisions()[key]?.isHeld]).toEqual([[], false]);
    device.put(SEGMENT, ...lines);
    device.forgets.meet([second.event]);
    await device.forgetter.destroy();
    expect([device.told, device.store.decisions()[key]?.isHeld]).toEqual([['held'], true]);
  });

  it('has lines of which there are only stubs if their content is kept outside the log', async () => {
    const keptHashes = () => Promise.resolve(new Set([second.hash]));
    const device = forgetterOn({ keptHashes });
    device.put(SEGMENT, first, encodeStub(second.event, second.hash), third);
    const key = await device.forget(ofSecond);
    await device.forgetter.destroy();
    expect(device.store.decisions()[key]?.isHeld).toBe(true);
    const other = forgetterOn();
    other.put(SEGMENT, first, encodeStub(second.event, second.hash), third);
    await other.forget(ofSecond);
    await other.forgetter.destroy();
    expect(other.store.decisions()[key]?.isHeld).toBe(false);
  });

  it('remembers the ids of what it has removed, before the lines are gone', async () => {
    const device = await destroyerOf({ seal: () => Promise.reject(new Error('EIO')) });
    await device.forgetter.destroy();
    expect(await device.contentOf()).toBe('a1 a2 a3');
    expect(device.store.decisions()[device.key]?.removed).toEqual(['a2']);
    expect([...device.forgets.removedIds]).toEqual(['a2']);
  });

  it('does nothing because of an event that is lost, and tells that less is forgotten', async () => {
    const device = await destroyerOf();
    await device.forget(ofThird, 'agreed', `${FOLDER}/lost.jsonl`);
    await device.memory.remove(`${FOLDER}/lost.jsonl`);
    await device.forgetter.destroy();
    expect(await device.contentOf()).toBe('a1 - a3');
    expect(device.told.filter((each) => !each.includes('/'))).toEqual(['lost', 'destroy a2']);
    expect(device.forgets.isHidden(third.event)).toBe(false);
  });

  it('does nothing at all if the only event that is due is lost', async () => {
    const device = forgetterOn();
    device.put(SEGMENT, ...lines);
    await device.forget(ofSecond, 'own', `${FOLDER}/lost.jsonl`);
    await device.memory.remove(`${FOLDER}/lost.jsonl`);
    expect(await device.forgetter.destroy()).toEqual(NOTHING);
    expect(device.told).toEqual(['lost']);
  });

  it('waits for an event whose file cannot be read', async () => {
    const device = await destroyerOf();
    const path = `${FOLDER}/20261120-cccccccccccc-0001.jsonl`;
    const line = lineOf({ ...ofThird.event, w: 'cccccccccccc' });
    await device.forget(line, 'agreed', path);
    await device.memory.remove(path);
    device.memory.put(`${path}.icloud`, '');
    await device.forgetter.destroy();
    expect(await device.contentOf()).toBe('a1 - a3');
    expect(device.told).not.toContain('lost');
    expect(device.forgets.isHidden(third.event)).toBe(true);
  });

  it('notes as partial, not as applied, what nothing proves', async () => {
    const device = await destroyerOf();
    const forged = await device.forget(forgedForget([third], [first]), 'agreed');
    await device.forgetter.destroy();
    expect(await device.contentOf()).toBe('a1 - a3');
    expect([...device.forgets.partial]).toEqual([forged]);
    expect(device.store.decisions()[device.key]?.appliedBy).toEqual(['app']);
    expect(device.store.decisions()[forged]?.appliedBy).toBeUndefined();
  });

  it('proves lines of the copies that the vault lacks, in each copied memory', async () => {
    const device = await destroyerOf({
      vaultIds: () => Promise.resolve(['former', VAULT_ID]),
    });
    device.memory.put(SEGMENT, '');
    await device.copies.add('former', third.bytes, 'other');
    await device.forget(forgetLine([second, third]), 'agreed');
    expect(await device.forgetter.destroy()).toEqual(NOTHING);
    expect(await device.copied()).toBe('a1 - -');
    expect(new TextDecoder().decode(await device.copies.read('former'))).not.toContain('a3');
  });

  it('works on a device without copies, a cache or anything derived', async () => {
    const device = await destroyerOf({ copies: undefined, onDestroy: undefined });
    expect(await device.forgetter.destroy()).toEqual({ ...NOTHING, rewritten: [SEGMENT] });
    expect(await device.contentOf()).toBe('a1 - a3');
    expect(device.store.decisions()[device.key]?.appliedBy).toEqual(['app']);
  });

  const failure = () => Promise.reject(new Error('The disk is full'));
  it.each<[string, () => Partial<ForgetterOptions>]>([
    ['the copies', () => ({ copies: { ...forgetterOn().copies, rewrite: failure } })],
    [
      'the cache',
      () => ({
        cache: { load: () => Promise.resolve([]), save: () => Promise.resolve(), clear: failure },
      }),
    ],
    ['what was derived', () => ({ onDestroy: failure })],
  ])('goes on, warns and is not noted as applied if %s cannot be changed', async (_, options) => {
    const device = await destroyerOf(options());
    expect((await device.forgetter.destroy()).rewritten).toEqual([SEGMENT]);
    expect(device.warnings).toEqual([
      'Forgotten entries could not be removed yet: Error: The disk is full',
    ]);
    expect(device.store.decisions()[device.key]?.appliedBy).toBeUndefined();
  });
});

describe('A segment', () => {
  const mine = (name: string) => `${FOLDER}/${name}`;
  const other = lineOf({ t: 'log.seal', w: WRITER_B, d: { count: 1 } });
  const damaged = { bytes: second.bytes.slice(0, 60) };

  it.each<[string, string, readonly { bytes: Uint8Array }[]]>([
    ['is sealed', SEGMENT, [...lines, seal]],
    ['is named after another writer than that of its last line', SEGMENT, [...lines, other]],
    [
      'is a conflict copy with text before its name',
      mine(`old 20261120-${WRITER_A}-0001.jsonl`),
      lines,
    ],
    [
      'is a conflict copy with text after its name',
      mine(`20261120-${WRITER_A}-0001.jsonl 2.jsonl`),
      lines,
    ],
    ['has another name', mine('imported.jsonl'), lines],
    ['has only a damaged form of the line', SEGMENT, [damaged]],
    ['has another name and only a damaged form', mine('conflict.jsonl'), [damaged]],
  ])('is rewritten without its writer if it %s', async (_, path, content) => {
    const device = forgetterOn({ seal: () => Promise.resolve(false) });
    device.put(mine('whole.jsonl'), ...lines);
    device.memory.put(path, joinLines(content));
    await device.forget(ofSecond, 'own');
    const { rewritten, waiting } = await device.forgetter.destroy();
    expect([rewritten.includes(path), waiting]).toEqual([true, []]);
    expect(device.memory.text(path)).not.toContain('a2');
  });

  it('is read and rewritten in every lane and folder, and other files are not touched', async () => {
    const device = await destroyerOf();
    const paths = [
      `${ROOT}/chat/2026-11/b.jsonl`,
      `${ROOT}/trace/c.jsonl`,
      mine('d.jsonl/e.jsonl'),
    ];
    const others = [mine('README.txt'), mine('~b.jsonl'), `${ROOT}/f.jsonl`];
    for (const path of [...paths, ...others]) device.put(path, ...lines);
    const { rewritten } = await device.forgetter.destroy();
    expect(new Set(rewritten)).toEqual(new Set([SEGMENT, ...paths]));
    for (const path of paths) expect(await device.contentOf(path)).toBe('a1 - a3');
    for (const path of others) expect(await device.contentOf(path)).toBe('a1 a2 a3');
    expect(device.told).toContain(`rewritten chat ${paths[0]!}`);
  });

  it('is not read if it is a link or no plain file', async () => {
    const device = await destroyerOf();
    const [pipe, link, folder] = [mine('pipe.jsonl'), mine('link.jsonl'), mine('linked')];
    for (const path of [pipe, link, `${folder}/b.jsonl`]) device.put(path, ...lines);
    const list = device.files.list.bind(device.files);
    device.files.list = async (path) =>
      (await list(path)).map((entry) => {
        if (entry.name === 'pipe.jsonl') return { ...entry, kind: 'other' };
        return entry.name.startsWith('link') ? { ...entry, isLink: true } : entry;
      });
    expect((await device.forgetter.destroy()).rewritten).toEqual([SEGMENT]);
    for (const path of [pipe, link, `${folder}/b.jsonl`])
      expect(await device.contentOf(path)).toBe('a1 a2 a3');
  });

  it('waits for its writer until the event has been known for two days', async () => {
    const device = await destroyerOf({ seal: () => Promise.resolve(false) });
    device.clock.advance(2 * DAY_MS - 1);
    const waiting = { ...NOTHING, waiting: [SEGMENT] };
    expect(await device.forgetter.destroy()).toEqual(waiting);
    expect(await device.contentOf()).toBe('a1 a2 a3');
    expect(await device.copied()).toBe('a1 - a3');
    expect(device.store.decisions()[device.key]?.appliedBy).toBeUndefined();
    await device.forget(ofThird, 'own');

    device.clock.advance(1);
    expect(await device.forgetter.destroy()).toEqual({ ...NOTHING, rewritten: [SEGMENT] });
    expect(await device.contentOf()).toBe('a1 - -');
    expect(device.store.decisions()[device.key]?.appliedBy).toEqual(['app']);
  });

  it('does not wait longer for its writer if the clock is set back', async () => {
    const device = await destroyerOf({ seal: () => Promise.resolve(false) });
    device.clock.advance(-2 * DAY_MS);
    expect(await device.forgetter.destroy()).toEqual({ ...NOTHING, rewritten: [SEGMENT] });
  });

  it('is replaced without a pause, in which another process could append to it', async () => {
    const device = forgetterOn();
    device.put(SEGMENT, ...lines);
    await device.forget(ofSecond, 'own');
    const loads = () => device.store.calls.load;
    const paused: boolean[] = [];
    const { files } = device;
    const update = files.update.bind(files);
    files.update = (path, change) =>
      update(path, async (now) => {
        const before = loads();
        const result = await change(now);
        paused.push(loads() > before);
        return result;
      });
    await device.forgetter.destroy();
    expect(paused).toEqual([false]);
  });

  it('keeps a line that its user refuses to forget before it is rewritten', async () => {
    const device = await destroyerOf({
      seal: async () => {
        await device.store.decide(device.key, { choice: 'refused' });
        return true;
      },
    });
    const more = await device.forget(ofThird, 'own');
    await device.forgetter.destroy();
    expect(more).not.toBe(device.key);
    expect(await device.contentOf()).toBe('a1 a2 -');
    expect(await device.copied()).toBe('a1 a2 -');
    expect(device.told.at(-1)).toBe('destroy a3');
    expect(device.store.decisions()[device.key]?.appliedBy).toBeUndefined();
  });

  const reason = (text: string) => [`Forgotten entries could not be removed yet: ${text}`];
  it.each<[string, () => Uint8Array | undefined, string[], string[]]>([
    ['cannot be read', () => fail(new Refusal('It is locked.')), [], []],
    ['has disappeared', () => undefined, [], []],
    ['fails', () => fail(new Error('EIO')), [SEGMENT], reason('Error: EIO')],
  ])('holds up no other if it %s meanwhile', async (_, read, waiting, warnings) => {
    const device = await destroyerOf();
    device.put(mine('other.jsonl'), ...lines);
    const readFile = device.files.read.bind(device.files);
    device.files.read = (path, from, length) =>
      path === SEGMENT && device.files.reads.includes(mine('other.jsonl'))
        ? Promise.resolve().then(read)
        : readFile(path, from, length);
    expect(await device.forgetter.destroy()).toEqual({
      rewritten: [mine('other.jsonl')],
      waiting,
      remaining: [],
    });
    expect(device.warnings).toEqual(warnings);
  });

  it('that disappears while it is rewritten is not created again', async () => {
    const device = await destroyerOf({
      seal: async (_, path) => {
        await device.memory.remove(path);
        return true;
      },
    });
    expect(await device.forgetter.destroy()).toEqual({ ...NOTHING, waiting: [SEGMENT] });
    expect(device.memory.paths()).not.toContain(SEGMENT);
    expect(device.warnings).toEqual(reason(`Refusal: ${SEGMENT} has disappeared.`));
  });
});

function fail(error: Error): never {
  throw error;
}
