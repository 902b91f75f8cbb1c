import { describe, expect, it } from 'vitest';
import { moveStateInLog } from '../../../src/agents/shared/move-state.js';
import type { Draft } from '../../../src/model/event.js';
import { allStates, allWorkspaces } from '../../../src/model/lookup.js';
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
import { createTestRandom } from '../../fakes/deterministic.js';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';
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

describe('the states in a picker', () => {
  it('list the current workspace first, then the others, newest first', async () => {
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

  it('exclude archived workspaces, even the current one', async () => {
    const memory = await gardenAndHouse();
    expect(titles(await stateCandidates(memory, 'attic', false, NOOP_SCHEDULER))).toEqual([
      'Roof',
      'Seeds',
      'Beds',
    ]);
  });

  it('are only the archived ones on request', async () => {
    const memory = await gardenAndHouse();
    expect(titles(await stateCandidates(memory, 'garden', true, NOOP_SCHEDULER))).toEqual([
      'Old beds',
    ]);
  });

  it('are not the originals of states that were moved', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', { ...stateNamed('Roof'), context: { workspaceId: 'default' } });
    const before = await vault.log.memory();
    const [target] = allWorkspaces(before).filter(({ displayName }) => displayName === 'Garden');
    const [roof] = allStates(before, DEFAULT_WORKSPACE);
    const services = { log: vault.log, random: createTestRandom(7) };
    await moveStateInLog(services, { state: roof!.item, workspace: target!.item });
    const memory = await vault.log.memory();
    expect(titles(await stateCandidates(memory, 'garden', true, NOOP_SCHEDULER))).toEqual([]);
    expect(titles(await stateCandidates(memory, 'garden', false, NOOP_SCHEDULER))).toEqual([
      'Roof',
    ]);
  });

  it('shorten any description to one line', async () => {
    const description = `<img src=x onerror=alert(1)>\u2028${'long '.repeat(100_000)}`;
    const memory = memoryOf([await stateDraft('A', 'a', 'default', { description })]);
    const [candidate] = await stateCandidates(memory, DEFAULT_WORKSPACE, false, NOOP_SCHEDULER);
    expect(candidate?.notes[1]).toMatch(/^<img src=x onerror=alert\(1\)> long .*…$/);
    expect(candidate?.notes[1]?.length).toBeLessThanOrEqual(121);
  });
});

describe('the workspaces in a picker', () => {
  it('start with the current one, marked, followed by those with the newest states', async () => {
    const found = workspaceCandidates(
      await gardenAndHouse(),
      'house',
      ({ isArchived }) => !isArchived,
    );
    expect(found.map(({ title, isCurrent }) => [title, isCurrent])).toEqual([
      ['House', true],
      ['Garden', false],
      ['Default', false],
    ]);
  });

  it('are sorted by the number in the name if they have no states', () => {
    const names = ['Chapter 10', 'Chapter 9', 'chapter 1'];
    const memory = memoryOf(names.map((name) => workspaceDraft(name)));
    const found = workspaceCandidates(memory, DEFAULT_WORKSPACE, () => true);
    expect(titles(found)).toEqual(['Default', 'chapter 1', 'Chapter 9', 'Chapter 10']);
  });

  it('have a creation date, except the built-in one', async () => {
    const found = workspaceCandidates(await gardenAndHouse(), 'house', () => true);
    expect(found.filter(({ createdAt }) => createdAt === '').map(({ title }) => title)).toEqual([
      'Default',
    ]);
  });
});

describe('findCandidates', () => {
  const candidate = (title: string, ...notes: string[]): PickerItem<unknown> => ({
    title,
    notes,
    createdAt: '',
    isCurrent: false,
    item: {} as never,
  });

  /** Matches a substring; an earlier match scores higher. */
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

  it('returns the first candidates for a blank query', async () => {
    const found = await find([candidate('A'), candidate('B'), candidate('C')], '  ', { limit: 2 });
    expect(found.map(({ candidate: { title }, places }) => [title, places])).toEqual([
      ['A', []],
      ['B', []],
    ]);
  });

  it('ranks matches in the title above matches in the notes', async () => {
    const all = [
      candidate('Roof', 'bed'),
      candidate('An old bed'),
      candidate('Bed'),
      candidate('Seeds', 'Garden'),
    ];
    const found = await find(all, 'bed');
    expect(found.map(({ candidate: { title } }) => title)).toEqual(['Bed', 'An old bed', 'Roof']);
  });

  it('keeps the order of equal matches and returns the matched range', async () => {
    const all = [candidate('One', 'Garden', 'x'), candidate('Two', 'Garden', 'y')];
    const found = await find(all, 'garden');
    expect(
      found.map(({ candidate: each, places }) => searchedText(each).slice(...(places[0] ?? []))),
    ).toEqual(['Garden', 'Garden']);
    expect(found.map(({ candidate: { title } }) => title)).toEqual(['One', 'Two']);
  });

  it('yields to the host during a long search and stops when aborted', async () => {
    let [now, breaths] = [0, 0];
    const yieldToHost = () => Promise.resolve(void breaths++);
    const slowly = (query: string) => (text: string) => {
      now += 1; // each match takes a millisecond on this clock
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
