import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paragraphPassages } from '../../../src/brief/recall/passages.js';
import {
  encodeRecallSteps,
  readRecall,
  recallWords,
} from '../../../src/brief/recall/recall-index.js';
import { recall, recallCommand, recallFile } from '../../../src/brief/recall/recall.js';
import type { RecallSource } from '../../../src/brief/recall/sources.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { perTier } from '../../tier.js';

const RUNS = perTier(60, 500, 5000);
const rarityOf = () => 0.9;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    'a\tb\nc',
    '\r\n',
    '\u2028',
    '\ud800',
    '"\\',
    '数据库的键',
    'ключ ключ',
    'a,b 1',
  ),
  fc.lorem({ maxCount: 12 }),
);
const path = fc.oneof(text, fc.constantFrom('project:a.ts', 'project:a/b.ts', 'a', 'ab', 'b'));

const source: fc.Arbitrary<RecallSource> = fc.record({
  id: text,
  at: fc.constant('2026-11-29T00:00:00.000Z'),
  origin: text,
  passages: fc.array(
    fc.record({
      kind: fc.constantFrom('said', 'answered', 'decision', 'question', 'state'),
      text,
    }),
    { maxLength: 4 },
  ),
  files: fc.array(path, { maxLength: 4 }),
  failed: fc.array(fc.record({ command: path, error: text }), { maxLength: 3 }),
});

const index = (sources: readonly RecallSource[]) => {
  const read = readRecall(runToEnd(encodeRecallSteps(sources, rarityOf)));
  if (!read) throw new Error('It is not read.');
  return read;
};

describe('an index of what can be told', () => {
  it('has each passage under its words, and each source under its files and commands', () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 8 }), (sources) => {
        const read = index(sources);
        const passages = sources.flatMap((each, at) =>
          each.passages.map(({ kind, text: said }) => ({
            source: at,
            kind,
            text: said.replace(/[\t\n]+/g, ' '),
          })),
        );
        expect(read.size).toBe(passages.length);
        passages.forEach(({ source: of, ...passage }, number) => {
          expect(read.passage(number)).toEqual(passage);
          expect(read.sourceOf(number)).toBe(of);
          for (const { stems } of recallWords(passage.text))
            for (const stem of stems) expect(read.term(stem)?.passages).toContain(number);
        });
        let first = 0;
        sources.forEach(({ id, at, origin, failed, passages: own, files }, number) => {
          const stored = { id, at, origin, failed, first, count: own.length };
          expect(read.source(number)).toEqual(stored);
          first += own.length;
          for (const file of files) expect(read.ofFile(file)).toContain(number);
          for (const { command } of failed) expect(read.ofCommand(command)).toContain(number);
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('knows no other words, files and commands', () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 8 }), path, (sources, other) => {
        const read = index(sources);
        const isFile = sources.some(({ files }) => files.includes(other));
        const isRun = sources.some(({ failed }) => failed.some((run) => run.command === other));
        expect(read.ofFile(other).length > 0).toBe(isFile);
        expect(read.ofCommand(other).length > 0).toBe(isRun);
        for (const { stems } of recallWords(other))
          for (const stem of stems) {
            const found = read.term(stem);
            const texts = found?.passages.map((number) => read.passage(number).text) ?? [];
            for (const said of texts)
              expect(recallWords(said).flatMap((word) => word.stems)).toContain(stem);
          }
      }),
      { numRuns: RUNS },
    );
  });

  it('never fails, also if it is damaged', () => {
    fc.assert(
      fc.property(
        fc.array(source, { maxLength: 6 }),
        fc.array(text, { maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '\n', '\t', '9', ' ', 'x')), {
          maxLength: 3,
        }),
        fc.nat(),
        (sources, words, damage, cut) => {
          const reader = { session: sources[0]?.id ?? '' };
          const ask = (stored: string) => {
            const read = readRecall(stored);
            if (!read) return [];
            return [
              ...recall(words.join(' '), read, reader),
              ...words.flatMap((each) => recallFile(each, read, reader)),
              ...words.flatMap((each) => recallCommand(each, read, reader)),
            ];
          };
          const whole = runToEnd(encodeRecallSteps(sources, rarityOf));
          for (const { id } of ask(whole)) expect(id).not.toBe(reader.session);
          let damaged = whole;
          for (const [at, piece] of damage) {
            const place = at % (damaged.length + 1);
            damaged = damaged.slice(0, place) + piece + damaged.slice(place + 1);
          }
          // a damaged file may be refused, but reading it ends
          for (const stored of [damaged, whole.slice(0, cut % (whole.length + 1))])
            try {
              ask(stored);
            } catch (error) {
              expect(error).toBeInstanceOf(Error);
            }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.each([
    [
      'words',
      (number: number) => `Rule ${number} of the ledger says that w${number} is x${number}.`,
    ],
    [
      'short words',
      (number: number) => Array.from({ length: 60 }, (_, at) => `${at}q${number}`).join(' '),
    ],
    [
      'Chinese',
      (number: number) =>
        `${String.fromCharCode(0x4e00 + (number % 20000))}账本规则说编号`.repeat(30),
    ],
    ['nothing else', () => ''],
  ])('of many sources with %s is at most 2 MB, the first ones', (_, textOf) => {
    const sources = Array.from({ length: 12_000 }, (__, number): RecallSource => ({
      id: `session-${number}`,
      at: '2026-11-29T00:00:00.000Z',
      origin: 'Codex',
      passages: paragraphPassages(textOf(number)).map((said) => ({ kind: 'said', text: said })),
      files: [`project:src/file-${number}.ts`],
      failed: [{ command: `npm run ${number}`, error: 'no' }],
    }));
    const stored = runToEnd(encodeRecallSteps(sources, rarityOf));
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(2_000_000);
    expect(Buffer.byteLength(stored)).toBeGreaterThan(500_000);
    const read = readRecall(stored);
    expect(read?.ofFile('project:src/file-0.ts')).toEqual([0]);
  });

  it('has the others if one source alone is too long', () => {
    const said = (id: string, words: string): RecallSource => ({
      id,
      at: '2026-11-29T00:00:00.000Z',
      origin: '',
      files: ['a'],
      failed: [],
      passages: [{ kind: 'said', text: words }],
    });
    const long = said('long', 'x'.repeat(2_100_000));
    expect(recallFile('a', index([long, said('short', 'It is a rule')]), { session: '' })).toEqual([
      expect.objectContaining({ id: 'short' }),
    ]);
  });
});

it('a question of any length is answered by its beginning and its end', () => {
  const rule: RecallSource = {
    id: 'a',
    at: '2026-11-29T00:00:00.000Z',
    origin: '',
    files: [],
    failed: [],
    passages: [{ kind: 'said', text: 'Ferry tickets expire at midnight in Reykjavik.' }],
  };
  const read = index([rule]);
  const task = 'When do ferry tickets to Reykjavik expire, at midnight?';
  const log = 'warning: 7 of 9 lines were printed\n'.repeat(100_000);
  expect(recall(task, read, { session: '' })).toHaveLength(1);
  const asked = performance.now();
  recall(`${log}${task}`, read, { session: '' });
  recall('规则账本'.repeat(500_000), read, { session: '' });
  expect(performance.now() - asked).toBeLessThan(5000);
});

describe('a prompt that names something', () => {
  const session = (id: string, files: string[], ...said: string[]): RecallSource => ({
    id,
    at: '2026-11-29T00:00:00.000Z',
    origin: '',
    files,
    failed: [],
    passages: said.map((words) => ({ kind: 'said', text: words })),
  });
  const asked = (prompt: string, ...sources: RecallSource[]) =>
    recall(prompt, index(sources), { session: 'now' }).map(({ text: told }) => told);
  const RULE = 'Nobody comes in later than three quarters of an hour before the lights go out.';

  it('tells the most informative passage of a session that has a made-up name of the prompt', () => {
    const about = session('a', [], 'And isOpen?', RULE, 'ok');
    const other = session('b', [], 'The printer takes only eight characters on each label.');
    expect(asked('Make isOpen stricter', other, about)).toEqual([RULE]);
    expect(asked('Make it open stricter', other, about)).toEqual([]);
  });

  it('tells what was said about a path if its session has another word of the prompt', () => {
    const about = session('a', ['project:src/hours.ts'], RULE);
    expect(asked('src/hours.ts lets people in too late, see the lights', about)).toEqual([RULE]);
    expect(asked('Sort the imports of src/hours.ts', about)).toEqual([]);
    expect(asked('Fix src/other.ts, see the lights', about)).toEqual([]);
  });

  it('tells nothing that the session itself has said', () => {
    expect(asked('Make isOpen stricter', session('now', [], 'isOpen', RULE))).toEqual([]);
  });
});
