import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStamps, type JsonObject } from '../../src/model/event.js';
import { crc32, crcText } from '../../src/platform/crc32.js';
import { decodeHeader, encodeHeader, exportLines } from '../../src/transfer/export.js';
import type { LaneName } from '../../src/storage/format/lanes.js';
import { readLogLines, type LogLine } from '../../src/storage/log-lines.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { START_TIME } from '../fakes/deterministic.js';
import {
  clockText,
  joinLines,
  lineOf,
  linesOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { ROOT } from '../storage/helpers.js';
import { randomLogs, vaultWith } from '../storage/random-logs.js';

async function exportOf(files: MemoryFiles) {
  return exportLines((await readLogLines(files, ROOT)).lines);
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('an export', () => {
  it('has a file named after the vault id, and a README', async () => {
    const vault = lineOf({ t: 'log.vault', d: { id: 'abcd2345abcd2345' } });
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/a.jsonl`, vault.bytes);
    const { files: made, events, digest } = await exportOf(files);
    expect(made.map(({ path }) => path)).toEqual(['savepoint-abcd2345abcd2345.jsonl', 'README.md']);
    expect(textOf(made[0]!.bytes)).toBe(
      `${textOf(encodeHeader({ vault: 'abcd2345abcd2345', events: 1, lanes: new Map([[WRITER_A, 'core']]) }))}\n${textOf(vault.bytes)}`,
    );
    expect(events).toBe(1);
    expect(digest).toBe((await verify(files, ROOT, { now: START_TIME })).digest);
    expect(textOf(made[1]!.bytes)).toContain(digest);
  });

  it.each([['../../x'], ['A B'], [''], ['x'.repeat(41)]])(
    'has a generic name for the vault id %j',
    async (id) => {
      const files = createMemoryFiles();
      files.put(`${ROOT}/core/a.jsonl`, lineOf({ t: 'log.vault', d: { id } }).bytes);
      expect((await exportOf(files)).files[0]?.path).toBe('savepoint-export.jsonl');
    },
  );

  it('contains each line once, unchanged, in event order', async () => {
    await fc.assert(
      fc.asyncProperty(randomLogs, fc.integer({ min: 1, max: 4 }), async (lines, cuts) => {
        const { files: made } = await exportOf(vaultWith([...lines, ...lines.slice(0, 5)], cuts));
        const sorted = [...lines].sort((a, b) => compareStamps(a.event, b.event));
        expect(textOf(made[0]!.bytes).split('\n').slice(1).join('\n')).toBe(
          textOf(joinLines(sorted)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('contains the intact lines of damaged files', async () => {
    const [one, two, three] = linesOf(['One', 'Two', 'Three'].map((name) => workspaceDraft(name)));
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/glued.jsonl`, `{"v":1,"w":"torn${textOf(one!.bytes)}`);
    files.put(
      `${ROOT}/core/wide.jsonl`,
      Buffer.from(`\uFEFF${textOf(two!.bytes).replace('\n', '\r\n')}`, 'utf16le'),
    );
    files.put(`${ROOT}/core/open.jsonl`, three!.bytes.subarray(0, -1));
    const { files: made } = await exportOf(files);
    expect(textOf(made[0]!.bytes).split('\n').slice(1).join('\n')).toBe(
      textOf(joinLines([one!, two!, three!])),
    );
  });
});

describe('the header of an export', () => {
  it('round-trips, and is not parsed as an event', () => {
    const lanes = new Map([[WRITER_A, 'core'] as const, [WRITER_B, 'trace'] as const]);
    const header = { vault: '\u2028 "id"', events: 7, lanes };
    const line = encodeHeader(header);
    expect(decodeHeader(line)).toEqual(header);
    expect(decodeHeader(encodeHeader({ vault: undefined, events: 0, lanes: new Map() }))).toEqual({
      vault: undefined,
      events: 0,
      lanes: new Map(),
    });
    expect(parseSegment(line)).toMatchObject({ lines: [] });
  });

  /** Returns a line with the checksum of a header and any content. */
  function closed(value: JsonObject): Uint8Array {
    const body = JSON.stringify({
      savepoint: 'export',
      fmt: 1,
      vault: 'x',
      events: 7,
      lanes: {},
      ...value,
    }).slice(0, -1);
    return new TextEncoder().encode(
      `${body},"c":"${crcText(crc32(new TextEncoder().encode(body)))}"}`,
    );
  }

  it('is rejected in other formats; invalid values are ignored', () => {
    const empty = { vault: 'x', events: 7, lanes: new Map() };
    expect(
      [{}, { fmt: 2 }, { savepoint: 'x' }].map((value) => decodeHeader(closed(value))),
    ).toEqual([empty, undefined, undefined]);
    expect(decodeHeader(closed({ vault: 5, events: '7', lanes: [] }))).toEqual({
      vault: undefined,
      events: 0,
      lanes: new Map(),
    });
    const lanes = {
      core: [WRITER_A, 5, '../../x', [WRITER_B]],
      trace: WRITER_B,
      other: [WRITER_B],
    };
    expect(decodeHeader(closed({ lanes }))).toEqual({
      ...empty,
      lanes: new Map([[WRITER_A, 'core']]),
    });
  });

  it('lists writers in order, in the lane of their first line', async () => {
    const line = (w: string, minute: number, lane: LaneName): LogLine => ({
      ...lineOf({ t: 'set', w, h: clockText(minute) }),
      lane,
      path: 'x',
      from: 0,
    });
    const { files } = await exportLines([
      line(WRITER_B, 0, 'core'),
      line(WRITER_B, 2, 'trace'),
      line(WRITER_A, 1, 'core'),
    ]);
    const [header] = textOf(files[0]!.bytes).split('\n');
    expect(JSON.parse(header!)).toMatchObject({
      lanes: { core: [WRITER_A, WRITER_B], chat: [], trace: [] },
    });
  });

  it('is rejected if any byte changes', () => {
    const line = encodeHeader({ vault: 'x', events: 7, lanes: new Map() });
    for (let at = 0; at < line.length; at++)
      expect(decodeHeader(line.with(at, line[at]! ^ 1))).toBeUndefined();
    for (const { bytes } of linesOf([workspaceDraft('One')]))
      expect(decodeHeader(bytes.subarray(0, -1))).toBeUndefined();
    expect(decodeHeader(new Uint8Array())).toBeUndefined();
  });
});
