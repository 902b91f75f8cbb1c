import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  CALL_KEY,
  REPLACES_KEY,
  type Json,
  type JsonObject,
  type LogEvent,
} from '../../src/model/event.js';
import { allStates, allWorkspaces, isNameTaken } from '../../src/model/lookup.js';
import {
  apply,
  DEFAULT_WORKSPACE,
  emptyMemory,
  entityName,
  entityOf,
  fold,
  includesEvent,
  registerOf,
  VAULT_SCOPE,
  withReplacedVersions,
  type Memory,
} from '../../src/model/memory.js';
import { mapGet } from '../../src/model/persistent-map.js';
import { stateOf } from '../../src/model/state.js';
import { workspaceOf } from '../../src/model/workspace.js';
import { canonicalMemory } from '../fakes/canonical.js';
import {
  clockText,
  eventOf,
  stateDraft,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../fakes/events.js';

const stateData: JsonObject = {};
beforeAll(async () => Object.assign(stateData, (await stateDraft('Save')).d));

function setOf(e: string, d: JsonObject, n: number, h = clockText(n)): LogEvent {
  return eventOf({ t: 'set', e, d, n, h });
}

/** Returns a memory as text, to check that it has not changed. */
function deepText(memory: Memory): string {
  return JSON.stringify(memory, (_, value: unknown) =>
    value instanceof Map ? [...(value as Map<string, unknown>)] : value,
  );
}

/** Events with few entities, names, paths and keys, so that they collide. Stamps are unique. */
const someEvents: fc.Arbitrary<LogEvent[]> = fc
  .array(
    fc.record({
      w: fc.constantFrom(WRITER_A, WRITER_B),
      h: fc.nat({ max: 5 }).map((minute) => clockText(minute)),
      e: fc.constantFrom('one', 'two', DEFAULT_WORKSPACE, '__proto__'),
      what: fc.oneof(
        { weight: 3, arbitrary: fc.constant('ws') },
        { weight: 3, arbitrary: fc.constant('state') },
        { weight: 6, arbitrary: fc.constant('set') },
        fc.constantFrom('vault', 'unknown', 'later', 'broken'),
      ),
      name: fc.constantFrom('A', 'a ', 'B', '__proto__'),
      path: fc.constantFrom(
        '/name',
        '/isArchived',
        '/keyFiles/x.md',
        '/preferences/a',
        '/preferences/a/b',
        '__proto__',
      ),
      value: fc.oneof(
        fc.constantFrom<Json>('A', 'B', null, true, 1),
        fc.jsonValue({ maxDepth: 1 }).map((value) => value as Json),
      ),
      call: fc.option(fc.constantFrom('call 1', 'call 2'), { nil: undefined }),
    }),
    { maxLength: 25 },
  )
  .map((seeds) =>
    seeds.map(({ w, h, e, what, name, path, value, call }, index) => {
      const stamp = { w, h, n: index + 1, e };
      const called = call === undefined ? {} : { [CALL_KEY]: call };
      if (what === 'ws')
        return eventOf({ ...stamp, t: 'ws.new', d: { ...workspaceDraft(name).d, ...called } });
      if (what === 'state')
        return eventOf({ ...stamp, t: 'state.new', d: { ...stateData, name, ws: e, ...called } });
      if (what === 'set')
        return eventOf({ ...stamp, t: 'set', d: { ...own(path, value), ...called } });
      if (what === 'vault') return eventOf({ ...stamp, t: 'log.vault', d: { id: name } });
      if (what === 'later')
        return eventOf({ ...stamp, v: 2, t: 'set', d: { ...own(path, value), ...called } });
      if (what === 'broken')
        return eventOf({ ...stamp, t: 'ws.new', d: { name: value, ...called } });
      return eventOf({ ...stamp, t: 'thing.new', d: { name, ...called } });
    }),
  );

/** Returns an object that may have an own property `__proto__`, like parsed JSON. */
function own(key: string, value: Json): JsonObject {
  return JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as JsonObject;
}

describe('the memory', () => {
  it('starts with only the built-in workspace', () => {
    expect(allWorkspaces(emptyMemory).map(({ displayName }) => displayName)).toEqual(['Default']);
    expect(workspaceOf(entityOf(emptyMemory, DEFAULT_WORKSPACE))).toMatchObject({
      rootFolder: '/',
      isArchived: false,
    });
  });

  it('is the same for any order and repetition of events', () => {
    const shuffled = someEvents.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray([...events, ...events.slice(0, 5)], {
          minLength: events.length + Math.min(5, events.length),
        }),
        fc.nat({ max: 25 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([events, mixed, cut]) => {
        const expected = canonicalMemory(fold(emptyMemory, events));
        expect(canonicalMemory(fold(emptyMemory, mixed))).toEqual(expected);
        expect(
          canonicalMemory(fold(fold(emptyMemory, mixed.slice(0, cut)), mixed.slice(cut))),
        ).toEqual(expected);
        expect(canonicalMemory(mixed.reduce(apply, emptyMemory))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('changes neither the memory nor the event that apply is given', () => {
    fc.assert(
      fc.property(someEvents, someEvents, (early, late) => {
        const memory = fold(emptyMemory, early);
        const [before, events] = [deepText(memory), JSON.stringify(late)];
        fold(memory, late);
        late.forEach((event) => apply(memory, event));
        expect(deepText(memory)).toBe(before);
        expect(JSON.stringify(late)).toBe(events);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps a set event that arrives before the creation', () => {
    const created = eventOf({ ...workspaceDraft('Plan', 'w1'), n: 2, h: clockText(0) });
    const memory = fold(emptyMemory, [
      setOf('w1', { '/name': 'New plan', '/isArchived': true }, 1),
      created,
    ]);
    expect(workspaceOf(entityOf(memory, 'w1'))).toMatchObject({
      name: 'New plan',
      isArchived: true,
    });
    expect([
      isNameTaken(memory, VAULT_SCOPE, 'new plan'),
      isNameTaken(memory, VAULT_SCOPE, 'plan'),
    ]).toEqual([true, false]);
  });

  it('lets the later of two set events win, in log order', () => {
    const sets = [
      setOf('w1', { '/a': 'late' }, 1, clockText(9)),
      setOf('w1', { '/a': 'early' }, 2, clockText(3)),
    ];
    expect(registerOf(entityOf(fold(emptyMemory, sets), 'w1'), '/a')).toBe('late');
    expect(registerOf(entityOf(fold(emptyMemory, sets.reverse()), 'w1'), '/a')).toBe('late');
  });

  it('keeps the earlier of two creations of one entity', () => {
    const late = eventOf({ ...workspaceDraft('Late', 'w1'), h: clockText(2) });
    const early = eventOf({ ...workspaceDraft('Early', 'w1'), h: clockText(1), n: 2 });
    const memory = fold(emptyMemory, [late, early]);
    expect(entityName(entityOf(memory, 'w1'))).toBe('Early');
    expect([
      isNameTaken(memory, VAULT_SCOPE, 'Late'),
      isNameTaken(memory, VAULT_SCOPE, 'Early'),
    ]).toEqual([false, true]);
  });

  it('never renames a state', () => {
    const created = eventOf({ t: 'state.new', e: 's1', d: stateData });
    const memory = fold(emptyMemory, [
      created,
      setOf('s1', { '/name': 'Other', '/activeTask': 'Other' }, 2),
    ]);
    expect(stateOf(entityOf(memory, 's1'))).toMatchObject({ name: 'Save', activeTask: 'Test' });
    expect(isNameTaken(memory, DEFAULT_WORKSPACE, 'Other')).toBe(false);
  });

  it('ignores an event that creates the built-in workspace', () => {
    const memory = apply(
      emptyMemory,
      eventOf({ ...workspaceDraft('Mine', DEFAULT_WORKSPACE), h: '2020-01-01T00:00:00.000Z.0000' }),
    );
    expect(allWorkspaces(memory).map(({ displayName }) => displayName)).toEqual(['Default']);
  });

  it('keeps the earliest vault id', () => {
    const [late, early] = [3, 2].map((minute) =>
      eventOf({
        t: 'log.vault',
        n: minute,
        h: clockText(minute),
        d: { id: String(minute).repeat(16) },
      }),
    );
    expect(fold(emptyMemory, [late!, early!]).vault?.d).toEqual({ id: '2'.repeat(16) });
  });

  it.each(['x'.repeat(5000), 'x'.repeat(15), 'l'.repeat(16), 'X'.repeat(16), 5])(
    'ignores the vault id %j',
    (id) => {
      expect(apply(emptyMemory, eventOf({ t: 'log.vault', d: { id } })).vault).toBeUndefined();
    },
  );

  it('names the versions that a set event replaces, including rivals', () => {
    const one = setOf('w1', { '/a': 1, '/b': 1 }, 1);
    const rival = { ...setOf('w1', { '/a': 2 }, 2), w: WRITER_B };
    const memory = fold(emptyMemory, [one, rival]);
    const draft = { t: 'set', e: 'w1', d: { [CALL_KEY]: 'key', '/a': 3, '/b': 3 } };
    expect(withReplacedVersions(memory, draft)).toEqual({
      ...draft,
      d: { ...draft.d, [REPLACES_KEY]: [`${WRITER_A}:1`, `${WRITER_B}:2`] },
    });
    const others = [
      { ...draft, d: { '/c': 1 } },
      { ...draft, e: 'w2' },
      { ...draft, t: 'ws.new' },
    ];
    expect(others.map((other) => withReplacedVersions(memory, other))).toEqual(others);
  });

  it('lets a set event win over a replaced one with a later date', () => {
    const poisoned = setOf('w1', { '/a': 'poisoned' }, 1, '2199-12-31T23:59:59.999Z.ffff');
    const edit = setOf('w1', { '/a': 'mine', [REPLACES_KEY]: [`${WRITER_A}:1`] }, 2);
    for (const order of [
      [poisoned, edit],
      [edit, poisoned],
    ])
      expect(registerOf(entityOf(fold(emptyMemory, order), 'w1'), '/a')).toBe('mine');
  });

  it('tells whether it includes an event', () => {
    const created = eventOf({ ...workspaceDraft('Plan', 'w1'), h: clockText(1) });
    const set = setOf('w1', { '/a': 1 }, 2);
    const replacing = setOf('w1', { '/a': 2, [REPLACES_KEY]: [`${WRITER_A}:2`] }, 3);
    const memory = fold(emptyMemory, [created, replacing]);
    const later = { ...created, n: 9, h: clockText(9) };
    const earlier = { ...created, n: 9, h: clockText(0) };
    expect([created, replacing, set, later].map((event) => includesEvent(memory, event))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const twin = { ...replacing, d: { ...replacing.d, '/a': 'twin' } };
    expect(
      [earlier, twin, setOf('w1', { '/b': 1 }, 4)].map((event) => includesEvent(memory, event)),
    ).toEqual([false, false, false]);
  });

  it('records the idempotency keys that have taken effect', () => {
    const d = { ...workspaceDraft('Plan').d, [CALL_KEY]: 'key 1' };
    const memory = apply(emptyMemory, eventOf({ t: 'ws.new', e: 'w1', d }));
    expect(mapGet(memory.calls, 'key 1')).toBe('w1');
    expect(
      registerOf(entityOf(apply(memory, setOf('w1', { [CALL_KEY]: 'key 2' }, 2)), 'w1'), CALL_KEY),
    ).toBeUndefined();
  });

  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['a number for a name', { ...workspaceDraft('x').d, name: 5 }],
    ['no purpose', { name: 'x', description: 'x', rootFolder: 'x' }],
    ['an object for a list', { ...workspaceDraft('x').d, keyFiles: { length: 1 } }],
    ['a list of numbers', { ...workspaceDraft('x').d, workflows: [1] }],
    ['a list for preferences', { ...workspaceDraft('x').d, preferences: [] }],
    ['null for preferences', { ...workspaceDraft('x').d, preferences: null }],
    [
      'preferences nested 20,000 levels deep',
      { ...workspaceDraft('x').d, preferences: nested(20_000, {}) },
    ],
  ])('ignores a workspace whose data has %s', (_, d) => {
    const memory = apply(emptyMemory, { ...eventOf({ t: 'ws.new', e: 'w1' }), d });
    expect(memory).toBe(emptyMemory);
  });

  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['no list of files', { activeFiles: 'a.md' }],
    ['a list in the list of files', { activeFiles: [['a.md']] }],
    ['no workspace', { ws: null }],
    ['a number for tags', { tags: 5 }],
    ['no hash', { sha: false }],
  ])('ignores a state whose data has %s', (what, d) => {
    const data = what === 'nothing' ? {} : { ...stateData, ...d };
    expect(apply(emptyMemory, eventOf({ t: 'state.new', e: 's1', d: data }))).toBe(emptyMemory);
  });

  it('ignores registers that are nested too deeply', () => {
    const created = apply(emptyMemory, eventOf(workspaceDraft('Plan', 'w1')));
    const deep = {
      ...eventOf({ t: 'set', e: 'w1' }),
      d: { '/preferences/a': nested(20_000, []), [`/preferences${'/x'.repeat(20_000)}`]: 1 },
    };
    const workspace = workspaceOf(entityOf(apply(created, deep), 'w1'));
    expect(JSON.stringify(workspace?.preferences)).toBe('{}');
  });

  it('ignores unknown types and later versions', () => {
    expect(apply(emptyMemory, eventOf({ t: 'thing.new', e: 'w1', d: workspaceDraft('x').d }))).toBe(
      emptyMemory,
    );
    expect(apply(emptyMemory, eventOf({ ...workspaceDraft('x'), v: 2 }))).toBe(emptyMemory);
    expect(apply(emptyMemory, eventOf({ t: 'log.vault', v: 2, d: { id: 'x' } }))).toBe(emptyMemory);
  });

  it('never throws for any event', () => {
    const anyData = fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          'name',
          'ws',
          'sha',
          'keyFiles',
          'activeFiles',
          'preferences',
          'tags',
          '/name',
          '/keyFiles/a',
          '/preferences/a',
          '/',
        ),
      ),
      fc.jsonValue().map((value) => value as Json),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom('ws.new', 'state.new', 'set', 'log.vault', 'log.mark'), anyData),
          { maxLength: 8 },
        ),
        (seeds) => {
          const events = seeds.map(([t, d], index) =>
            eventOf({
              t,
              d,
              e: index % 2 === 0 ? 'one' : DEFAULT_WORKSPACE,
              n: index + 1,
              h: clockText(index),
            }),
          );
          const memory = fold(emptyMemory, events);
          for (const { item } of allWorkspaces(memory)) expect(typeof item.name).toBe('string');
          for (const { item } of allStates(memory, DEFAULT_WORKSPACE))
            expect(typeof item.name).toBe('string');
        },
      ),
    );
  });

  it('treats hostile keys as plain data', () => {
    const hostile =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"mine"}';
    const d = JSON.parse(
      JSON.stringify(workspaceDraft('Plan', 'w1').d).replace('}', `,"preferences":${hostile}}`),
    ) as JsonObject;
    const registers = JSON.parse(
      '{"/preferences/__proto__/polluted":true,"/preferences/constructor/prototype/polluted":1,"__proto__":{"polluted":true}}',
    ) as JsonObject;
    const memory = fold(emptyMemory, [
      eventOf({ t: 'ws.new', e: 'w1', d }),
      setOf('w1', registers, 2),
      eventOf({ ...workspaceDraft('__proto__', '__proto__'), n: 3 }),
      eventOf({
        t: 'state.new',
        e: 's1',
        d: { ...stateData, ws: '__proto__', name: '__proto__' },
        n: 4,
      }),
    ]);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
    const preferences = workspaceOf(entityOf(memory, 'w1'))?.preferences;
    expect(Object.keys(preferences ?? {}).sort()).toEqual(['__proto__', 'constructor', 'toString']);
    expect(JSON.stringify(preferences)).toContain('"__proto__":{"polluted":true}');
    expect(workspaceOf(entityOf(memory, '__proto__'))?.name).toBe('__proto__');
    expect(allStates(memory, '__proto__').map(({ displayName }) => displayName)).toEqual([
      '__proto__',
    ]);
  });
});

/** Returns objects or arrays nested `depth` levels deep. */
function nested(depth: number, kind: JsonObject | Json[]): Json {
  let value: Json = 1;
  for (let i = 0; i < depth; i++) value = Array.isArray(kind) ? [value] : { a: value };
  return value;
}
