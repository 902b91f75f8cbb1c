import { beforeEach, expect, it } from 'vitest';
import { ChangeTracker } from '../../../src/acp/changes/change-tracker.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { createFiles, createStore } from './memory-ports.js';

let files: Map<string, string | Uint8Array>;
let store: ReturnType<typeof createStore>;
let now: number;
let tracker: ChangeTracker;

const createTracker = () =>
  new ChangeTracker(createFiles(files), store, { now: () => now }, NOOP_SCHEDULER, () => undefined);

beforeEach(() => {
  files = new Map([
    ['a.md', 'one\ntwo\n'],
    ['b.md', 'b\n'],
  ]);
  store = createStore();
  now = 0;
  tracker = createTracker();
});

const paths = () => tracker.changes('talk').map(({ path }) => path);
const undoAll = () => tracker.undo('talk', tracker.changes('talk'));

it('finds what nobody reported, at the end of the turn', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'one\nTWO\n');
  files.set('new.md', 'new\n');
  files.delete('b.md');
  await tracker.end('t1');
  expect(paths().sort()).toEqual(['a.md', 'b.md', 'new.md']);
  await undoAll();
  expect(Object.fromEntries(files)).toEqual({ 'a.md': 'one\ntwo\n', 'b.md': 'b\n' });
  expect(tracker.changes('talk').every(({ isUndone }) => isUndone)).toBe(true);
});

it('finds what changed in one folder during the turn', async () => {
  files.set('.obsidian/app.json', '{}');
  files.set('.obsidian/old.json', '{}');
  await tracker.begin('talk', 't1');
  files.set('.obsidian/app.json', '{"x":1}');
  files.delete('.obsidian/old.json');
  files.set('a.md', 'changed\n');
  await tracker.observeFolder('.obsidian');
  expect(paths().sort()).toEqual(['.obsidian/app.json', '.obsidian/old.json']);
  expect(files.get('a.md')).toBe('changed\n');
  await tracker.end('t1');
  await undoAll();
  expect(files.get('.obsidian/app.json')).toBe('{}');
  expect(files.get('.obsidian/old.json')).toBe('{}');
});

it('does not count what the app writes itself, and undoes only the rest', async () => {
  files.set('log.jsonl', 'one\n');
  await tracker.begin('talk', 't1');
  files.set('log.jsonl', 'one\ntwo\n');
  await tracker.observe('log.jsonl');
  expect(paths()).toEqual([]);
  files.set('log.jsonl', 'three\n');
  await tracker.observe('log.jsonl');
  expect(paths()).toEqual(['log.jsonl']);
  files.set('log.jsonl', 'three\nfour\n');
  await undoAll();
  expect(files.get('log.jsonl')).toBe('one\ntwo\nfour\n');
});

it('undoes a change outside the vault to what the file was when it was announced', async () => {
  await tracker.begin('talk', 't1');
  await tracker.keep('/out.md');
  await tracker.end('t1');
  files.set('/out.md', 'mine\n');
  await tracker.begin('talk', 't2');
  await tracker.keep('/out.md');
  files.set('/out.md', 'mine\nagent\n');
  await tracker.observe('/out.md');
  await tracker.end('t2');
  expect(paths()).toEqual(['/out.md']);
  await undoAll();
  expect(files.get('/out.md')).toBe('mine\n');
});

it('ignores what changes between turns', async () => {
  await tracker.begin('talk', 't1');
  await tracker.end('t1');
  files.set('a.md', 'mine\n');
  await tracker.begin('talk', 't2');
  await tracker.end('t2');
  expect(paths()).toEqual([]);
});

it('takes what the user types for the user’s, and undoes only the rest', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'one\nagent\ntwo\n');
  await tracker.typed('a.md');
  files.set('a.md', 'one\nagent\ntwo\nmine\n');
  await tracker.observe('a.md');
  files.set('a.md', 'one\nagent\nagent 2\ntwo\nmine\n');
  await tracker.end('t1');
  expect(paths()).toEqual(['a.md', 'a.md']);
  await undoAll();
  expect(files.get('a.md')).toBe('one\ntwo\nmine\n');
});

it('counts typing that was never saved for a short time only', async () => {
  await tracker.begin('talk', 't1');
  await tracker.typed('a.md');
  now += 60_000;
  files.set('a.md', 'agent\n');
  await tracker.end('t1');
  expect(paths()).toEqual(['a.md']);
});

it('joins the changes of a turn to one file, and drops those that cancel out', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'x\n');
  await tracker.observe('a.md');
  files.set('a.md', 'y\n');
  await tracker.observe('a.md');
  expect(paths()).toEqual(['a.md']);
  files.set('a.md', 'one\ntwo\n');
  await tracker.end('t1');
  expect(paths()).toEqual([]);
});

it('undoes a single change and leaves later ones', async () => {
  for (const [turn, text] of [
    ['t1', 'one\ntwo\nthree\n'],
    ['t2', 'one\ntwo\nthree\nfour\n'],
  ] as const) {
    await tracker.begin('talk', turn);
    files.set('a.md', text);
    await tracker.end(turn);
  }
  await tracker.undo('talk', tracker.changes('talk').slice(0, 1));
  expect(files.get('a.md')).toBe('one\ntwo\nfour\n');
});

it('follows a renamed file', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'agent\n');
  await tracker.end('t1');
  files.set('c.md', 'agent\n');
  files.delete('a.md');
  await tracker.renamed('a.md', 'c.md');
  await undoAll();
  expect(files.get('c.md')).toBe('one\ntwo\n');
  expect(files.has('a.md')).toBe(false);
});

it('keeps a new file with what the user wrote in it', async () => {
  await tracker.begin('talk', 't1');
  files.set('new.md', 'agent\n');
  await tracker.end('t1');
  files.set('new.md', 'agent\nmine\n');
  await undoAll();
  expect(files.get('new.md')).toBe('mine\n');
});

it('reports a rewritten line as a conflict, and keeps both versions', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'one\nagent\n');
  await tracker.end('t1');
  files.set('a.md', 'one\nagent and me\n');
  const { conflicts } = await undoAll();
  expect(conflicts.map(({ path }) => path)).toEqual(['a.md']);
  expect(files.get('a.md')).toBe('one\nagent and me\ntwo\n');
});

it('reports a change of which the copy is gone, and changes nothing', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'agent\n');
  await tracker.end('t1');
  store.contents.clear();
  const { lost, undone } = await undoAll();
  expect([lost.length, undone.length]).toEqual([1, 0]);
  expect(files.get('a.md')).toBe('agent\n');
});

it('remembers the changes after a restart', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'agent\n');
  await tracker.end('t1');
  tracker = createTracker();
  await tracker.load('talk');
  await undoAll();
  expect(files.get('a.md')).toBe('one\ntwo\n');
});

it('gives a change to the turn whose agent has named the file', async () => {
  await tracker.begin('talk', 't1');
  await tracker.begin('other', 't2');
  tracker.announce('t2', 'a.md');
  files.set('a.md', 'agent\n');
  await tracker.observe('a.md');
  expect(tracker.changes('other').map(({ path }) => path)).toEqual(['a.md']);
  expect(paths()).toEqual([]);
});

const LATIN = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a);
const LARGE = 'large\n'.repeat(2000);

it('undoes to the same bytes, without adding a line end', async () => {
  files = new Map<string, string | Uint8Array>([
    ['a.md', 'one'],
    ['bom.md', '\uFEFFone\n'],
    ['latin.md', LATIN],
  ]);
  tracker = createTracker();
  const before = new Map(files);
  await tracker.begin('talk', 't1');
  for (const path of before.keys()) files.set(path, 'one\ntwo\n');
  await tracker.end('t1');
  await undoAll();
  expect(files).toEqual(before);
});

it('leaves a file alone that has changed since and is no text, until that is undone', async () => {
  files.set('latin.md', LATIN);
  await tracker.begin('talk', 't1');
  files.set('latin.md', 'agent\n');
  await tracker.end('t1');
  files.set('latin.md', 'agent\nmine\n');
  const { kept, undone } = await undoAll();
  expect([kept.length, undone.length]).toEqual([1, 0]);
  expect(files.get('latin.md')).toBe('agent\nmine\n');
  files.set('latin.md', 'agent\n');
  await undoAll();
  expect(files.get('latin.md')).toEqual(LATIN);
});

it('undoes a change that has made a file too large for a copy', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', LARGE);
  await tracker.end('t1');
  await undoAll();
  expect(files.get('a.md')).toBe('one\ntwo\n');
});

it('says that no copy of a large file is kept, and cannot undo its change', async () => {
  files.set('large.md', LARGE);
  await tracker.begin('talk', 't1');
  expect(await tracker.keep('large.md')).toBe(false);
  expect(await tracker.keep('a.md')).toBe(true);
  files.set('large.md', 'agent\n');
  await tracker.end('t1');
  expect(paths()).toEqual(['large.md']);
  const { lost } = await undoAll();
  expect(lost).toHaveLength(1);
  expect(files.get('large.md')).toBe('agent\n');
});

it('does not take what the agent did before it named a file for what was there', async () => {
  await tracker.begin('talk', 't1');
  files.set('a.md', 'agent\n');
  await tracker.keep('a.md');
  files.set('a.md', 'agent\nmore\n');
  await tracker.end('t1');
  await undoAll();
  expect(files.get('a.md')).toBe('one\ntwo\n');
});

it('merges what the user types while a change is undone', async () => {
  const ports = createFiles(files);
  let isTyped = false;
  const replace: typeof ports.replace = (path, current, changed) => {
    if (isTyped) return ports.replace(path, current, changed);
    isTyped = true;
    files.set('a.md', 'one\nagent\ntwo\nmine\n');
    return Promise.resolve(false);
  };
  tracker = new ChangeTracker(
    { ...ports, replace },
    store,
    { now: () => now },
    NOOP_SCHEDULER,
    () => undefined,
  );
  await tracker.begin('talk', 't1');
  files.set('a.md', 'one\nagent\ntwo\n');
  await tracker.end('t1');
  await undoAll();
  expect(files.get('a.md')).toBe('one\ntwo\nmine\n');
});
