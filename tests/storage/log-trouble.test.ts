import { describe, expect, it } from 'vitest';
import { emptyMemory } from '../../src/model/memory.js';
import type { Healer } from '../../src/storage/integrity/healer.js';
import { watermarkDraft } from '../../src/storage/format/watermark.js';
import { Watermarks } from '../../src/storage/integrity/watermarks.js';
import { MAX_UNSEEN_EVENTS } from '../../src/storage/integrity/writer-reports.js';
import type { LaneName } from '../../src/storage/format/lanes.js';
import { Forgets } from '../../src/storage/forget/forgets.js';
import type { LogParts } from '../../src/storage/log-parts.js';
import { troubleOf } from '../../src/storage/log-trouble.js';
import { indexEvent, type WriterIndex } from '../../src/storage/read/writer-index.js';
import { createTestClock } from '../fakes/deterministic.js';
import { eventOf, WRITER_A, WRITER_B } from '../fakes/events.js';

/** What is known of a writer: the events that are here, and the last one of a watermark. */
interface Known {
  readonly numbers?: readonly number[];
  readonly announced?: number;
  readonly lane?: LaneName;
}

function setUp(known: Readonly<Record<string, Known>>) {
  const writers: WriterIndex = new Map();
  const watermarks = new Watermarks({
    writers,
    clock: createTestClock(),
    warn: () => undefined,
    device: 'test',
    ownWriters: () => ({ core: undefined, others: [] }),
    write: () => Promise.resolve(),
  });
  for (const [writer, { numbers = [], announced, lane = 'core' }] of Object.entries(known)) {
    const data = lane === 'core' ? 'ws.new' : 'trace.new';
    for (const n of numbers)
      indexEvent(writers, lane, eventOf({ t: n === 1 ? 'log.seg' : data, w: writer, n }));
    if (announced === undefined) continue;
    const seen = [{ lane, writer, n: announced, hash: undefined }];
    const mark = watermarkDraft({ seen, gaps: new Map(), isComplete: false });
    watermarks.observe(eventOf({ ...mark, w: 'cccccccccccc' }));
  }
  return { writers, watermarks };
}

const NOTHING_FORGOTTEN = new Forgets({
  store: undefined,
  clock: createTestClock(),
  warn: () => undefined,
});

/** The parts of a log of which trouble can be told. */
function partsOf({
  waiting = [],
  ...parts
}: ReturnType<typeof setUp> & {
  readonly waiting?: readonly string[];
  readonly healer?: Pick<Healer, 'isCopyFailing' | 'missing'> | undefined;
}): LogParts {
  const core = { memory: emptyMemory, waiting };
  const others = { forgets: NOTHING_FORGOTTEN, siblings: [] };
  return { ...parts, core, ...others } as unknown as LogParts;
}

function trouble(known: Readonly<Record<string, Known>>, waiting: readonly string[] = []) {
  return troubleOf(partsOf({ ...setUp(known), waiting }));
}

const fileOf = (writer: string) => `Savepoint/core/2026-11/20261120-${writer}-0001.jsonl`;

/** A writer of which everything is here. */
const WHOLE: Known = { numbers: [1, 2, 3], announced: 3 };

describe('lines in files that cannot be read', () => {
  it('are none if no file waits', () => {
    expect(trouble({ [WRITER_A]: { announced: 5 } })).toMatchObject({
      waiting: [],
      lacksLines: false,
      lacksSegment: false,
    });
  });

  it.each<[string, Known | undefined, boolean]>([
    ['nothing is known', undefined, true],
    ['only a watermark speaks', { announced: 1 }, true],
    ['all is here that a watermark mentions', WHOLE, false],
    ['more is here than a watermark mentions', { numbers: [1, 2], announced: 1 }, false],
    ['all is here, and no watermark mentions it', { numbers: [1, 2] }, false],
    ['less is here than a watermark mentions', { numbers: [1, 2], announced: 3 }, true],
    ['a line between others is missing', { numbers: [1, 3], announced: 3 }, true],
    ['the first line is missing', { numbers: [2, 3] }, true],
  ])('of a writer of which %s', (_, known, isLacking) => {
    const path = fileOf(WRITER_A);
    expect(trouble(known ? { [WRITER_A]: known } : {}, [path])).toMatchObject({
      waiting: [path],
      lacksLines: isLacking,
      lacksSegment: isLacking,
    });
  });

  it('are those of a further segment of which the first line is not here', () => {
    const later = fileOf(WRITER_A).replace('0001', '0002');
    expect(trouble({ [WRITER_A]: WHOLE }, [later])).toMatchObject({ lacksSegment: true });
  });

  it('count if only one of several files has them', () => {
    const files = [fileOf(WRITER_A), fileOf(WRITER_B)];
    expect(trouble({ [WRITER_A]: WHOLE }, files)).toMatchObject({
      lacksLines: true,
      lacksSegment: true,
    });
    expect(trouble({ [WRITER_A]: WHOLE, [WRITER_B]: WHOLE }, files)).toMatchObject({
      lacksLines: false,
      lacksSegment: false,
    });
  });

  it('may be of anyone if the name of the file has no writer', () => {
    expect(trouble({ [WRITER_A]: WHOLE }, ['Savepoint/core/renamed.jsonl'])).toMatchObject({
      lacksLines: true,
      lacksSegment: false,
    });
  });
});

describe('the text of missing core events', () => {
  it.each<[string, Known]>([
    ['all is here that a watermark mentions', WHOLE],
    ['all is here, and no watermark mentions it', { numbers: [1, 2] }],
    ['a trace is missing', { numbers: [1, 3], lane: 'trace' }],
    ['the last traces are missing', { numbers: [1, 2], announced: 5, lane: 'trace' }],
    ['a watermark is impossible', { numbers: [1, 2], announced: 3 + MAX_UNSEEN_EVENTS }],
  ])('is empty for a writer of which %s', (_, known) => {
    expect(trouble({ [WRITER_A]: known }).gaps()).toBe('');
  });

  it.each<[string, Known]>([
    ['a line between others is missing', { numbers: [1, 3] }],
    ['less is here than a watermark mentions', { numbers: [1, 2], announced: 3 }],
    ['both are missing', { numbers: [1, 3], announced: 4 }],
    ['nothing is here', { announced: 4 }],
  ])('names a writer of which %s', (_, known) => {
    const text = trouble({ [WRITER_A]: known, [WRITER_B]: WHOLE }).gaps();
    expect(text).toContain(WRITER_A);
    expect(text).not.toContain(WRITER_B);
  });

  it('is another one once other events are missing', () => {
    const texts = [
      { numbers: [1, 3] },
      { numbers: [1, 4] },
      { numbers: [1, 3, 5] },
      { numbers: [1, 2], announced: 6 },
      { numbers: [1, 2, 3], announced: 6 },
    ].map((known) => trouble({ [WRITER_A]: known }).gaps());
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('does not depend on the order in which the writers were read', () => {
    const [a, b] = [{ numbers: [1, 3] }, { numbers: [1, 2], announced: 4 }];
    expect(trouble({ [WRITER_A]: a, [WRITER_B]: b }).gaps()).toBe(
      trouble({ [WRITER_B]: b, [WRITER_A]: a }).gaps(),
    );
  });

  it('is made when it is asked for, from what is known by then', () => {
    const { writers, watermarks } = setUp({ [WRITER_A]: { numbers: [1, 3] } });
    const { gaps } = troubleOf(partsOf({ writers, watermarks }));
    indexEvent(writers, 'core', eventOf({ t: 'ws.new', n: 2 }));
    expect(gaps()).toBe('');
  });
});

describe('trouble with the copies', () => {
  const of = (healer: Pick<Healer, 'isCopyFailing' | 'missing'> | undefined) => {
    return troubleOf(partsOf({ ...setUp({}), healer }));
  };

  it('is none without copies', () => {
    expect(of(undefined)).toMatchObject({ isCopyFailing: false, missing: 0 });
  });

  it.each([
    { isCopyFailing: false, missing: 0 },
    { isCopyFailing: true, missing: 2 },
  ])('is that of the healer: %o', (healer) => {
    expect(of(healer)).toMatchObject(healer);
  });
});
