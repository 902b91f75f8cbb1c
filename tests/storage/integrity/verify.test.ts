import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Draft, Json, JsonObject, LogEvent } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import { CHAIN_START } from '../../../src/storage/format/line-hash.js';
import type { LaneName } from '../../../src/storage/format/lanes.js';
import { dismissFormer } from '../../../src/storage/copies/copies.js';
import { findingsOf, unknownWriters } from '../../../src/storage/integrity/findings.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import type { VerifyReport } from '../../../src/storage/integrity/verify-report.js';
import {
  dismissMissing,
  type WriterReport,
} from '../../../src/storage/integrity/writer-reports.js';
import { START_TIME } from '../../fakes/deterministic.js';
import {
  clockText,
  deepLine,
  joinLines,
  lineOf,
  linesOf,
  stateDraft,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
  type EventFields,
} from '../../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';
import { twinOf } from '../../simulation/forge.js';
import {
  createMemoryCopies,
  createVault,
  put,
  putWorkspace,
  ROOT,
  segmentsIn,
} from '../helpers.js';

const PATH = `${ROOT}/core/2026-11/a.jsonl`;
const LINES = linesOf(['One', 'Two', 'Three', 'Four', 'Five'].map((name) => workspaceDraft(name)));

const TRACE_PATH = `${ROOT}/trace/2026-11/a.jsonl`;
const TRACES = linesOf(
  LINES.map((_, at) => ({ t: 'trace.new', e: `t${at}`, d: { ws: 'default', tool: 't' } })),
);

function filesWith(...parts: [string, Uint8Array][]): MemoryFiles {
  const files = createMemoryFiles();
  for (const [path, bytes] of parts) files.put(path, bytes);
  return files;
}

const DAY = 24 * 60 * 60_000;

function check(files: MemoryFiles): Promise<VerifyReport> {
  return verify(files, ROOT, { now: START_TIME });
}

/** Returns consecutive lines of a writer, each linked to its predecessor. */
function chain(w: string, ...fields: EventFields[]) {
  let p = CHAIN_START;
  return fields.map((each, at) => {
    const line = lineOf({ w, n: at + 1, p, ...each });
    p = line.hash;
    return line;
  });
}

/** Returns a file of `WRITER_B`. */
function byB(...fields: EventFields[]): Uint8Array {
  return joinLines(chain(WRITER_B, ...fields));
}

/** Returns the report on one writer. */
function of(report: VerifyReport, writer: string): WriterReport | undefined {
  return report.writers.find((each) => each.writer === writer);
}

/** A watermark; a value that is a number stands for an event without a hash. */
function watermark(seen: JsonObject, lane: LaneName = 'core'): EventFields {
  const writers = Object.entries(seen).map(([writer, value]): [string, Json] => [
    writer,
    typeof value === 'number' ? [value] : value,
  ]);
  return { t: 'log.mark', d: { seen: { [lane]: Object.fromEntries(writers) } } };
}

function retire(d: JsonObject): EventFields {
  return { t: 'log.retire', d: { lane: 'trace', file: 'x', why: 'old', ...d } };
}

describe('verify', () => {
  it('names the file and the day next to missing events', async () => {
    const files = filesWith([PATH, joinLines(LINES.filter((_, at) => at !== 2))]);
    const { writers } = await check(files);
    expect(writers[0]).toMatchObject({ missing: [[3, 3]], missingNear: { path: PATH } });
    const [finding] = findingsOf(await check(files));
    expect(finding?.places[0]?.detail).toMatch(/^3, next to an event of 2026-11-\d\d in /);
    expect(finding?.places[0]?.detail).toContain(PATH);
  });

  it('names devices with another system if all that is here was created with this one', async () => {
    const opened = (w: string, device: string) =>
      lineOf({ t: 'log.seg', w, d: { fmt: 1, app: 'x', device } });
    const [own, other] = [opened(WRITER_A, 'mac-1a2b'), opened(WRITER_B, 'ios-3c4d')];
    const state = lineOf({ ...(await stateDraft('Plan')), w: WRITER_A, n: 2, p: own.hash });
    const silentIn = async (system: string, ...more: { readonly bytes: Uint8Array }[]) => {
      const files = filesWith([PATH, joinLines([own, state, other, ...more] as never)]);
      return (await verify(files, ROOT, { now: START_TIME, system })).silent;
    };
    expect(await silentIn('mac')).toEqual(['ios-3c4d']);
    expect(await silentIn('ios')).toEqual([]);
    const theirs = lineOf({ ...(await stateDraft('Other')), w: WRITER_B, n: 2, p: other.hash });
    expect(await silentIn('mac', theirs)).toEqual([]);
  });

  it('reports an empty folder as intact', async () => {
    expect(await check(createMemoryFiles())).toMatchObject({
      events: 0,
      writers: [],
      problems: [],
      isWhole: true,
    });
  });

  it("reports each writer's events, and no problems in an intact log", async () => {
    const { files, open } = createVault();
    const log = open({ device: 'linux-1a2b' });
    for (let i = 0; i < 20; i++) await putWorkspace(log, `Plan ${i}`, 8000);
    await put(log, await stateDraft('Save'));
    await log.writeTrace({ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } });
    await putWorkspace(open({ device: 'mac-3c4d' }), 'Other');
    await log.memory();
    await log.close();
    const report = await check(files);
    expect(report).toMatchObject({ problems: [], isWhole: true });
    expect(report.writers.map(({ lane, device }) => `${lane} ${device}`).sort()).toEqual([
      'core linux-1a2b',
      'core mac-3c4d',
      'trace linux-1a2b',
    ]);
    for (const writer of report.writers)
      expect(writer).toMatchObject({ held: writer.claimed, missing: [], retired: 0, forks: 0 });
    expect(report.events).toBe(report.writers.reduce((sum, { held }) => sum + held, 0));
  });

  it("reports gaps in a writer's numbers", async () => {
    const report = await check(filesWith([PATH, joinLines([LINES[1]!, LINES[4]!])]));
    expect(of(report, WRITER_A)).toMatchObject({
      held: 2,
      claimed: 5,
      missing: [
        [1, 1],
        [3, 4],
      ],
    });
    expect(report.isWhole).toBe(false);
  });

  it('reports a lost tail and a lost file that a watermark mentions', async () => {
    const tail = await check(
      filesWith(
        [PATH, joinLines(LINES.slice(0, 3))],
        [`${PATH}2.jsonl`, byB(watermark({ [WRITER_A]: 5 }))],
      ),
    );
    expect(of(tail, WRITER_A)).toMatchObject({ held: 3, claimed: 5, missing: [[4, 5]] });
    const all = await check(filesWith([PATH, byB(watermark({ [WRITER_A]: 5 }))]));
    expect(of(all, WRITER_A)).toMatchObject({
      lane: 'core',
      device: '',
      held: 0,
      claimed: 5,
      missing: [[1, 5]],
    });
    const last = await check(
      filesWith(
        [PATH, joinLines(LINES.slice(0, 4))],
        [`${PATH}2.jsonl`, byB(watermark({ [WRITER_A]: 5 }))],
      ),
    );
    expect(of(last, WRITER_A)).toMatchObject({ missing: [[5, 5]] });
    expect([tail.isWhole, all.isWhole]).toEqual([false, false]);
  });

  it('takes numbers only from watermarks, and device names only from `log.seg`', async () => {
    const lines = [
      lineOf({ t: 'log.seg', d: { device: 'mine' } }),
      lineOf({
        t: 'thing.new',
        n: 2,
        h: clockText(1),
        d: { device: 'other', seen: { [WRITER_A]: 9 } },
      }),
      lineOf({ t: 'log.seg', n: 3, h: clockText(2), d: { device: 5 } }),
    ];
    expect((await check(filesWith([PATH, joinLines(lines)]))).writers).toMatchObject([
      { device: 'mine', claimed: 3, missing: [] },
    ]);
  });

  it('compares each device by its watermarks in the core lane', async () => {
    const { files, open } = createVault();
    await putWorkspace(open({ device: 'linux-1a2b' }), 'One');
    await putWorkspace(open({ device: 'mac-3c4d' }), 'Two');
    expect((await check(files)).devices).toMatchObject([{ device: 'mac-3c4d' }]);
    const [first, second] = await segmentsIn(files);
    const elsewhere = filesWith(
      [`${ROOT}/trace/a.jsonl`, first!.bytes],
      [`${ROOT}/trace/b.jsonl`, second!.bytes],
    );
    expect((await check(elsewhere)).devices).toEqual([]);
  });

  it('sorts problems by path, then by offset', async () => {
    const damaged = new TextEncoder().encode('rubbish\n');
    const newer = lineOf({ t: 'thing.new', v: 2 });
    const [a, b] = [`${ROOT}/core/a.jsonl`, `${ROOT}/core/b.jsonl`];
    const other = lineOf({ t: 'thing.new', v: 2, w: WRITER_B });
    const report = await check(
      filesWith(
        [b, joinLines([{ bytes: damaged }, other])],
        [a, joinLines([newer, { bytes: damaged }])],
      ),
    );
    expect(report.problems).toEqual([
      { kind: 'newer', path: a, from: 0 },
      { kind: 'damaged', path: a, from: newer.bytes.length },
      { kind: 'damaged', path: b, from: 0 },
      { kind: 'newer', path: b, from: damaged.length },
    ]);
  });

  it("detects a deleted file that another device's watermark mentions", async () => {
    const { files, open } = createVault();
    await putWorkspace(open(), 'Lost');
    const [lost] = await segmentsIn(files);
    await putWorkspace(open(), 'Kept');
    await files.remove(lost!.path);
    const report = await check(files);
    expect(report.isWhole).toBe(false);
    expect(of(report, lost!.events[0]!.w)).toMatchObject({ held: 0, missing: [[1, 3]] });
  });

  it('counts retired events neither as held nor as missing', async () => {
    const gone = await check(
      filesWith(
        [TRACE_PATH, joinLines(TRACES.slice(2))],
        [PATH, byB(retire({ w: WRITER_A, from: 1, to: 2 }))],
      ),
    );
    expect(of(gone, WRITER_A)).toMatchObject({ held: 3, claimed: 5, missing: [], retired: 2 });
    expect(gone.isWhole).toBe(true);
  });

  it('counts a writer whose events are all retired as intact', async () => {
    const bytes = byB(
      watermark({ [WRITER_A]: 5 }, 'trace'),
      retire({ w: WRITER_A, from: 1, to: 5 }),
    );
    const report = await check(filesWith([PATH, bytes]));
    expect(of(report, WRITER_A)).toMatchObject({ held: 0, claimed: 5, missing: [], retired: 5 });
    expect(report.isWhole).toBe(true);
  });

  it('counts a retired tail as intact, and doubly retired events once', async () => {
    const bytes = byB(
      retire({ w: WRITER_A, from: 4, to: 8 }),
      retire({ w: WRITER_A, from: 6, to: 9 }),
    );
    const report = await check(
      filesWith([TRACE_PATH, joinLines(TRACES.slice(0, 3))], [PATH, bytes]),
    );
    expect(of(report, WRITER_A)).toMatchObject({ held: 3, claimed: 9, missing: [], retired: 6 });
  });

  it.each<[string, JsonObject, string?]>([
    ['names lines that are younger than any limit', { from: 1, to: 2 }],
    ['is older than the lines', { from: 1, to: 5, why: 'size' }, '2026-01-01T00:00:00.000Z.0000'],
    ['names more lines than a segment has', { from: 6, to: 1006 }],
  ])('reports a retirement that %s, and holds the same', async (_, d, h) => {
    const traces: [string, Uint8Array] = [TRACE_PATH, joinLines(TRACES)];
    const forged = byB({ ...retire({ w: WRITER_A, ...d }), ...(h !== undefined && { h }) });
    const report = await check(filesWith(traces, [PATH, forged]));
    expect(report.problems).toEqual([{ kind: 'impossible', path: PATH, from: 0 }]);
    expect(of(report, WRITER_A)).toMatchObject({ held: 5, missing: [], claimed: 5 });
  });

  it('expects lines in a folder until their file is deleted', async () => {
    const late = `2027-11-20T00:00:00.000Z.0000`;
    const seal = lineOf({ t: 'log.seal', n: 6, p: TRACES.at(-1)!.hash, h: late });
    for (const [h, why] of [
      [late, 'age'],
      [clockText(30), 'size'],
    ] as const) {
      const event = byB({ ...retire({ w: WRITER_A, from: 1, to: 6, why }), h });
      const here = filesWith([TRACE_PATH, joinLines([...TRACES, seal])], [PATH, event]);
      const report = await verify(here, ROOT, { now: Date.parse('2027-11-21') });
      expect(report.problems).toEqual([]);
    }
  });

  it('reports two events with the same number, and counts both', async () => {
    const fork = lineOf({ ...workspaceDraft('Fork'), n: 2, p: LINES[0]!.hash });
    const report = await check(filesWith([PATH, joinLines([...LINES, fork])]));
    expect(of(report, WRITER_A)).toMatchObject({
      held: 6,
      claimed: 5,
      missing: [],
      forks: 1,
      replaced: [],
    });
    expect(report).toMatchObject({ events: 6, isWhole: false });
  });

  it('reports an edited line with its offset, and the event as missing', async () => {
    const files = filesWith([PATH, joinLines(LINES)]);
    files.put(PATH, files.text(PATH).replace('About Two', 'About Too'));
    const report = await check(files);
    expect(report.problems).toEqual([{ kind: 'edited', path: PATH, from: LINES[0]!.bytes.length }]);
    expect(of(report, WRITER_A)?.missing).toEqual([[2, 2]]);
  });

  it.each(['About Too', 'About \r'])(
    'counts %j as no problem once the original line is here again',
    async (change) => {
      const files = filesWith([PATH, joinLines(LINES)]);
      files.put(PATH, files.text(PATH).replace('About Two', change));
      expect((await check(files)).isWhole).toBe(false);
      files.put(`${ROOT}/core/2026-11/a-healed.jsonl`, joinLines([LINES[1]!]));
      const report = await check(files);
      const from = LINES[0]!.bytes.length;
      expect(report).toMatchObject({
        problems: [{ kind: 'healed', path: PATH, from }],
        isWhole: true,
      });
      expect(of(report, WRITER_A)?.missing).toEqual([]);
    },
  );

  describe('for sealed lines', () => {
    /** Returns the lines of a segment that was sealed by the program. */
    async function sealedLines(): Promise<{ files: MemoryFiles; path: string; lines: string[] }> {
      const { files, open } = createVault();
      const log = open();
      for (let i = 0; i < 3; i++) await putWorkspace(log, `Plan ${i}`, 50_000);
      const [first] = await segmentsIn(files);
      return { files, path: first!.path, lines: files.text(first!.path).trimEnd().split('\n') };
    }

    it('accepts them in another order, in other files, with bytes between', async () => {
      const { files, path, lines } = await sealedLines();
      expect((await check(files)).problems).toEqual([]);
      files.put(path, `\n${lines.slice(2).reverse().join('\r\n\n')}\n`);
      files.put(`${ROOT}/core/healed.jsonl`, `${lines.slice(0, 2).join('\n')}\n`);
      expect(await check(files)).toMatchObject({ problems: [], isWhole: true });
    });

    it('reports one that was rewritten with a matching CRC', async () => {
      const { files, path, lines } = await sealedLines();
      const { v, w, n, p, h, t, e, d } = JSON.parse(lines[2]!) as LogEvent;
      const forged = lineOf({ v, w, n, p, h, t, e, d: { ...d, purpose: 'Another' } });
      files.put(
        path,
        joinLines(
          [...lines.slice(0, 2), '', ...lines.slice(3)].map((line, at) =>
            at === 2 ? forged : { bytes: new TextEncoder().encode(`${line}\n`) },
          ),
        ),
      );
      const report = await check(files);
      expect(report).toMatchObject({
        isWhole: false,
        problems: [],
        writers: [{ replaced: [[3, 3]] }],
      });
    });
  });

  it('uses the last device name of a writer', async () => {
    const named = (n: number, device: string) =>
      lineOf({ t: 'log.seg', n, h: clockText(n), d: { device } });
    for (const order of [
      [named(1, 'old'), named(2, 'new')],
      [named(2, 'new'), named(1, 'old')],
    ])
      expect(of(await check(filesWith([PATH, joinLines(order)])), WRITER_A)?.device).toBe('new');
  });

  it('reports a state whose content does not match its hash', async () => {
    const draft = await stateDraft('Save');
    const forged: Draft = {
      ...draft,
      e: 'forged',
      d: { ...draft.d, activeTask: 'Something else' },
    };
    const report = await check(filesWith([PATH, joinLines(linesOf([draft, forged]))]));
    expect(report.problems).toEqual([
      { kind: 'content', path: PATH, from: linesOf([draft])[0]!.bytes.length },
    ]);
    expect(report.isWhole).toBe(false);
  });

  it('reports a state with invalid data', async () => {
    const draft = await stateDraft('Save');
    const deep = { bytes: deepLine('state.new', draft.d, 'activeFiles', 100_000) };
    const lines = [
      lineOf({ t: 'state.new', e: 'x', d: { ...draft.d, activeFiles: 5 } }),
      deep,
      lineOf({ t: 'state.new', e: 'z', n: 3 }),
    ];
    const report = await check(filesWith([PATH, joinLines(lines)]));
    expect(report.problems.map(({ kind }) => kind)).toEqual(['content', 'content', 'content']);
  });

  it('reports later versions without checking them, and skips unknown types', async () => {
    const lines = chain(
      WRITER_A,
      { t: 'state.new', v: 2, d: { other: 'shape' } },
      { t: 'thing.new' },
      { t: 'log.seal', v: 2 },
    );
    const report = await check(filesWith([PATH, joinLines(lines)]));
    expect(report).toMatchObject({ events: 3, isWhole: true });
    expect(report.problems.map(({ kind, from }) => `${kind} ${from}`)).toEqual([
      'newer 0',
      `newer ${joinLines(lines.slice(0, 2)).length}`,
    ]);
  });

  it('does not believe a watermark that is a million events ahead of what is here', async () => {
    const events = (n: number) => byB(watermark({ [WRITER_A]: n, cccccccccccc: n }));
    const believed = await check(
      filesWith([PATH, joinLines(LINES)], [`${PATH}l`, events(1_000_000)]),
    );
    expect(believed.problems).toEqual([]);
    const forged = await check(
      filesWith([PATH, joinLines(LINES)], [`${ROOT}/core/b.jsonl`, events(2 ** 53 - 1)]),
    );
    expect(forged.problems).toEqual([
      { kind: 'impossible', path: `${ROOT}/core/b.jsonl`, from: 0 },
    ]);
    expect(forged.writers.every(({ missing }) => missing.length === 0)).toBe(true);
    expect(forged.isWhole).toBe(false);
  });

  it('reports writers that one watermark alone mentions as one, and dismisses them', async () => {
    const names = Array.from({ length: 21 }, (_, at) =>
      `${'cdefghjkmnpqrstuvwxyz'[at]}`.repeat(12),
    );
    const marks = watermark(Object.fromEntries(names.map((name) => [name, 7])));
    const files = filesWith([PATH, byB(marks)]);
    const copies = createMemoryCopies();
    const report = await check(files);
    const [finding] = findingsOf(report);
    expect(finding).toMatchObject({ kind: 'missing', count: 21 * 7 });
    expect(finding!.places).toEqual([
      { name: `writers that only ${WRITER_B} mentions`, count: 147, detail: 'of 21 writers' },
    ]);
    const few = await check(filesWith([PATH, byB(watermark({ [names[0]!]: 7, [names[1]!]: 7 }))]));
    expect(findingsOf(few)[0]!.places.map(({ name }) => name)).toEqual(names.slice(0, 2));
    await dismissMissing(copies, unknownWriters(report.writers).get(WRITER_B) ?? []);
    const after = await verify(files, ROOT, { now: START_TIME, copies });
    expect(findingsOf(after).map(({ kind }) => kind)).toEqual(['dismissed']);
  });

  it('reports a value with more than 100 rivals', async () => {
    const sets = (count: number) =>
      byB(
        ...Array.from({ length: count }, (_, at) => ({
          t: 'set',
          e: 'default',
          h: clockText(at),
          d: { '/purpose': `No. ${at}` },
        })),
      );
    expect((await check(filesWith([PATH, sets(100)]))).problems).toEqual([]);
    const { problems, isWhole } = await check(filesWith([PATH, sets(101)]));
    expect(problems).toMatchObject([{ kind: 'impossible', path: PATH }]);
    expect(isWhole).toBe(false);
  });

  it('ignores watermarks and retirements of a later version', async () => {
    const lines = [
      lineOf({ ...watermark({ [WRITER_B]: 5 }), v: 2 }),
      lineOf({ ...retire({ w: WRITER_A, from: 1, to: 2 }), v: 2, n: 2 }),
    ];
    const report = await check(filesWith([PATH, joinLines(lines)]));
    expect(report.writers).toMatchObject([{ writer: WRITER_A, held: 2, retired: 0, missing: [] }]);
  });

  it('reports unreadable files as waiting', async () => {
    const files = filesWith(
      [PATH, joinLines(LINES)],
      [`${ROOT}/core/.b.jsonl.icloud`, new Uint8Array()],
    );
    const watched = watchFiles(files);
    watched.beforeRead = (path) => {
      if (path === PATH) throw new Refusal('Cannot read it.');
    };
    const report = await verify(watched, ROOT, { now: START_TIME });
    expect(report.problems.map(({ kind, path }) => [kind, path])).toEqual([
      ['waiting', `${ROOT}/core/.b.jsonl.icloud`],
      ['waiting', PATH],
    ]);
  });

  it('has the same digest for the same lines in any order and any files', async () => {
    const lines = [
      ...LINES,
      ...linesOf(
        ['A', 'B', 'C'].map((name) => workspaceDraft(name)),
        WRITER_B,
      ),
      lineOf({ t: 'set', n: 3 }),
    ];
    const whole = await check(filesWith([PATH, joinLines(lines)]));
    const place = fc.constantFrom('a.jsonl', '2026-11/b.jsonl', 'c (1).jsonl', '2026-12/d.jsonl');
    const mixed = fc.shuffledSubarray([...lines, ...lines.slice(2, 5)], {
      minLength: lines.length + 3,
    });
    await fc.assert(
      fc.asyncProperty(
        mixed,
        fc.array(place, { minLength: 12, maxLength: 12 }),
        async (order, places) => {
          const files = createMemoryFiles();
          for (const path of new Set(places)) {
            files.put(
              `${ROOT}/core/${path}`,
              joinLines(order.filter((_, index) => places[index % places.length] === path)),
            );
          }
          expect(await check(files)).toMatchObject({
            digest: whole.digest,
            events: whole.events,
            writers: whole.writers,
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('has a different digest for a different set of lines', async () => {
    const digests = [
      LINES,
      LINES.slice(1),
      [...LINES, lineOf({ t: 'set', n: 3 })],
      [...LINES, lineOf({ t: 'set', n: 6 })],
      [],
    ].map(async (lines) => (await check(filesWith([PATH, joinLines(lines)]))).digest);
    expect(new Set(await Promise.all(digests)).size).toBe(5);
  });

  it('handles extreme watermarks and retirements', async () => {
    const strange = [
      watermark({
        [WRITER_A]: Number.MAX_SAFE_INTEGER,
        [WRITER_B]: -5,
        ['__proto__']: 5,
        x: 'y',
        cccccccccccc: 0,
        dddddddddddd: -1,
        eeeeeeeeeeee: 1.5,
      }),
      watermark({ ffffffffffff: 1e300, gggggggggggg: [] }),
      { t: 'log.mark', d: { seen: [1, 2] } },
      ...[
        { w: WRITER_A, from: 3, to: 2 },
        { w: WRITER_A, from: -10, to: -1 },
        { w: WRITER_A, from: 1.5, to: 2.5 },
        { w: WRITER_A, from: 1e300, to: 1e301 },
        { w: WRITER_A, from: 10, to: 20 },
        { w: 5, from: 1, to: 1 },
        { from: null, to: {} },
      ].map((d) => retire(d as JsonObject)),
    ];
    const report = await check(filesWith([TRACE_PATH, joinLines(TRACES)], [PATH, byB(...strange)]));
    expect(report.writers.map(({ writer }) => writer)).toEqual([WRITER_A, WRITER_B]);
    expect(report.problems.map(({ kind }) => kind)).toContain('impossible');
    expect(of(report, WRITER_A)).toMatchObject({
      held: 5,
      claimed: 20,
      missing: [[6, 9]],
      retired: 11,
    });
    expect(of(report, WRITER_B)).toMatchObject({ held: 10, claimed: 10, missing: [] });
  });

  it('reports dismissed events apart from those that go missing later', async () => {
    const copies = createMemoryCopies();
    const lines = linesOf(Array.from({ length: 9 }, (_, at) => workspaceDraft(`Plan ${at}`)));
    const without = (...numbers: number[]) =>
      filesWith([PATH, joinLines(lines.filter((_, at) => !numbers.includes(at + 1)))]);
    const verifyWith = async (files: MemoryFiles) =>
      of(await verify(files, ROOT, { now: START_TIME, copies }), WRITER_A)!;
    await dismissMissing(copies, [await verifyWith(without(3, 4))]);
    expect(await verifyWith(without(3, 4))).toMatchObject({ missing: [], dismissed: [[3, 4]] });
    expect(await verifyWith(without(2, 3, 7))).toMatchObject({
      missing: [
        [2, 2],
        [7, 7],
      ],
      dismissed: [[3, 3]],
    });
    await dismissMissing(copies, [await verifyWith(without(2, 3, 7))]);
    expect(await verifyWith(without(2, 3, 4, 7))).toMatchObject({
      missing: [[4, 4]],
      dismissed: [
        [2, 3],
        [7, 7],
      ],
    });
    expect(await verifyWith(without())).toMatchObject({ missing: [], dismissed: [] });
  });

  it('reports exactly the missing numbers for any retired ranges', async () => {
    const range = fc.tuple(fc.nat(12), fc.nat(12)).map(([from, to]) => ({ w: WRITER_A, from, to }));
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(TRACES),
        fc.array(range, { maxLength: 4 }),
        fc.option(fc.nat(9)),
        async (held, ranges, claim) => {
          const bytes = byB(
            ...ranges.map((d) => ({ ...retire(d), h: clockText(2 * 24 * 60) })),
            ...(claim === null ? [] : [watermark({ [WRITER_A]: claim }, 'trace')]),
          );
          const report = await check(filesWith([TRACE_PATH, joinLines(held)], [PATH, bytes]));
          const { missing = [], claimed = 0 } = of(report, WRITER_A) ?? {};
          const valid = ranges.filter(({ from, to }) => from >= 1 && from <= to);
          const accounted = (n: number) =>
            held.some(({ event }) => event.n === n) ||
            valid.some(({ from, to }) => from <= n && n <= to);
          const expected = Array.from({ length: claimed }, (_, index) => index + 1).filter(
            (n) => !accounted(n),
          );
          expect(
            missing.flatMap(([from, to]) =>
              Array.from({ length: to - from + 1 }, (_, index) => from + index),
            ),
          ).toEqual(expected);
          expect(claimed).toBe(
            Math.max(
              claim ?? 0,
              0,
              ...held.map(({ event }) => event.n),
              ...valid.map(({ to }) => to),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reports states and records until the creation of their workspace is restored', async () => {
    const workspace = lineOf({ ...workspaceDraft('Plan'), n: 1 });
    const state = await stateDraft('Save', 'st', 'ws-Plan');
    const renamed = { t: 'set', e: 'ws-Plan', d: { '/name': 'Other' } };
    const path = `${ROOT}/core/b.jsonl`;
    const files = filesWith([path, byB(state, renamed)]);
    expect(await check(files)).toMatchObject({
      problems: [{ kind: 'stray', path, from: 0 }],
      isWhole: false,
    });
    files.put(PATH, workspace.bytes);
    expect(await check(files)).toMatchObject({ problems: [], isWhole: true });
    const record = { t: 'record.new', e: 'r1', d: { ws: 'gone', kind: 'task', title: 'Ship it' } };
    expect((await check(filesWith([path, byB(record)]))).problems).toEqual([
      { kind: 'stray', path, from: 0 },
    ]);
    const inDefault = filesWith([path, lineOf({ ...(await stateDraft('Save')) }).bytes]);
    expect((await check(inDefault)).problems).toEqual([]);
  });

  it('ignores retirements outside the core lane', async () => {
    const files = filesWith(
      [TRACE_PATH, joinLines(TRACES.slice(2))],
      [`${ROOT}/trace/2026-11/b.jsonl`, byB(retire({ w: WRITER_A, from: 1, to: 2 }))],
    );
    expect(of(await check(files), WRITER_A)).toMatchObject({ missing: [[1, 2]], retired: 0 });
  });

  it.each<[string, JsonObject]>([
    ['names the core lane', { w: WRITER_A, from: 1, to: 2, lane: 'core' }],
    ['names a writer of the core lane', { w: WRITER_A, from: 1, to: 2 }],
  ])('reports a retirement that %s, which has no effect', async (_, d) => {
    const report = await check(
      filesWith([PATH, joinLines(LINES.slice(2))], [`${PATH}2.jsonl`, byB(retire(d))]),
    );
    expect(report.problems).toEqual([{ kind: 'impossible', path: `${PATH}2.jsonl`, from: 0 }]);
    expect(of(report, WRITER_A)).toMatchObject({ missing: [[1, 2]], retired: 0 });
    const whole = await check(
      filesWith([PATH, joinLines(LINES)], [`${PATH}2.jsonl`, byB(retire(d))]),
    );
    expect(whole.isWhole).toBe(false);
  });

  it('reports a retirement of the core lane even if its writer is unknown', async () => {
    const unknown = retire({ w: 'cccccccccccc', from: 1, to: 2, lane: 'core' });
    expect((await check(filesWith([PATH, byB(unknown)]))).problems).toEqual([
      { kind: 'impossible', path: PATH, from: 0 },
    ]);
  });

  it('counts a writer that only retirements mention as one of traces', async () => {
    const report = await check(filesWith([PATH, byB(retire({ w: WRITER_A, from: 2, to: 3 }))]));
    expect(of(report, WRITER_A)).toMatchObject({ lane: 'trace', missing: [[1, 1]], retired: 2 });
  });

  it("reports a writer's lane by what it created, and else by its other lines", async () => {
    const note = lineOf({ t: 'log.note' });
    const [, trace] = TRACES;
    const mixed = await check(filesWith([PATH, note.bytes], [TRACE_PATH, trace!.bytes]));
    expect(of(mixed, WRITER_A)?.lane).toBe('trace');
    const chat = await check(filesWith([`${ROOT}/chat/a.jsonl`, note.bytes]));
    expect(of(chat, WRITER_A)?.lane).toBe('chat');
  });

  it('compares a device only with writers of the core lane', async () => {
    const opening = (w: string, device: string) => lineOf({ w, t: 'log.seg', d: { device } });
    const C = 'cccccccccccc';
    const traces = linesOf([{ t: 'trace.new', e: 't', d: { ws: 'default', tool: 't' } }], C, 2);
    const files = filesWith(
      [PATH, joinLines(LINES)],
      [`${PATH}2.jsonl`, byB({ t: 'log.seg', d: { device: 'mac' } }, watermark({ [WRITER_A]: 5 }))],
      [TRACE_PATH, joinLines([opening(C, 'phone'), ...traces])],
    );
    expect((await check(files)).devices).toMatchObject([
      { device: 'mac', state: 'agrees', here: 5, there: 5 },
    ]);
    files.put(PATH, joinLines([LINES[0]!, ...LINES.slice(2)]));
    expect((await check(files)).devices).toMatchObject([
      { device: 'mac', state: 'ahead', here: 4, there: 5 },
    ]);
  });

  it('reports numbers under which another device has seen other events', async () => {
    const seen = { [WRITER_A]: [4, 'f'.repeat(32)] };
    const marks = [watermark({ [WRITER_A]: [2, LINES[1]!.hash] }), watermark(seen)];
    const files = filesWith([PATH, joinLines(LINES)], [`${PATH}2.jsonl`, byB(...marks)]);
    const report = await check(files);
    expect(of(report, WRITER_A)).toMatchObject({ missing: [], replaced: [[3, 4]] });
    expect(report.isWhole).toBe(false);
    const { p } = LINES[3]!.event;
    files.put(`${ROOT}/core/fork.jsonl`, lineOf({ ...workspaceDraft('Fork'), n: 4, p }).bytes);
    expect(of(await check(files), WRITER_A)?.replaced).toEqual([[3, 4]]);
  });

  describe('for events that watermarks mention with their hashes', () => {
    const OTHER = 'f'.repeat(32);
    const at = (n: number, hash = LINES[n - 1]!.hash) => watermark({ [WRITER_A]: [n, hash] });

    it.each<[string, EventFields[], WriterReport['replaced']]>([
      ['from the last match before it, in any order', [at(3), at(1), at(5, OTHER)], [[4, 5]]],
      ['from the start without a match before it', [at(5), at(3, OTHER)], [[1, 3]]],
      ['up to the last of several', [at(2), at(4, OTHER), at(3, OTHER), at(4, OTHER)], [[3, 4]]],
      [
        'in separate ranges',
        [at(1, OTHER), at(2), at(4, OTHER)],
        [
          [1, 1],
          [3, 4],
        ],
      ],
      ['even if the same number also matches', [at(2), at(4), at(4, OTHER)], [[3, 4]]],
      ['not without a hash', [watermark({ [WRITER_A]: 5 })], []],
    ])('reports the replaced numbers %s', async (_, marks, replaced) => {
      const files = filesWith([PATH, joinLines(LINES)], [`${PATH}2.jsonl`, byB(...marks)]);
      expect(of(await check(files), WRITER_A)).toMatchObject({ missing: [], replaced });
    });

    it('reports the replaced numbers from the end of the branch of a clone, of which only the beginning is here', async () => {
      const own = lineOf({ ...workspaceDraft('Fork'), n: 2, p: LINES[0]!.hash });
      const check5 = async (...marks: EventFields[]) => {
        const lines = joinLines([...LINES, own]);
        const files = filesWith([PATH, lines], [`${PATH}2.jsonl`, byB(...marks)]);
        return of(await check(files), WRITER_A)?.replaced;
      };
      expect(await check5(at(4), at(5, OTHER))).toEqual([[3, 5]]);
      expect(await check5(at(1), at(5, OTHER))).toEqual([[2, 5]]);
      expect(await check5(at(4), at(5))).toEqual([]);
    });

    it('reports missing events as missing, not as replaced', async () => {
      const held = joinLines(LINES.slice(0, 3));
      const files = filesWith([PATH, held], [`${PATH}2.jsonl`, byB(at(5, OTHER))]);
      expect(of(await check(files), WRITER_A)).toMatchObject({ missing: [[4, 5]], replaced: [] });
    });
  });

  it('reports no number as replaced if the event that was seen is here too', async () => {
    const fork = lineOf({ ...workspaceDraft('Fork'), n: 4, p: LINES[2]!.hash });
    const mark = watermark({ [WRITER_A]: [4, fork.hash] });
    const files = filesWith([PATH, joinLines([...LINES, fork])], [`${PATH}2.jsonl`, byB(mark)]);
    expect(of(await check(files), WRITER_A)).toMatchObject({ replaced: [], forks: 1 });
  });

  it('reports the number before an event that does not follow the preceding event that is here', async () => {
    const other = lineOf({ ...workspaceDraft('Another'), n: 2, p: LINES[0]!.hash });
    const files = filesWith([PATH, joinLines([LINES[0]!, other, ...LINES.slice(2)])]);
    const report = await check(files);
    expect(of(report, WRITER_A)).toMatchObject({ missing: [], forks: 0, replaced: [[2, 2]] });
    expect(report).toMatchObject({ problems: [], isWhole: false });
  });

  it('reports a number that a restored device has used again, if an event that followed the first one is here', async () => {
    const [fourth] = linesOf([workspaceDraft('Another')]);
    const again = lineOf({ ...fourth!.event, n: 4, p: LINES[2]!.hash });
    const files = filesWith([PATH, joinLines([...LINES.slice(0, 3), again, LINES[4]!])]);
    const next = lineOf({ ...workspaceDraft('Next'), n: 5, p: again.hash });
    files.put(`${ROOT}/core/more.jsonl`, next.bytes);
    expect(of(await check(files), WRITER_A)).toMatchObject({
      missing: [],
      forks: 1,
      replaced: [[4, 4]],
    });
  });

  it('reports an event dated more than a day ahead', async () => {
    const files = filesWith([PATH, joinLines(LINES)]);
    const at = (now: number) => verify(files, ROOT, { now });
    const last = START_TIME + 4 * 60_000; // the time of the last line
    expect((await at(last - DAY)).problems).toEqual([]);
    expect(await at(last - DAY - 1)).toMatchObject({
      problems: [{ kind: 'future', path: PATH, from: joinLines(LINES.slice(0, 4)).length }],
      isWhole: false,
    });
  });

  it('reports an event that creates an entity a second time', async () => {
    const twin = workspaceDraft('Twin', 'ws-One');
    const path = `${PATH}2.jsonl`;
    const files = filesWith([PATH, joinLines(LINES)], [path, byB({ ...twin, h: clockText(9) })]);
    expect(await check(files)).toMatchObject({
      problems: [{ kind: 'duplicate', path, from: 0 }],
      isWhole: false,
    });
    files.put(path, byB({ ...twin, h: `${new Date(START_TIME - 1000).toISOString()}.0000` }));
    expect((await check(files)).problems).toEqual([{ kind: 'duplicate', path: PATH, from: 0 }]);
  });

  it.each(['ws.new', 'state.new', 'record.new', 'pin.new', 'conv.new'])(
    'reports the later of two events of type %s with one id',
    async (t) => {
      const folder = t === 'conv.new' ? 'chat' : 'core';
      const [a, b] = ['a', 'b'].map((name) => `${ROOT}/${folder}/${name}.jsonl`);
      const files = filesWith(
        [a!, lineOf({ t, e: 'x', h: clockText(1) }).bytes],
        [b!, byB({ t, e: 'x' })],
      );
      const { problems } = await check(files);
      expect(problems.filter(({ kind }) => kind === 'duplicate')).toEqual([
        { kind: 'duplicate', path: a, from: 0 },
      ]);
    },
  );

  it('does not report a creation that is dated after a change of the entity', async () => {
    const renamed = { t: 'set', e: 'ws-One', d: { '/name': 'Two' }, h: clockText(0) };
    const late = lineOf({ ...workspaceDraft('One'), h: clockText(1) });
    const files = filesWith([PATH, byB(renamed)], [`${PATH}2.jsonl`, late.bytes]);
    expect((await check(files)).problems).toEqual([]);
  });

  it('reports a `log.vault` event without a valid id as foreign', async () => {
    const lines = chain(
      WRITER_A,
      ...['short', 'abcdefghjkmnpqrs'].map((id) => ({ t: 'log.vault', d: { id } })),
    );
    expect((await check(filesWith([PATH, joinLines(lines)]))).problems).toEqual([
      { kind: 'foreign', path: PATH, from: 0 },
    ]);
  });

  it('reports a stray record once, and none with invalid data', async () => {
    const record = { t: 'record.new', e: 'r1', d: { ws: 'gone', kind: 'task', title: 'Ship it' } };
    const changed = { t: 'set', e: 'r1', d: { '/title': 'Ship' } };
    const broken = { t: 'record.new', e: 'r2', d: { ws: 5 } };
    const report = await check(filesWith([PATH, byB(record, changed, broken)]));
    expect(report.problems).toEqual([{ kind: 'stray', path: PATH, from: 0 }]);
  });

  it('reports lines in the folder of another lane, which is harmless', async () => {
    const path = `${ROOT}/chat/2026-11/a.jsonl`;
    const report = await check(filesWith([path, joinLines(LINES.slice(0, 1))]));
    expect(report).toMatchObject({
      problems: [{ kind: 'misplaced', path, from: 0 }],
      writers: [{ lane: 'core' }],
      isWhole: true,
    });
  });

  it('distinguishes two lines with the same writer, number and CRC', async () => {
    const twin = { bytes: twinOf(LINES[4]!.event) };
    const report = await check(filesWith([PATH, joinLines([...LINES, twin])]));
    expect(report).toMatchObject({ events: 6, writers: [{ forks: 1 }], isWhole: false });
  });

  describe('with copies', () => {
    const ID = 'abcdefghjkmnpqrs';
    const vault = (id = ID) => ({ t: 'log.vault', d: { id } });
    const opening = (id = ID) => ({ t: 'log.seg', d: { device: 'x', vault: id } });

    async function restorable(files: MemoryFiles, copied: Uint8Array, ids = [ID]) {
      const copies = createMemoryCopies();
      await copies.add(ID, copied, 'own');
      const info = await files.stat(`${ROOT}/README.md`);
      const readme = info && `${info.mtime} ${info.fileId}`;
      await copies.updateRecord(() => ({ ids, readme }));
      const { restorable: found, isWhole } = await verify(files, ROOT, { now: START_TIME, copies });
      return { found, isWhole };
    }

    it('lists missing events that this device has copies of', async () => {
      const here = [`${ROOT}/core/b.jsonl`, byB(vault(), opening())] as const;
      expect(await restorable(filesWith([...here]), joinLines(LINES))).toEqual({
        found: [{ writer: WRITER_A, numbers: [[1, 5]] }],
        isWhole: false,
      });
      const some = filesWith([...here], [PATH, joinLines([LINES[0]!, LINES[2]!])]);
      expect((await restorable(some, joinLines(LINES))).found).toEqual([
        {
          writer: WRITER_A,
          numbers: [
            [2, 2],
            [4, 5],
          ],
        },
      ]);
      const all = filesWith([...here], [PATH, joinLines(LINES)]);
      expect(await restorable(all, joinLines(LINES))).toEqual({ found: [], isWhole: true });
    });

    it('recognizes the vault by its record while there is a README', async () => {
      const files = filesWith([`${ROOT}/README.md`, new Uint8Array()]);
      const found = [{ writer: WRITER_A, numbers: [[1, 5]] }];
      expect((await restorable(files, joinLines(LINES))).found).toEqual(found);
      await files.remove(`${ROOT}/README.md`);
      expect((await restorable(files, joinLines(LINES))).found).toBeUndefined();
    });

    it('ignores the copies of another vault', async () => {
      const files = filesWith([PATH, byB(vault('x'.repeat(16)))]);
      expect((await restorable(files, joinLines(LINES))).found).toBeUndefined();
    });

    it('recognizes a folder without README by its identity while it has lines of the core lane', async () => {
      const copies = createMemoryCopies();
      await copies.add(ID, joinLines(LINES), 'own');
      await copies.updateRecord(() => ({ ids: [ID], folder: 'folder 1' }));
      const found = async (...parts: [string, Uint8Array][]) => {
        const files = filesWith(...parts);
        const stat = files.stat.bind(files);
        files.stat = async (path) => {
          const info = await stat(path);
          return path === ROOT && info ? { ...info, fileId: 'folder 1' } : info;
        };
        return (await verify(files, ROOT, { now: START_TIME, copies })).restorable;
      };
      const trace: [string, Uint8Array] = [TRACE_PATH, byB({ t: 'trace.new', e: 'x' })];
      expect(await found([PATH, LINES[0]!.bytes], trace)).toMatchObject([{ numbers: [[2, 5]] }]);
      expect(await found(trace)).toBeUndefined();
    });

    it('reads no copies if neither lines nor a record give the vault an id', async () => {
      for (const record of [undefined, { ids: [ID] }]) {
        const copies = createMemoryCopies();
        if (record) await copies.updateRecord(() => record);
        const read = vi.spyOn(copies, 'read');
        const files = filesWith(
          record ? [PATH, joinLines(LINES)] : [`${ROOT}/README.md`, new Uint8Array()],
        );
        expect(await verify(files, ROOT, { now: START_TIME, copies })).toMatchObject({
          restorable: undefined,
          former: [],
        });
        expect(read.mock.calls).toEqual(record ? [[ID]] : []); // to find what was removed
      }
    });

    it('counts a line that was moved to another lane as missing from the core lane', async () => {
      const change = lineOf({ t: 'set', e: 'ws-One', d: { '/name': 'Two' } });
      const files = filesWith([PATH, byB(vault())], [`${ROOT}/chat/2026-11/a.jsonl`, change.bytes]);
      expect((await restorable(files, change.bytes)).found).toEqual([
        { writer: WRITER_A, numbers: [[1, 1]] },
      ]);
    });

    it('reports removed memories that have events which are not here, until they are dismissed', async () => {
      const copies = createMemoryCopies();
      const [gone, here, unknown] = ['g', 'h', 'j'].map((letter) => letter.repeat(16));
      await copies.add(gone!, joinLines(LINES), 'own');
      await copies.add(here!, LINES[0]!.bytes, 'own');
      await copies.updateRecord(() => ({ ids: [ID], formerIds: [gone!, here!, unknown!] }));
      const files = filesWith([`${PATH}2.jsonl`, byB(vault())], [PATH, LINES[0]!.bytes]);
      const former = async () => (await verify(files, ROOT, { now: START_TIME, copies })).former;
      expect(await former()).toEqual([
        { id: gone, events: [{ writer: WRITER_A, numbers: [[2, 5]] }] },
      ]);
      await dismissFormer(copies, gone!);
      expect(await former()).toEqual([]);
    });

    it('compares nothing without copies', async () => {
      const files = filesWith([PATH, byB(vault())]);
      expect((await check(files)).restorable).toBeUndefined();
    });
  });

  it('writes nothing', async () => {
    const files = filesWith([PATH, joinLines(LINES)]);
    const watched = watchFiles(files);
    await verify(watched, ROOT, { now: START_TIME, copies: createMemoryCopies() });
    expect([watched.appends, files.paths()]).toEqual([[], [PATH]]);
  });
});

it('all that a watermark mentions is missing, even if this device could not copy what was before', async () => {
  const files = filesWith([`${ROOT}/core/2026-11/b.jsonl`, byB(watermark({ [WRITER_A]: 5 }))]);
  const copies = createMemoryCopies();
  const [, , , fourth] = LINES;
  await copies.setLacking(WRITER_A, { n: 4, hash: fourth!.hash });
  const report = await verify(files, ROOT, { now: START_TIME, copies });
  expect(of(report, WRITER_A)).toMatchObject({ claimed: 5, missing: [[1, 5]] });
});
