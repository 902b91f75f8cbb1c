import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allStates,
  allWorkspaces,
  lookupState,
  lookupWorkspace,
  lookupWorkspaceByRef,
  type LookupResult,
  type Named,
} from '../../src/model/lookup.js';
import { emptyMemory, fold, type Memory } from '../../src/model/memory.js';
import { nameKey, nameWithMark } from '../../src/model/names.js';
import { stateData } from '../../src/model/state.js';
import {
  clockText,
  contentOf,
  eventOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../fakes/events.js';
import { runs } from './runs.js';

interface Made {
  readonly id: string;
  readonly name: string;
  readonly minute: number;
  readonly isState: boolean;
  /** States with the same name and content are merged. */
  readonly content: number;
}

const made: fc.Arbitrary<Made[]> = fc.uniqueArray(
  fc.record({
    id: fc
      .constantFrom('aaaa', 'aaab', 'bbbb')
      .chain((mark) =>
        fc
          .string({ unit: fc.constantFrom('c', 'd', '2'), minLength: 3, maxLength: 3 })
          .map((rest) => mark + rest),
      ),
    name: fc.constantFrom('Plan', 'plan ', 'PLAN', 'Plän', 'Pla\u0308n', 'Other', '__proto__'),
    minute: fc.nat(9),
    isState: fc.boolean(),
    content: fc.nat(2),
  }),
  { selector: ({ id }) => id, maxLength: 8 },
);

function memoryOf(things: readonly Made[], order: readonly number[]): Memory {
  const events = things.map(({ id, name, minute, isState, content }, n) => {
    const stamp = { w: n % 2 === 0 ? WRITER_A : WRITER_B, n: n + 1, h: clockText(minute), e: id };
    if (!isState) return eventOf({ ...stamp, ...workspaceDraft(name, id) });
    return eventOf({
      ...stamp,
      t: 'state.new',
      d: stateData('default', contentOf(name), `sha ${content}`),
    });
  });
  return fold(
    emptyMemory,
    [...events].sort((a, b) => (order[a.n] ?? 0) - (order[b.n] ?? 0)),
  );
}

interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Returns the id that a lookup has found, or undefined unless there is exactly one match. */
function idAt(found: LookupResult<Named<NamedThing>>): string | undefined {
  return 'item' in found ? found.item.item.id : undefined;
}

describe('invariant 7: two items with the same name', () => {
  it('both exist on every device, and the bare name is ambiguous', () => {
    fc.assert(
      fc.property(
        made,
        fc.array(fc.nat(99), { minLength: 10, maxLength: 10 }),
        fc.array(fc.nat(99), { minLength: 10, maxLength: 10 }),
        (things, here, there) => {
          const [memory, elsewhere] = [memoryOf(things, here), memoryOf(things, there)];
          const kinds = [
            {
              all: allStates(memory, 'default'),
              again: allStates(elsewhere, 'default'),
              find: (name: string) => lookupState(memory, 'default', name),
            },
            {
              all: allWorkspaces(memory),
              again: allWorkspaces(elsewhere),
              find: (name: string) => lookupWorkspace(memory, name),
            },
          ];
          const shown = kinds.flatMap(({ all }) => all.map(({ item }) => item.id));
          for (const { id, name, isState, content } of things) {
            const twins = things.filter(
              (other) =>
                isState &&
                other.isState &&
                nameKey(other.name) === nameKey(name) &&
                other.content === content,
            );
            expect(
              shown.filter((other) => other === id || twins.some((twin) => twin.id === other)),
            ).toHaveLength(1);
          }
          for (const { all, again, find } of kinds) {
            expect(all.map(({ displayName, item }) => [item.id, displayName])).toEqual(
              again.map(({ displayName, item }) => [item.id, displayName]),
            );
            for (const { item } of all) {
              const sameNamed = all.filter(
                (other) => nameKey(other.item.name) === nameKey(item.name),
              );
              const found = find(item.name);
              if (sameNamed.length === 1) expect(idAt(found)).toBe(item.id);
              else expect('several' in found && found.several).toHaveLength(sameNamed.length);
              expect([item.id, undefined]).toContain(idAt(find(nameWithMark(item.name, item.id))));
            }
          }
          for (const { item } of allWorkspaces(memory))
            expect(idAt(lookupWorkspaceByRef(memory, item.id))).toBe(item.id);
        },
      ),
      runs(),
    );
  });
});
