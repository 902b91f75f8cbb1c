import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { DEFAULT_WORKSPACE, emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import { NOOP_SCHEDULER, Scheduler } from '../../../src/platform/scheduler.js';
import {
  findCandidates,
  searchedText,
  stateCandidates,
  workspaceCandidates,
  type PickerItem,
  type TextMatch,
} from '../../../src/obsidian/pickers/candidates.js';
import { clockText, eventOf, stateDraft, workspaceDraft } from '../../fakes/events.js';

function memoryOf(drafts: readonly Draft[]): Memory {
  return fold(
    emptyMemory,
    drafts.map((draft, minute) => eventOf({ ...draft, n: minute + 1, h: clockText(minute) })),
  );
}

const archived = (id: string): Draft => ({ t: 'set', e: id, d: { '/isArchived': true } });

async function gardenAndHouse(): Promise<Memory> {
  return memoryOf([
    workspaceDraft('Garden', 'garden'),
    workspaceDraft('House', 'house'),
    workspaceDraft('Attic', 'attic'),
    await stateDraft('Beds', 'beds', 'garden', { description: 'Three beds' }),
    await stateDraft('Seeds', 'seeds', 'garden', { activeTask: 'Order   seeds\nsoon' }),
    await stateDraft('Roof', 'roof', 'house'),
    await stateDraft('Boxes', 'boxes', 'attic'),
    await stateDraft('Old beds', 'old', 'garden'),
    archived('old'),
    archived('attic'),
  ]);
}

const titles = (candidates: readonly PickerItem<unknown>[]) => candidates.map(({ title }) => title);

describe('the states of a picker', () => {
  it('are those of the current workspace first, newest first, then those of the others, each with its workspace', async () => {
    const memory = await gardenAndHouse();
    expect(titles(await stateCandidates(memory, 'house', false, NOOP_SCHEDULER))).toEqual([
      'Roof',
      'Seeds',
      'Beds',
    ]);
    const inGarden = await stateCandidates(memory, 'garden', false, NOOP_SCHEDULER);
    expect(inGarden.map(({ title, notes }) => [title, ...notes])).toEqual([
      ['Seeds', 'Garden', 'Order seeds soon'],
      ['Beds', 'Garden', 'Three beds'],
      ['Roof', 'House', 'Test'],
    ]);
  });

  it('are of no archived workspace, unless the device is in it', async () => {
    const memory = await gardenAndHouse();
    expect(titles(await stateCandidates(memory, 'attic', false, NOOP_SCHEDULER))).toEqual([
      'Boxes',
      'Seeds',
      'Beds',
      'Roof',
    ]);
  });

  it('are the archived ones alone where these are wanted', async () => {
    const memory = await gardenAndHouse();
    expect(titles(await stateCandidates(memory, 'garden', true, NOOP_SCHEDULER))).toEqual([
      'Old beds',
    ]);
  });

  it('have a note of one short line for any text', async () => {
    const description = `<img src=x onerror=alert(1)>\u2028${'long '.repeat(100_000)}`;
    const memory = memoryOf([await stateDraft('A', 'a', 'default', { description })]);
    const [candidate] = await stateCandidates(memory, DEFAULT_WORKSPACE, false, NOOP_SCHEDULER);
    expect(candidate?.notes[1]).toMatch(/^<img src=x onerror=alert\(1\)> long .*…$/);
    expect(candidate?.notes[1]?.length).toBeLessThanOrEqual(121);
  });
});

describe('the workspaces of a picker', () => {
  it('are the current one first, which is marked, then the others by name', async () => {
    const found = workspaceCandidates(
      await gardenAndHouse(),
      'house',
      ({ isArchived }) => !isArchived,
    );
    expect(found.map(({ title, isCurrent }) => [title, isCurrent])).toEqual([
      ['House', true],
      ['Default', false],
      ['Garden', false],
    ]);
  });

  it('show no age of the built-in one, which has none', async () => {
    const found = workspaceCandidates(await gardenAndHouse(), 'house', () => true);
    expect(found.filter(({ createdAt }) => createdAt === '').map(({ title }) => title)).toEqual([
      'Default',
    ]);
  });
});

describe('finding among candidates', () => {
  const candidate = (title: string, ...notes: string[]): PickerItem<unknown> => ({
    title,
    notes,
    createdAt: '',
    isCurrent: false,
    item: {} as never,
  });

  /** Fits where the query stands; the sooner the better. */
  const prepare =
    (query: string) =>
    (text: string): TextMatch | null => {
      const at = text.toLowerCase().indexOf(query);
      return at < 0 ? null : { score: -at, matches: [[at, at + query.length]] };
    };

  const find = (candidates: readonly PickerItem<unknown>[], query: string, more: object = {}) =>
    findCandidates(candidates, query, {
      prepare,
      limit: 10,
      scheduler: NOOP_SCHEDULER,
      signal: new AbortController().signal,
      ...more,
    });

  it('answers the first ones where nothing is asked for', async () => {
    const found = await find([candidate('A'), candidate('B'), candidate('C')], '  ', { limit: 2 });
    expect(found.map(({ candidate: { title }, places }) => [title, places])).toEqual([['A', []], ['B', []]]); // prettier-ignore
  });

  it('puts those that fit by name before those that fit by what stands below it', async () => {
    const all = [
      candidate('Roof', 'bed'),
      candidate('An old bed'),
      candidate('Bed'),
      candidate('Seeds', 'Garden'),
    ];
    const found = await find(all, 'bed');
    expect(found.map(({ candidate: { title } }) => title)).toEqual(['Bed', 'An old bed', 'Roof']);
  });

  it('keeps the order of equals and tells where in the text of a row it fits', async () => {
    const all = [candidate('One', 'Garden', 'x'), candidate('Two', 'Garden', 'y')];
    const found = await find(all, 'garden');
    expect(
      found.map(({ candidate: each, places }) => searchedText(each).slice(...(places[0] ?? []))),
    ).toEqual(['Garden', 'Garden']);
    expect(found.map(({ candidate: { title } }) => title)).toEqual(['One', 'Two']);
  });

  it('stops where nobody waits any more, and pauses while there is much to look at', async () => {
    let [now, breaths] = [0, 0];
    const yieldToHost = () => Promise.resolve(void breaths++);
    const slowly = (query: string) => (text: string) => {
      now += 1; // each look takes a millisecond of this clock
      return prepare(query)(text);
    };
    const all = Array.from({ length: 100 }, (_, index) => candidate(`State ${index}`));
    const scheduler = new Scheduler({ now: () => now }, yieldToHost);
    expect(await find(all, 'state', { prepare: slowly, scheduler, limit: 100 })).toHaveLength(100);
    expect(breaths).toBeGreaterThan(5);
    expect(
      await find(all, 'state', { prepare: slowly, scheduler, signal: AbortSignal.abort() }),
    ).toEqual([]);
  });
});
