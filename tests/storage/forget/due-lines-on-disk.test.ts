import { expect, it } from 'vitest';
import { versionKey } from '../../../src/model/event.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import type { EncodedLine } from '../../../src/storage/format/line.js';
import { encodeStub } from '../../../src/storage/format/stub.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { decidedForgets } from '../../../src/storage/forget/forget-decisions.js';
import { ForgottenLines } from '../../../src/storage/forget/forgotten-lines.js';
import { readNamedLines } from '../../../src/storage/forget/due-lines.js';
import { joinLines, lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { forgetLine, lineRun } from './forget-events.js';
import { ROOT } from '../helpers.js';

const lines = lineRun(4);
const [first, second, third, fourth] = lines as [
  EncodedLine,
  EncodedLine,
  EncodedLine,
  EncodedLine,
];
const stub = encodeStub(second.event, second.hash);
const ofTwo = forgetLine([second, third]);
const ofFirst = forgetLine([first], 'laptop');

/** Reads what the event names that forgets the second and third line. */
async function readNamed(
  vault: Record<string, readonly EncodedLine[]>,
  ...copied: EncodedLine[][]
) {
  const files = createMemoryFiles();
  for (const [path, content] of Object.entries(vault))
    files.put(`${ROOT}/${path}`, joinLines(content));
  const forgotten = new ForgottenLines();
  forgotten.add(ofTwo.event);
  const due = decidedForgets(forgotten, {});
  const options = { files, root: ROOT, scheduler: NOOP_SCHEDULER };
  const named = await readNamedLines(options, due, copied.map(joinLines));
  const { createdElsewhere, asked, waiting } = named;
  const hashes = [...named.byNumber].map(([number, byHash]) => [
    number,
    [...byHash.values()].flat().map(({ hash }) => hash),
  ]);
  return {
    hashes: Object.fromEntries(hashes) as object,
    created: [...createdElsewhere].sort(),
    asked: [...asked],
    waiting,
  };
}

const [numberOfSecond, numberOfThird] = [second, third].map(({ event }) => versionKey(event)) as [
  string,
  string,
];

it('named lines are those with the numbers that an event names, in vault and copies', async () => {
  const { hashes } = await readNamed(
    { 'core/a.jsonl': [...lines, ...lineRun(4, WRITER_B)], 'core/b/healed.jsonl': [stub] },
    [second, fourth],
  );
  expect(hashes).toEqual({
    [numberOfSecond]: [second.hash, second.hash, second.hash],
    [numberOfThird]: [third.hash],
  });
});

it('named lines are found in every lane', async () => {
  const vault = { 'chat/a.jsonl': [second], 'trace/a.jsonl': [third] };
  expect((await readNamed(vault)).hashes).toEqual({
    [numberOfSecond]: [second.hash],
    [numberOfThird]: [third.hash],
  });
});

it('items that other lines create are named, whatever lane or copy has these', async () => {
  const [, otherThird] = lineRun(4, WRITER_B).slice(1) as [EncodedLine, EncodedLine];
  const edit = lineOf({ t: 'set', w: WRITER_B, n: 9, e: 'a2', d: { '/title': 'Mine' } });
  const vault = { 'core/a.jsonl': [...lines, edit], 'chat/b.jsonl': [otherThird] };
  const again = lineOf({ ...second.event, w: WRITER_B, n: 7 });
  expect((await readNamed(vault)).created).toEqual(['a1', 'a4', 'b3']);
  expect((await readNamed(vault, [again])).created).toEqual(['a1', 'a2', 'a4', 'b3']);
});

it('an event asks to forget lines only if it is in the vault and in the core lane', async () => {
  const state = lineOf({ t: 'set', w: WRITER_A, d: ofFirst.event.d });
  const inCore = await readNamed({ 'core/a.jsonl': [...lines, ofTwo, state] }, [ofFirst]);
  expect(inCore.asked).toEqual([forgetKey(ofTwo.event)]);
  const elsewhere = { 'chat/a.jsonl': [ofTwo, ...lines], 'trace/a.jsonl': [ofFirst] };
  expect((await readNamed(elsewhere)).asked).toEqual([]);
});

it('files that cannot be read are named', async () => {
  const waiting = ['core/a.jsonl.icloud', 'chat/2026-11/b.jsonl.icloud'];
  const vault = {
    'core/b.jsonl': [second],
    ...Object.fromEntries(waiting.map((path) => [path, []])),
  };
  const read = await readNamed(vault);
  expect(read.waiting).toEqual(waiting.map((path) => `${ROOT}/${path}`));
  expect(read.hashes).toEqual({ [numberOfSecond]: [second.hash] });
  expect((await readNamed({})).waiting).toEqual([]);
});
