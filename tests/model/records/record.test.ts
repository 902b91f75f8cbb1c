import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { emptyMemory, entityOf, fold } from '../../../src/model/memory.js';
import { mapGet } from '../../../src/model/persistent-map.js';
import {
  needPath,
  recordData,
  recordOf,
  type ProjectRecord,
  type RecordContent,
} from '../../../src/model/records/record.js';
import { clockText, eventOf } from '../../fakes/events.js';

const by = { client: 'claude-code', session: 's1', device: 'Laptop' };

function recordAfter(
  content: Partial<RecordContent>,
  ...sets: readonly JsonObject[]
): ProjectRecord | undefined {
  const data = recordData('w1', { kind: 'task', title: 'Ship it', ...content }, { by });
  const events = [
    eventOf({ t: 'record.new', e: 'r1', d: data }),
    ...sets.map((d, at) => eventOf({ t: 'set', e: 'r1', n: at + 2, h: clockText(at + 1), d })),
  ];
  const [memory, backwards] = [events, events.toReversed()].map((all) => fold(emptyMemory, all));
  const record = recordOf(entityOf(memory!, 'r1'));
  expect(recordOf(entityOf(backwards!, 'r1'))).toEqual(record);
  return record;
}

describe('a record', () => {
  it('has its content, its provenance and default registers', () => {
    const file = { sha256: 'a'.repeat(64), size: 3 };
    const content = { kind: 'decision', title: 'Use JWT', body: 'Because.' } as const;
    const more = { stateId: 'st', phaseId: 'ph', needs: ['r2'] };
    const d = recordData('w1', { ...content, ...more }, { by, files: { 'a.md': file } });
    const memory = fold(emptyMemory, [eventOf({ t: 'record.new', e: 'r1', d })]);
    expect(recordOf(entityOf(memory, 'r1'))).toEqual({
      ...content,
      ...more,
      id: 'r1',
      workspaceId: 'w1',
      files: { 'a.md': file },
      status: 'open',
      isArchived: false,
      savedBy: by,
      createdAt: clockText(0).slice(0, 24),
    });
  });

  it('omits empty fields from the log', () => {
    const data = recordData('w1', { kind: 'task', title: 'Ship it', needs: [] }, { by });
    expect(Object.keys(data)).toEqual(['ws', 'kind', 'title', 'by']);
  });

  it('has the values of its registers', () => {
    const record = recordAfter(
      {},
      { '/status': 'done', '/supersededBy': 'r2' },
      { '/remindAt': '2026-12-01T00:00:00.000Z', '/isArchived': true },
    );
    expect(record).toMatchObject({
      status: 'done',
      supersededBy: 'r2',
      supersededAt: clockText(1).slice(0, 24),
      remindAt: '2026-12-01T00:00:00.000Z',
      isArchived: true,
    });
  });

  it('ignores register values of a wrong type', () => {
    const record = recordAfter(
      {},
      { '/status': 'lost', '/supersededBy': 5, '/remindAt': 'soon', '/isArchived': 'yes' },
    );
    expect(record).toEqual(recordAfter({}));
  });

  it('has the title and body that were corrected last', () => {
    const record = recordAfter(
      { body: 'Why' },
      { '/title': 'Ship', '/body': 'Because' },
      { '/title': 'Ship soon' },
    );
    expect(record).toMatchObject({ title: 'Ship soon', body: 'Because' });
    expect(recordAfter({ body: 'Why' }, { '/body': '' })).toEqual(recordAfter({}));
    expect(recordAfter({ body: 'Why' }, { '/title': 5, '/body': 5 })).toEqual(
      recordAfter({ body: 'Why' }),
    );
  });

  it('keeps its title and body if it is a decision', () => {
    const decision = { kind: 'decision', body: 'Why' } as const;
    expect(recordAfter(decision, { '/title': 'Other', '/body': 'Other' })).toEqual(
      recordAfter(decision),
    );
  });

  it('adds and removes needs one by one', () => {
    const record = recordAfter(
      { needs: ['r2', 'r3'] },
      { [needPath('r5')]: true },
      { [needPath('r2')]: null, [needPath('r4')]: true },
      { [needPath('r9')]: null },
    );
    expect(record?.needs).toEqual(['r3', 'r4', 'r5']);
  });

  it.each<[string, JsonObject]>([
    ['without a title', { ws: 'w1', kind: 'task' }],
    ['without a workspace', { kind: 'task', title: 'T' }],
    ['of an unknown kind', { ws: 'w1', kind: 'wish', title: 'T' }],
    ['with a body that is no text', { ws: 'w1', kind: 'task', title: 'T', body: 5 }],
    ['with needs that are no texts', { ws: 'w1', kind: 'task', title: 'T', needs: [1] }],
  ])('has no effect if it is %s', (_, d) => {
    const memory = fold(emptyMemory, [eventOf({ t: 'record.new', e: 'r1', d })]);
    expect(entityOf(memory, 'r1').created).toBeUndefined();
  });

  it('is listed by workspace and title, apart from states and workspaces', () => {
    const d = recordData('w1', { kind: 'task', title: ' Ship  IT' }, { by });
    const memory = fold(emptyMemory, [eventOf({ t: 'record.new', e: 'r1', d })]);
    expect(mapGet(mapGet(memory.records, 'w1')!, 'ship it')).toEqual(['r1']);
    expect(mapGet(memory.names, 'w1')).toBeUndefined();
    const corrected = fold(memory, [
      eventOf({ t: 'set', e: 'r1', n: 2, h: clockText(1), d: { '/title': 'Sent' } }),
    ]);
    expect(mapGet(mapGet(corrected.records, 'w1')!, 'sent')).toEqual(['r1']);
    expect(mapGet(mapGet(corrected.records, 'w1')!, 'ship it')).toEqual([]);
  });
});
