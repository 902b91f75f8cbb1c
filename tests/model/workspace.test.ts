import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, LogEvent } from '../../src/model/event.js';
import {
  apply,
  emptyMemory,
  entityOf,
  fold,
  type Entity,
  type Memory,
} from '../../src/model/memory.js';
import {
  workspaceChanges,
  workspaceData,
  workspaceOf,
  type Workspace,
  type WorkspaceFields,
} from '../../src/model/workspace.js';
import { clockText, eventOf, WRITER_A, WRITER_B } from '../fakes/events.js';

/** A device that edits a workspace, with its memory and written events. */
interface Device {
  memory: Memory;
  written: LogEvent[];
}

let time = 0;

function created(more: Partial<WorkspaceFields> = {}): Device {
  const d = workspaceData({
    name: 'Plan',
    description: 'd',
    rootFolder: 'Notes',
    purpose: 'p',
    ...more,
  });
  const event = eventOf({ t: 'ws.new', e: 'w1', d, n: ++time, h: clockText(time) });
  return { memory: apply(emptyMemory, event), written: [] };
}

function entity({ memory }: Device): Entity {
  return entityOf(memory, 'w1');
}

function shown(device: Device): Workspace {
  return workspaceOf(entity(device))!;
}

function plain(value: JsonObject): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Returns the device after an update. Later updates have later stamps. */
function update(device: Device, fields: Partial<WorkspaceFields>, w = WRITER_A): Device {
  const event = eventOf({
    t: 'set',
    e: 'w1',
    d: workspaceChanges(entity(device), fields),
    w,
    n: ++time,
    h: clockText(time),
  });
  return { memory: apply(device.memory, event), written: [...device.written, event] };
}

/**
 * Lets two devices exchange their events. Expects both to show the same workspace, and returns it.
 */
function merged(one: Device, other: Device): Workspace {
  const [here, there] = [fold(one.memory, other.written), fold(other.memory, one.written)];
  const [a, b] = [here, there].map((memory) => workspaceOf(entityOf(memory, 'w1'))!);
  expect(a).toEqual(b);
  return a!;
}

const element = fc.constantFrom(
  'a.md',
  'b.md',
  'c/d.md',
  'c~d.md',
  '~1',
  '',
  '__proto__',
  'ü 1.md',
);
const list = fc.uniqueArray(element, { maxLength: 6 });
const leaf = fc.constantFrom<Json>('x', 1, true, [], ['y', { z: 1 }], {});
const key = fc.constantFrom('a', 'b', 'c/d', '~0', '__proto__', '');
const { preferences } = fc.letrec<{ preferences: JsonObject; value: Json }>((tie) => ({
  preferences: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('preferences')),
}));

describe('a workspace', () => {
  it('has the fields of its creation', () => {
    const device = created({
      workflows: ['w2', 'w1', 'w2'],
      keyFiles: ['b.md', 'a.md'],
      preferences: { tone: 'dry', a: { b: [1] } },
    });
    expect(shown(device)).toEqual({
      id: 'w1',
      name: 'Plan',
      description: 'd',
      rootFolder: 'Notes',
      purpose: 'p',
      isArchived: false,
      workflows: ['w2', 'w1'],
      keyFiles: ['b.md', 'a.md'],
      preferences: { tone: 'dry', a: { b: [1] } },
      createdAt: clockText(time).slice(0, 24),
    });
  });

  it('has exactly the last fields, and setting them again changes nothing', () => {
    const fields = fc.record(
      {
        workflows: list,
        keyFiles: list,
        preferences,
        purpose: fc.constantFrom('p', 'q', ''),
        isArchived: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, fc.array(fields, { minLength: 1, maxLength: 6 }), (initial, updates) => {
        let device = created({ ...initial, isArchived: false });
        for (const wanted of updates) {
          device = update(device, wanted);
          const now = shown(device);
          expect({ ...now, preferences: plain(now.preferences) }).toMatchObject({
            ...wanted,
            ...(wanted.preferences && { preferences: {} }),
          });
          if (wanted.preferences) expect(plain(now.preferences)).toEqual(plain(wanted.preferences));
          expect(workspaceChanges(entity(device), wanted)).toEqual({});
        }
      }),
      { numRuns: 300 },
    );
  });

  it('sets only changed values', () => {
    const device = created({
      keyFiles: ['a', 'b', 'c'],
      preferences: { tone: 'dry', deep: { x: 1, y: 2 } },
    });
    expect(
      workspaceChanges(entity(device), {
        name: 'Plan',
        keyFiles: ['a', 'b', 'c'],
        preferences: { tone: 'dry', deep: { x: 1, y: 2 } },
      }),
    ).toEqual({});
    expect(workspaceChanges(entity(device), { keyFiles: ['a', 'b', 'c', 'd'] })).toEqual({
      '/keyFiles/d': 4,
    });
    expect(workspaceChanges(entity(device), { keyFiles: ['a', 'c'] })).toEqual({
      '/keyFiles/b': null,
    });
    expect(workspaceChanges(entity(device), { keyFiles: ['a', 'x', 'b', 'c'] })).toEqual({
      '/keyFiles/x': 1.5,
    });
    expect(
      workspaceChanges(entity(device), { preferences: { tone: 'dry', deep: { x: 1, y: 3 } } }),
    ).toEqual({ '/preferences/deep/y': 3 });
  });

  it('writes paths as JSON pointers', () => {
    const device = created();
    expect(
      workspaceChanges(entity(device), {
        keyFiles: ['Projects/a~b.md'],
        preferences: { 'a/b': { '~': 1 } },
      }),
    ).toEqual({
      '/keyFiles/Projects~1a~0b.md': 1,
      '/preferences/a~1b/~0': 1,
    });
  });

  it('keeps the order after repeated inserts at the same position', () => {
    let device = created({ workflows: ['first', 'last'] });
    const wanted = ['first', 'last'];
    for (let i = 0; i < 80; i++) {
      wanted.splice(1, 0, `step ${i % 7} ${i}`);
      device = update(device, { workflows: wanted });
    }
    expect(shown(device).workflows).toEqual(wanted);
  });

  it('keeps the order if no number fits between two ranks', () => {
    for (const rank of [1e308, 2 ** 53, 5e-324, -1, 0]) {
      const device = created({ workflows: ['a', 'b'] });
      const memory = apply(
        device.memory,
        eventOf({
          t: 'set',
          e: 'w1',
          d: { '/workflows/b': rank, '/workflows/a': rank },
          n: ++time,
          h: clockText(time),
        }),
      );
      for (const wanted of [
        ['a', 'b', 'x', 'y'],
        ['y', 'x', 'b', 'a'],
        ['x', 'a', 'y', 'b'],
      ])
        expect(shown(update({ memory, written: [] }, { workflows: wanted })).workflows).toEqual(
          wanted,
        );
    }
  });

  it('merges concurrent additions and removals in a list', () => {
    const base = created({ keyFiles: ['a', 'b', 'c'] });
    const one = update(base, { keyFiles: ['a', 'b', 'c', 'mine'] });
    const other = update(base, { keyFiles: ['yours', 'a', 'c'] }, WRITER_B);
    expect(merged(one, other).keyFiles).toEqual(['yours', 'a', 'c', 'mine']);
  });

  it('keeps each element once after concurrent reordering', () => {
    const base = created({ workflows: ['a', 'b', 'c'] });
    const one = update(base, { workflows: ['c', 'b', 'a'] });
    const other = update(base, { workflows: ['b', 'a', 'c'] }, WRITER_B);
    expect([...merged(one, other).workflows].sort()).toEqual(['a', 'b', 'c']);
  });

  it('keeps preferences that two devices set concurrently', () => {
    const base = created({ preferences: { style: { tone: 'dry' } } });
    const one = update(base, { preferences: { style: { tone: 'dry', length: 'short' } } });
    const other = update(
      base,
      { preferences: { style: { tone: 'warm' }, language: 'fi' } },
      WRITER_B,
    );
    expect(plain(merged(one, other).preferences)).toEqual({
      style: { tone: 'warm', length: 'short' },
      language: 'fi',
    });
  });

  it('keeps a preference when another is removed concurrently', () => {
    const base = created({ preferences: { style: { tone: 'dry' } } });
    const one = update(base, { preferences: { style: { tone: 'dry', length: 'short' } } });
    const other = update(base, { preferences: {} }, WRITER_B);
    expect(plain(merged(one, other).preferences)).toEqual({ style: { length: 'short' } });
  });

  it('lets the later write decide between a value and an object', () => {
    const base = created({ preferences: { style: 'dry' } });
    const object = update(base, { preferences: { style: { tone: 'dry' } } });
    const value = update(base, { preferences: { style: 'warm' } }, WRITER_B);
    expect(plain(merged(object, value).preferences)).toEqual({ style: 'warm' });
    const objectLater = update(base, { preferences: { style: { tone: 'dry' } } });
    expect(plain(merged(value, objectLater).preferences)).toEqual({ style: { tone: 'dry' } });
  });

  it('lets the last write of a plain field win', () => {
    const base = created();
    const one = update(base, { purpose: 'one' });
    const other = update(base, { purpose: 'other' }, WRITER_B);
    expect(merged(one, other).purpose).toBe('other');
  });

  it('treats a null preference as absent', () => {
    const device = update(created({ preferences: { a: 1, b: null } }), {
      preferences: { a: null, c: { d: null } },
    });
    expect(plain(shown(device).preferences)).toEqual({});
    expect(workspaceChanges(entity(device), { preferences: { a: null } })).toEqual({});
  });

  it('refuses preferences that are nested too deeply', () => {
    let deep: JsonObject = {};
    for (let i = 0; i < 10_000; i++) deep = { a: deep };
    expect(() =>
      workspaceData({
        name: 'x',
        description: 'x',
        rootFolder: 'x',
        purpose: 'x',
        preferences: deep,
      }),
    ).toThrow(/nested/);
    expect(() => workspaceChanges(entity(created()), { preferences: { a: deep } })).toThrow(
      /nested/,
    );
  });
});
