import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedStates } from '../../../src/indexing/memory/changed-entities.js';
import type { Draft } from '../../../src/model/event.js';
import { allStates } from '../../../src/model/lookup.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { clockText, eventOf, stateDraft } from '../../fakes/events.js';

const EARLY = 'zzzzearly2345678';
const LATE = 'k3v9late23456789';

function archive(id: string): Draft {
  return { t: 'set', e: id, d: { '/isArchived': true } };
}

describe('changedStates', () => {
  it('includes a state that gets its name from an earlier creation', async () => {
    const at = (minute: number, draft: Draft) =>
      eventOf({ ...draft, n: 10 - minute, h: clockText(minute) });
    const before = fold(emptyMemory, [
      at(1, await stateDraft('One', EARLY, 'w1')),
      at(2, await stateDraft('Two', 'c', 'w1')),
    ]);
    const after = fold(before, [at(0, await stateDraft('One', 'c', 'w1')), at(3, archive(EARLY))]);
    const changed = changedStates(before, after, 'w1');
    expect([...changed.keys()].sort()).toEqual(['c', EARLY]);
    expect(changed.get('c')?.displayName).toBe('One');
  });

  it('brings a list of states up to date after any events', async () => {
    const anyPart = fc.record({
      id: fc.constantFrom(EARLY, LATE, 'a', 'b', 'c'),
      name: fc.constantFrom('One', 'one', 'Two'),
      ws: fc.constantFrom('w1', 'w2'),
      minute: fc.nat(9),
      isArchival: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyPart, { maxLength: 12 }), fc.nat(12), async (parts, split) => {
        const events = await Promise.all(
          parts.map(async ({ id, name, ws, minute, isArchival }, n) =>
            eventOf({
              ...(isArchival ? archive(id) : await stateDraft(name, id, ws)),
              n: n + 1,
              h: clockText(minute),
            }),
          ),
        );
        const before = fold(emptyMemory, events.slice(0, split));
        const after = fold(before, events.slice(split));
        const shown = new Map(allStates(before, 'w1').map((each) => [each.entity.id, each]));
        for (const [id, now] of changedStates(before, after, 'w1')) {
          if (now) shown.set(id, now);
          else shown.delete(id);
        }
        const told = (
          all: Iterable<{ displayName: string; item: { id: string; isArchived: boolean } }>,
        ) =>
          [...all]
            .map(({ displayName, item }) => `${item.id} ${displayName} ${item.isArchived}`)
            .sort();
        expect(told(shown.values())).toEqual(told(allStates(after, 'w1')));
      }),
      { numRuns: 300 },
    );
  });
});
