import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, emptyMemory, entityOf, fold, type Memory } from '../../../src/model/memory.js';
import {
  earlierStates,
  newerStates,
  newestOfPieces,
  otherNewestStates,
} from '../../../src/model/states/pieces.js';
import { allStates } from '../../../src/model/lookup.js';
import { stateData, stateOf, type State } from '../../../src/model/state.js';
import { readLazyState } from '../../../src/storage/format/lazy-state.js';
import { clockText, contentOf, eventOf, lineOf } from '../../fakes/events.js';

/** Returns the events of states, each of which continues another one by its position. */
function eventsOf(continued: readonly (number | undefined)[], archived: readonly number[] = []) {
  const states = continued.map((before, at) => ({
    t: 'state.new',
    e: `s${at}`,
    n: at + 1,
    h: clockText(at),
    d: stateData('default', contentOf(`State ${at}`), `sha ${at}`, {
      ...(before !== undefined && { continues: `s${before}` }),
    }),
  }));
  const archivals = archived.map((at, index) => ({
    t: 'set',
    e: `s${at}`,
    n: 1000 + index,
    h: clockText(1000 + index),
    d: { '/isArchived': true },
  }));
  return [...states, ...archivals].map(eventOf);
}

function memoryOf(
  continued: readonly (number | undefined)[],
  archived?: readonly number[],
): Memory {
  return fold(emptyMemory, eventsOf(continued, archived));
}

function stateAt(memory: Memory, at: number): State {
  return stateOf(entityOf(memory, `s${at}`))!;
}

const idsOf = (states: readonly { item: State }[]) => states.map(({ item }) => item.id);

describe('a piece of work', () => {
  it('is a chain from the newest state to the first', () => {
    const memory = memoryOf([undefined, 0, 1, undefined]);
    expect(idsOf(earlierStates(memory, stateAt(memory, 2)))).toEqual(['s1', 's0']);
    expect(idsOf(newerStates(memory, stateAt(memory, 0)))).toEqual(['s2']);
    expect(newerStates(memory, stateAt(memory, 2))).toEqual([]);
    expect(newerStates(memory, stateAt(memory, 3))).toEqual([]);
    expect(idsOf(newestOfPieces(memory, allStates(memory, 'default')))).toEqual(['s3', 's2']);
  });

  it('skips archived states', () => {
    const memory = memoryOf([undefined, 0, 1, 2], [1, 3]);
    expect(idsOf(earlierStates(memory, stateAt(memory, 2)))).toEqual(['s0']);
    expect(idsOf(newerStates(memory, stateAt(memory, 0)))).toEqual(['s2']);
    expect(newerStates(memory, stateAt(memory, 2))).toEqual([]);
  });

  it('is looked up once, however many of its newest states are asked for in between', () => {
    const memory = memoryOf([undefined, ...Array<number>(150).fill(0)]);
    const first = newerStates(memory, stateAt(memory, 0));
    for (let at = 1; at <= 150; at++) expect(newerStates(memory, stateAt(memory, at))).toEqual([]);
    expect(newerStates(memory, stateAt(memory, 0))).toBe(first);
  });

  it('has several newest states if devices have continued one at once', () => {
    const memory = memoryOf([undefined, 0, 0]);
    expect(idsOf(newerStates(memory, stateAt(memory, 0)))).toEqual(['s2', 's1']);
    expect(idsOf(otherNewestStates(memory, stateAt(memory, 1), 5))).toEqual(['s2']);
  });

  it('names as many of the newest states as are asked for', () => {
    const memory = memoryOf([undefined, 0, 0, 0, 0]);
    const others = (at: number) => idsOf(otherNewestStates(memory, stateAt(memory, at), 2));
    expect(others(4)).toEqual(['s3', 's2']);
    expect(others(1)).toEqual(['s4', 's3']);
    expect(others(3)).toEqual(['s4', 's2']);
  });

  it('is followed once per memory', () => {
    const memory = memoryOf([undefined, 0, 0]);
    const newest = newerStates(memory, stateAt(memory, 0));
    expect(newerStates(memory, stateAt(memory, 0))).toBe(newest);
    const more = eventsOf([undefined, 0, 0, 1]).reduce(apply, memory);
    expect(idsOf(newerStates(more, stateAt(more, 0)))).toEqual(['s3', 's2']);
    expect(newerStates(memory, stateAt(memory, 0))).toBe(newest);
  });

  it('ends where a state is missing, and survives forged circles', () => {
    const missing = memoryOf([7, 0]);
    expect(idsOf(earlierStates(missing, stateAt(missing, 1)))).toEqual(['s0']);
    const circle = memoryOf([1, 0, 2]);
    expect(idsOf(earlierStates(circle, stateAt(circle, 0)))).toEqual(['s1']);
    expect(idsOf(newerStates(circle, stateAt(circle, 0)))).toEqual(['s1']);
    expect(newerStates(circle, stateAt(circle, 2))).toEqual([]);
  });

  it('includes what continues a twin of a state', () => {
    const twin = { t: 'state.new', n: 50, h: clockText(50) };
    const data = stateData('default', contentOf('State 0'), 'sha 0');
    const after = stateData('default', contentOf('After'), 'sha', { continues: 'twin' });
    const memory = [
      eventOf({ ...twin, e: 'twin', d: data }),
      eventOf({ ...twin, e: 'after', n: 51, h: clockText(51), d: after }),
    ].reduce(apply, memoryOf([undefined]));
    expect(idsOf(newerStates(memory, stateAt(memory, 0)))).toEqual(['after']);
    expect(idsOf(earlierStates(memory, stateOf(entityOf(memory, 'after'))!))).toEqual(['s0']);
  });

  it('is the same in any order of events, read lazily or as a whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.nat(12), { nil: undefined }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(12), { maxLength: 4 }),
        fc.integer(),
        (continued, archived, seed) => {
          const events = eventsOf(continued, archived);
          const shuffled = events.toSorted(
            (a, b) => ((a.n * 7919 + seed) % 31) - ((b.n * 7919 + seed) % 31),
          );
          const lazy = shuffled.map((event) => {
            const { bytes } = lineOf(event);
            return readLazyState(bytes, 0, bytes.length, event.c) ?? event;
          });
          const heads = lazy.flatMap(({ t, head }) =>
            t === 'state.new' ? [head !== undefined] : [],
          );
          expect(heads).toEqual(continued.map(() => true));
          const [one, other] = [fold(emptyMemory, events), lazy.reduce(apply, emptyMemory)];
          for (const at of continued.keys()) {
            expect(idsOf(newerStates(other, stateAt(other, at)))).toEqual(
              idsOf(newerStates(one, stateAt(one, at))),
            );
            expect(idsOf(earlierStates(other, stateAt(other, at)))).toEqual(
              idsOf(earlierStates(one, stateAt(one, at))),
            );
          }
        },
      ),
    );
  });
});
