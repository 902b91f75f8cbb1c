import fc from 'fast-check';
import type { LogEvent } from '../../src/model/event.js';
import { describe, expect, it } from 'vitest';
import type { Draft, JsonObject } from '../../src/model/event.js';
import { Refusal } from '../../src/model/refusal.js';
import { exportLines } from '../../src/transfer/export.js';
import type { Files } from '../../src/platform/files.js';
import { importLines, type ImportOptions } from '../../src/transfer/import.js';
import { openSource, type ImportSource } from '../../src/transfer/import-source.js';
import { joinBytes } from '../../src/platform/bytes/bytes.js';
import { MAX_LINE_BYTES } from '../../src/storage/format/line.js';
import { isInRanges } from '../../src/storage/format/number-ranges.js';
import { retiredRanges, retirementOf } from '../../src/storage/integrity/retirements.js';
import { vaultIdsIn } from '../../src/storage/data-folder/vault-identity.js';
import { readLogLines } from '../../src/storage/log-lines.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { START_TIME } from '../fakes/deterministic.js';
import {
  clockText,
  joinLines,
  lineOf,
  linesOf,
  stateDraft,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { watchFiles } from '../fakes/watched-files.js';
import { forgetLine, lineRun } from '../storage/forget/forget-events.js';
import { createVault, put, putWorkspace, ROOT, segmentsIn } from '../storage/helpers.js';
import { randomLogs, summaryOf, vaultWith, type RandomLine } from '../storage/random-logs.js';
import { createEagerScheduler } from '../fakes/eager-scheduler.js';
import { IMPORTABLE } from '../../src/transfer/foreign/foreign-memory.js';

let tags = 0;

/** Imports with a unique tag. */
function importInto(
  files: Files,
  sources: ImportSource | ImportSource[],
  options: Partial<ImportOptions> = {},
) {
  const tag = `tagtagtag${String(++tags).padStart(3, 'x')}`;
  return importLines(files, ROOT, [sources].flat(), {
    mayMerge: false,
    isDryRun: false,
    day: '2026-12-01',
    tag,
    ...options,
  });
}

async function exportOf(files: Files): Promise<ImportSource> {
  const { files: made } = await exportLines((await readLogLines(files, ROOT)).lines);
  return { name: made[0]!.path, bytes: made[0]!.bytes };
}

const sourceOf = (content: Uint8Array | string, name = 'x.jsonl'): ImportSource => ({
  name,
  bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
});

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const WRITER_C = 'cccccccccccc';
const [ID_A, ID_B] = ['a'.repeat(16), 'b'.repeat(16)];
const vaultLine = (id: string, w = WRITER_A, n = 1) => lineOf({ t: 'log.vault', d: { id }, w, n });
const retiring = (lane: string) =>
  lineOf({
    t: 'log.retire',
    w: WRITER_B,
    h: clockText(24 * 60 + 9),
    d: { lane, w: WRITER_A, from: 2, to: 3 },
  });
const TRACES = linesOf(
  ['a', 'b', 'c', 'd'].map((e) => ({ t: 'trace.new', e, d: { ws: 'default', tool: 't' } })),
);
const LINES = linesOf(['One', 'Two', 'Three', 'Four'].map((name) => workspaceDraft(name)));

/** Creates a vault by regular writes, with sealed segments, several devices and traces. */
async function writtenVault(): Promise<MemoryFiles> {
  const { files, open, clock } = createVault();
  const [one, two] = [open(), open()];
  for (let i = 0; i < 6; i++) {
    await putWorkspace(one, `Plan ${i}`, 30_000);
    clock.advance(60_000);
    await two.memory();
    await put(two, await stateDraft(`Save ${i}`, `st-${i}`, 'ws-Plan 0'));
    await two.writeTrace({
      t: 'trace.new',
      e: `tr-${i}`,
      d: { ws: 'default', tool: 't', input: 'x'.repeat(40_000) },
    });
  }
  await one.memory();
  await Promise.all([one.close(), two.close()]);
  return files;
}

/**
 * Returns true if a retirement is itself retired and therefore not imported. The program never does
 * this.
 */
function hasRetiredRetirement(lines: readonly RandomLine[]): boolean {
  const retired = retiredRanges(lines);
  return lines.some(
    ({ event }) => retirementOf(event) && isInRanges(retired.get(event.w) ?? [], event.n),
  );
}

describe('an import of an export', () => {
  it('restores the same memory, digest and lanes in an empty vault', async () => {
    await fc.assert(
      fc.asyncProperty(randomLogs, async (lines) => {
        fc.pre(lines.length > 0);
        const origin = vaultWith(lines);
        const source = await exportOf(origin);
        const files = createMemoryFiles();
        expect(await importInto(files, source)).toMatchObject({
          events: lines.length,
          added: lines.length,
          known: 0,
          lost: 0,
          badLines: [],
          isWhole: true,
        });
        expect(await summaryOf(files)).toEqual(await summaryOf(origin));
        expect(textOf((await exportOf(files)).bytes)).toBe(textOf(source.bytes));
        const paths = files.paths();
        expect(await importInto(files, source)).toMatchObject({
          events: lines.length,
          added: 0,
          known: lines.length,
          files: [],
        });
        expect(await importInto(origin, source)).toMatchObject({
          added: 0,
          known: lines.length,
          files: [],
        });
        expect(files.paths()).toEqual(paths);
        for (const path of paths.filter((other) => other.endsWith('.jsonl')))
          expect(path).toMatch(/^Savepoint\/(core|chat|trace)\/2026-12\/[a-z0-9-]{1,54}\.jsonl$/);
      }),
      { numRuns: 100 },
    );
  });

  it('adds only missing events, and changes no file', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLogs.chain((lines) => fc.tuple(fc.constant(lines), fc.subarray(lines))),
        async ([lines, part]) => {
          fc.pre(lines.length > 0);
          const [partId, wholeId] = [part, lines].map(
            (some) => vaultIdsIn(some.map(({ event }) => event))[0],
          );
          // Otherwise it counts as another vault.
          fc.pre(partId === undefined || partId === wholeId);
          fc.pre(!hasRetiredRetirement(lines));
          const whole = vaultWith(lines);
          const files = vaultWith(part);
          const before = new Map(files.paths().map((path) => [path, files.text(path)]));
          const { added, known, retired } = await importInto(files, await exportOf(whole), {
            mayMerge: true,
          });
          expect([known, added + retired]).toEqual([part.length, lines.length - part.length]);
          const digestIn = async (vault: MemoryFiles) =>
            ((await summaryOf(vault)) as { digest: string }).digest;
          if (retired === 0) expect(await digestIn(files)).toBe(await digestIn(whole));
          for (const [path, text] of before) expect(files.text(path)).toBe(text);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('restores each segment byte for byte', async () => {
    const origin = await writtenVault();
    const files = createMemoryFiles();
    await importInto(files, await exportOf(origin));
    for (const lane of ['core', 'trace']) {
      const [then, now] = await Promise.all(
        [origin, files].map((vault) => segmentsIn(vault, `${ROOT}/${lane}`)),
      );
      expect(now!.map(({ bytes }) => textOf(bytes)).sort()).toEqual(
        then!.map(({ bytes }) => textOf(bytes)).sort(),
      );
      expect(now!.length).toBeGreaterThan(1);
    }
    expect(await verify(files, ROOT, { now: START_TIME })).toMatchObject({
      problems: [],
      isWhole: true,
    });
  });

  it('that completes partial sealed segments passes verification', async () => {
    const origin = await writtenVault();
    const source = await exportOf(origin);
    const files = createMemoryFiles();
    const lines = textOf(source.bytes).split('\n').slice(1);
    const trace = lines.find((line) => line.includes('"trace.new"')) ?? '';
    const tracer = `"w":"${(JSON.parse(trace) as LogEvent).w}"`;
    const some = lines.filter((line, index) => index % 3 === 0 && !line.includes(tracer));
    files.put(`${ROOT}/core/some.jsonl`, `${some.join('\n')}\n`);
    expect((await importInto(files, source)).added).toBeGreaterThan(5);
    expect(await verify(files, ROOT, { now: START_TIME })).toMatchObject({
      digest: (await verify(origin, ROOT, { now: START_TIME })).digest,
      problems: [],
      isWhole: true,
    });
  });

  it('is picked up by an open log, which continues to write', async () => {
    const source = await exportOf(await writtenVault());
    const { files, open } = createVault();
    const log = open();
    await log.memory();
    await importInto(files, source);
    const imported = await summaryOf(files);
    await putWorkspace(log, 'Mine');
    await log.memory();
    await log.close();
    expect(imported).toMatchObject({ isWhole: true });
    expect(await verify(files, ROOT, { now: START_TIME })).toMatchObject({
      isWhole: true,
      problems: [],
    });
  });

  it('never continues a writer whose events are restored', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    const source = await exportOf(files);
    await files.remove((await segmentsIn(files))[0]!.path);
    await importInto(files, source);
    await log.memory();
    await putWorkspace(log, 'Two');
    await log.close();
    expect(await verify(files, ROOT, { now: START_TIME })).toMatchObject({
      isWhole: true,
      problems: [],
    });
    expect(
      (await verify(files, ROOT, { now: START_TIME })).writers.every(({ forks }) => forks === 0),
    ).toBe(true);
  });

  it('writes new files durably before it resolves', async () => {
    const watched = watchFiles(createMemoryFiles());
    const { files } = await importInto(watched, await exportOf(await writtenVault()));
    const [about, ...lines] = [...watched.appends].sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(about?.path).toBe('Savepoint/README.md');
    expect(lines.map(({ path }) => path)).toEqual([...files].sort());
    expect(lines.every(({ isDurable }) => isDurable)).toBe(true);
  });

  it('reports the same in a dry run, and writes nothing', async () => {
    const source = await exportOf(await writtenVault());
    const files = createMemoryFiles();
    const tag = 'same';
    const planned = await importInto(files, source, { isDryRun: true, tag });
    expect(files.paths()).toEqual([]);
    expect(await importInto(files, source, { tag })).toEqual(planned);
  });

  it('can be continued after a full disk', async () => {
    const origin = await writtenVault();
    const source = await exportOf(origin);
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    watched.beforeAppend = () => {
      if (watched.appends.length > 3) throw new Refusal('The disk is full.');
    };
    await expect(importInto(watched, source)).rejects.toThrow(
      /^The import stopped after 3 of \d+ files, which are complete and stay\. Fix the problem, then import again to continue: The disk is full\.$/,
    );
    expect(files.paths()).toHaveLength(3);
    expect(
      (await readLogLines(files, ROOT)).lines.some(({ event }) => event.t === 'log.vault'),
    ).toBe(true);
    expect(await importInto(files, source)).toMatchObject({ isWhole: true });
    expect((await verify(files, ROOT, { now: START_TIME })).digest).toBe(
      (await verify(origin, ROOT, { now: START_TIME })).digest,
    );
  });

  it('rethrows an unexpected error, and wraps a refusal with its cause', async () => {
    const source = sourceOf(joinLines(LINES));
    for (const trouble of [new TypeError('oops'), new Refusal('The disk is full.')]) {
      const watched = watchFiles(createMemoryFiles());
      watched.beforeAppend = () => {
        throw trouble;
      };
      const error: unknown = await importInto(watched, source).catch((each: unknown) => each);
      if (trouble instanceof Refusal) expect(error).toMatchObject({ cause: trouble });
      else expect(error).toBe(trouble);
    }
  });

  it('writes no file, not even README.md, if nothing is new', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/a.jsonl`, joinLines(LINES));
    expect(await importInto(files, sourceOf(joinLines(LINES)))).toMatchObject({
      added: 0,
      known: 4,
      isWhole: true,
    });
    expect(files.paths()).toEqual([`${ROOT}/core/a.jsonl`]);
  });

  it('of an empty export is complete and adds nothing', async () => {
    const source = await exportOf(createMemoryFiles());
    expect(await importInto(createMemoryFiles(), source)).toMatchObject({
      events: 0,
      added: 0,
      lost: 0,
      isWhole: true,
    });
  });

  it('counts a repeated line once', async () => {
    const source = sourceOf(joinLines([...LINES, ...LINES.slice(1)]));
    expect(
      await importInto(createMemoryFiles(), [source, sourceOf(LINES[0]!.bytes)]),
    ).toMatchObject({ events: 4, added: 4, known: 0 });
  });

  it('writes a sorted, numbered file per writer', async () => {
    const other = linesOf([workspaceDraft('Five')], WRITER_B);
    const files = createMemoryFiles();
    const report = await importInto(files, sourceOf(joinLines([...other, ...LINES].reverse())), {
      tag: 'tag',
    });
    expect(report.files.map((path) => path.split('-').slice(-2).join('-'))).toEqual([
      'imported-0001.jsonl',
      'imported-0002.jsonl',
    ]);
    expect(report.files.map((path) => files.text(path))).toEqual(
      [LINES, other].map((lines) => textOf(joinLines(lines))),
    );
  });

  it('limits the size of a file', async () => {
    const lines = linesOf(
      Array.from({ length: 50 }, (_, index) =>
        workspaceDraft(`Plan ${index}`, 'e', { purpose: 'x'.repeat(50_000) }),
      ),
    );
    const files = createMemoryFiles();
    const report = await importInto(
      files,
      sourceOf(Buffer.concat(lines.map(({ bytes }) => bytes))),
    );
    const sizes = report.files.map((path) => files.text(path).length);
    expect(sizes).toHaveLength(3);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(MAX_LINE_BYTES);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThan(MAX_LINE_BYTES - 51_000);
  });

  it('yields to the host before each source', async () => {
    const turnsFor = async (sources: ImportSource[]) => {
      const { scheduler, turns } = createEagerScheduler();
      await importInto(createMemoryFiles(), sources, { scheduler, isDryRun: true });
      return turns();
    };
    const sources = LINES.map(({ bytes }) => sourceOf(bytes));
    expect((await turnsFor(sources)) - (await turnsFor(sources.slice(0, 1)))).toBe(3);
  });

  it('skips traces that the vault has retired', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/a.jsonl`, retiring('trace').bytes);
    expect(await importInto(files, sourceOf(joinLines(TRACES)))).toMatchObject({
      added: 2,
      retired: 2,
      known: 0,
    });
    expect(await importInto(files, sourceOf(joinLines(TRACES)))).toMatchObject({
      added: 0,
      retired: 2,
      known: 2,
    });
  });

  it('counts what a person has forgotten by itself', async () => {
    const lines = lineRun(3);
    const files = createMemoryFiles();
    const forgotten = forgetLine(lines.slice(0, 2));
    files.put(`${ROOT}/core/a.jsonl`, joinLines([lines[2]!, forgotten]));
    expect(await importInto(files, sourceOf(joinLines(lines)))).toMatchObject({
      events: 3,
      added: 0,
      known: 1,
      forgotten: 2,
    });
  });

  it.each(['core', 'trace'])(
    'adds core events that a line in the %s lane retires',
    async (lane) => {
      const files = createMemoryFiles();
      files.put(`${ROOT}/core/a.jsonl`, retiring(lane).bytes);
      expect(await importInto(files, sourceOf(joinLines(LINES)))).toMatchObject({
        added: 4,
        retired: 0,
      });
    },
  );
});

describe('an import of another vault', () => {
  const first = vaultLine(ID_A);
  const other = vaultLine(ID_B, WRITER_B);
  const vault = (...lines: { bytes: Uint8Array }[]) => {
    const files = createMemoryFiles();
    if (lines.length > 0) files.put(`${ROOT}/core/a.jsonl`, joinLines(lines));
    return files;
  };

  it('needs --merge the first time only', async () => {
    const files = vault(first);
    const source = sourceOf(other.bytes);
    for (const isDryRun of [true, false]) {
      await expect(importInto(files, source, { isDryRun })).rejects.toThrow(
        new Refusal(
          'This is an export of another vault (bbbbbbbbbbbbbbbb), and this vault has a memory of its own (aaaaaaaaaaaaaaaa): ' +
            'use --merge to merge them, which cannot be undone, or import into an empty vault.',
        ),
      );
    }
    expect(files.paths()).toHaveLength(1);
    expect(await importInto(files, source, { mayMerge: true })).toMatchObject({ added: 1 });
    expect(
      await importInto(
        files,
        sourceOf(joinLines([other, lineOf({ t: 'set', w: WRITER_B, n: 2 })])),
      ),
    ).toMatchObject({
      added: 1,
      known: 1,
    });
  });

  it('is accepted by a vault without its own memory', async () => {
    expect(await importInto(vault(), sourceOf(other.bytes))).toMatchObject({ added: 1 });
    expect(
      await importInto(vault(lineOf({ t: 'trace.new' })), sourceOf(other.bytes)),
    ).toMatchObject({ added: 1 });
  });

  it('is refused if its vault id is unknown, unless nothing is new', async () => {
    const files = vault(first, LINES[1]!);
    await expect(importInto(files, sourceOf(LINES[2]!.bytes))).rejects.toThrow(
      'another vault (unknown id)',
    );
    expect(await importInto(files, sourceOf(LINES[1]!.bytes))).toMatchObject({
      added: 0,
      known: 1,
    });
  });

  it('is refused if its header has no vault id', async () => {
    const source = await exportOf(vault(LINES[0]!));
    await expect(importInto(vault(first, LINES[1]!), source)).rejects.toThrow(
      'another vault (unknown id)',
    );
  });

  it('uses the effective vault id of lines without a header', async () => {
    const source = sourceOf(
      joinLines([first, lineOf({ t: 'log.vault', w: WRITER_B, h: clockText(1), d: { id: ID_B } })]),
    );
    expect(await importInto(vault(), source)).toMatchObject({ added: 2 });
    expect(await importInto(vault(first), source)).toMatchObject({ added: 1, known: 1 });
  });

  it('is refused while files of this vault cannot be read', async () => {
    const files = vault();
    files.put(`${ROOT}/core/.a.jsonl.icloud`, '');
    await expect(importInto(files, sourceOf(other.bytes))).rejects.toThrow(
      new Refusal(
        'Cannot tell which memory this vault contains: 1 of its files cannot be read now. ' +
          'Let the sync finish and import again, or use --merge to import anyway.',
      ),
    );
    expect(await importInto(files, sourceOf(other.bytes), { mayMerge: true })).toMatchObject({
      added: 1,
    });
  });

  it('is refused if the exports are of two vaults', async () => {
    const sources = await Promise.all([first, other].map((line) => exportOf(vault(line))));
    await expect(importInto(vault(), sources)).rejects.toThrow(
      'These are exports of 2 vaults (aaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb)',
    );
    await expect(importInto(vault(first), sources)).rejects.toThrow(
      'another vault (aaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb)',
    );
    expect(await importInto(vault(), sources, { mayMerge: true })).toMatchObject({ added: 2 });
  });

  it('recognizes a vault that two devices created separately', async () => {
    const source = await exportOf(vault(other));
    expect(await importInto(vault(first, other), source)).toMatchObject({ added: 0 });
    expect(
      await importInto(
        vault(first, other),
        sourceOf(joinLines([other, lineOf({ t: 'set', w: WRITER_B, n: 2 })])),
      ),
    ).toMatchObject({
      added: 1,
    });
  });
});

describe('an import of a damaged export', () => {
  it('imports good lines, and reports bad ones by number and kind', async () => {
    const lines = LINES.map(({ bytes }) => textOf(bytes).trimEnd());
    const text = [
      lines[0],
      lines[1]!.replace('About', 'Above'),
      'rubbish',
      '',
      '<<<<<<< HEAD',
      lines[2],
      textOf(lineOf({ t: 'x' }).bytes).slice(0, 30) + lines[3],
      lines[3]!.slice(0, 50),
    ].join('\r\n');
    const report = await importInto(createMemoryFiles(), sourceOf(text, 'bad.jsonl'));
    expect(report.badLines.map(({ file, line, kind }) => `${file} ${line} ${kind}`)).toEqual([
      'bad.jsonl 2 edited',
      'bad.jsonl 3 damaged',
      'bad.jsonl 5 marker',
      'bad.jsonl 7 damaged',
      'bad.jsonl 8 pending',
    ]);
    expect(report).toMatchObject({ events: 3, added: 3, isWhole: false });
  });

  it('reads a source in pieces, and reports a line of 300 MB without reading it', async () => {
    const [first, second, third] = LINES.map(({ bytes }) => bytes);
    const size = 300 * 1024 * 1024;
    const at = size - second!.length - third!.length - 1;
    let mostHeld = 0;
    const source = await openSource('long.jsonl', {
      size,
      read(from, to) {
        mostHeld = Math.max(mostHeld, process.memoryUsage().arrayBuffers);
        const bytes = new Uint8Array(to - from).fill(0x78); // "x"
        const put = (part: Uint8Array, start: number) => {
          for (const [index, byte] of part.entries())
            if (start + index >= from && start + index < to) bytes[start + index - from] = byte;
        };
        put(first!, 0);
        put(Uint8Array.of(0x0a), at);
        put(second!, at + 1);
        put(third!, at + 1 + second!.length);
        return Promise.resolve(bytes);
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    const files = createMemoryFiles();
    const report = await importInto(files, source);
    expect(report.badLines).toEqual([{ file: 'long.jsonl', line: 2, kind: 'tooLong' }]);
    expect(report).toMatchObject({ events: 3, added: 3, isWhole: false });
    expect(mostHeld - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('reads nothing of a run of NULs', async () => {
    const [first, second] = LINES.map(({ bytes }) => bytes);
    const hole = new Uint8Array(20 * 1024 * 1024);
    const report = await importInto(
      createMemoryFiles(),
      sourceOf(joinBytes([first!, hole, second!])),
    );
    expect(report).toMatchObject({ events: 2, badLines: [], isWhole: true });
  });

  it('reports how many events a truncated export lacks', async () => {
    const text = textOf((await exportOf(await writtenVault())).bytes).split('\n');
    const cut = sourceOf(`${text.slice(0, 10).join('\n')}\n`);
    expect(await importInto(createMemoryFiles(), cut)).toMatchObject({
      events: 9,
      lost: text.length - 11,
      badLines: [],
      isWhole: false,
    });
  });

  it('guesses lanes from the lines if there is no header', async () => {
    const kinds = ['ws.new', 'trace.new', 'msg.new', 'thing.new', 'conv.new', 'constructor.new'];
    const writers = [
      WRITER_A,
      WRITER_B,
      'cccccccccccc',
      'dddddddddddd',
      'eeeeeeeeeeee',
      'ffffffffffff',
    ];
    const lines = kinds.flatMap((t, index) => [
      lineOf({ t, w: writers[index]! }),
      lineOf({ t: 'log.seal', w: writers[index]!, n: 2 }),
    ]);
    const { files } = await importInto(createMemoryFiles(), sourceOf(joinLines(lines)));
    expect(files.map((path) => path.split('/')[1])).toEqual([
      'core',
      'trace',
      'chat',
      'core',
      'chat',
      'core',
    ]);
  });

  it('counts empty lines in line numbers', async () => {
    const text = `\nrubbish\n${textOf(LINES[0]!.bytes)}`;
    expect((await importInto(createMemoryFiles(), sourceOf(text))).badLines).toEqual([
      { file: 'x.jsonl', line: 2, kind: 'damaged' },
    ]);
  });

  it('accepts a header without a newline', async () => {
    const [header] = textOf((await exportOf(await writtenVault())).bytes).split('\n');
    const report = await importInto(createMemoryFiles(), sourceOf(header!));
    expect(report).toMatchObject({ events: 0, badLines: [], isWhole: false });
    expect(report.lost).toBeGreaterThan(5);
  });

  it('reports the number of files without events', async () => {
    await expect(
      importInto(createMemoryFiles(), [sourceOf(''), sourceOf('hello')]),
    ).rejects.toThrow('The 2 files contain nothing that can be imported. Choose a .jsonl file');
  });

  it.each(['', '\n\n', 'hello', '{"a":1}\n', '# Notes\n', '\0\0'])(
    'refuses %j, which contains no events',
    async (text) => {
      await expect(importInto(createMemoryFiles(), sourceOf(text, 'x.txt'))).rejects.toThrow(
        new Refusal(
          `"x.txt" ${text === '' ? 'is empty' : 'contains nothing that can be imported'}. ${IMPORTABLE}`,
        ),
      );
    },
  );

  it('imports only original events after any changes to its bytes', async () => {
    const source = await exportOf(await writtenVault());
    const short = sourceOf(textOf(source.bytes).replace(/x{1000,}/g, 'x'));
    const known = new Set(
      (await readLogLines(await imported(source), ROOT)).lines.map(
        ({ event: { w, n, c } }) => `${w} ${n} ${c}`,
      ),
    );
    const damage = fc.array(
      fc.record({ at: fc.nat(), cut: fc.nat({ max: 40 }), put: fc.uint8Array({ maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        let bytes = short.bytes;
        for (const { at, cut, put: added } of changes) {
          const from = at % bytes.length;
          bytes = Uint8Array.from([
            ...bytes.subarray(0, from),
            ...added,
            ...bytes.subarray(from + cut),
          ]);
        }
        const files = createMemoryFiles();
        await importInto(files, { name: 'x', bytes });
        for (const { event } of (await readLogLines(files, ROOT)).lines)
          expect(known).toContain(`${event.w} ${event.n} ${event.c}`);
      }),
      { numRuns: 60 },
    );
  });

  async function imported(source: ImportSource): Promise<MemoryFiles> {
    const files = createMemoryFiles();
    await importInto(files, source);
    return files;
  }
});

describe("an import of another vault's retirements", () => {
  const OURS = 'us'.repeat(8);
  const RETIRER = 'rrrrrrrrrrrr';
  const retire = (w: string): Draft => ({
    t: 'log.retire',
    e: '',
    d: { lane: 'trace', file: 'x', w, from: 1, to: 2, count: 2, sha256: '0', why: 'age' },
  });
  /** Returns the lines of a vault that has retired traces of some writers. */
  const retiredIn = (id: string, ...writers: string[]) =>
    linesOf([{ t: 'log.vault', e: '', d: { id } }, ...writers.map(retire)], RETIRER);
  const theirs = (...writers: string[]) => retiredIn('them'.repeat(4), ...writers);

  it('does not hide lost traces of writers that this vault has', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/2026-11/a.jsonl`, vaultLine(OURS, WRITER_C).bytes);
    // number 2 is missing
    files.put(`${ROOT}/trace/2026-11/a.jsonl`, joinLines([TRACES[0]!, ...TRACES.slice(2)]));
    const kept = linesOf([{ t: 'trace.new', e: 'x', d: { ws: 'default' } }], WRITER_B, 3);
    const source = sourceOf(joinLines([...theirs(WRITER_A, WRITER_B), ...kept]));
    expect(await importInto(files, source, { mayMerge: true })).toMatchObject({
      added: 4,
      retired: 0,
      isWhole: true,
    });
    const { writers, isWhole, events } = await verify(files, ROOT, { now: START_TIME });
    expect({ isWhole, events }).toEqual({ isWhole: false, events: 8 });
    expect(writers.map(({ writer, missing, retired }) => ({ writer, missing, retired }))).toEqual([
      { writer: WRITER_A, missing: [[2, 2]], retired: 0 },
      { writer: WRITER_B, missing: [], retired: 2 },
      { writer: WRITER_C, missing: [], retired: 0 },
      { writer: RETIRER, missing: [], retired: 0 },
    ]);
    expect(await importInto(files, source, { mayMerge: true })).toMatchObject({
      added: 0,
      known: 4,
    });
    expect((await exportLines((await readLogLines(files, ROOT)).lines)).events).toBe(8);
  });

  it('does not hide lost traces of writers known from watermarks', async () => {
    const told = { trace: { [WRITER_A]: [2] } };
    const retired = async (t: string, d: JsonObject) => {
      const files = createMemoryFiles();
      files.put(
        `${ROOT}/core/2026-11/a.jsonl`,
        joinLines([vaultLine(OURS, WRITER_B, 1), lineOf({ t, w: WRITER_B, n: 2, d })]),
      );
      await importInto(files, sourceOf(joinLines(theirs(WRITER_A))), { mayMerge: true });
      const { writers } = await verify(files, ROOT, { now: START_TIME });
      return writers.find(({ writer }) => writer === WRITER_A)?.retired;
    };
    expect(await retired('log.mark', { seen: told })).toBe(0);
    expect(await retired('log.mark', { seen: ['x'] })).toBe(2);
    expect(await retired('thing.new', { seen: told })).toBe(2);
  });

  it('applies to a vault without an id', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/trace/2026-11/a.jsonl`, lineOf({ t: 'trace.new', n: 3 }).bytes);
    await importInto(files, sourceOf(joinLines(theirs(WRITER_A))));
    expect(await verify(files, ROOT, { now: START_TIME })).toMatchObject({ isWhole: true });
  });

  it('applies if this vault has retired the traces', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/2026-11/a.jsonl`, vaultLine(OURS, WRITER_B).bytes);
    files.put(`${ROOT}/trace/2026-11/a.jsonl`, lineOf({ t: 'trace.new', n: 3 }).bytes);
    const source = sourceOf(joinLines(retiredIn(OURS, WRITER_A)));
    expect(await importInto(files, source)).toMatchObject({ added: 2 });
    expect(await verify(files, ROOT, { now: START_TIME })).toMatchObject({ isWhole: true });
  });
});
