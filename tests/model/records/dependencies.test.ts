import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockersOf, findCycle, isReady } from '../../../src/model/records/dependencies.js';
import type { ProjectRecord } from '../../../src/model/records/record.js';

function task(id: string, more: Partial<ProjectRecord> = {}): ProjectRecord {
  return {
    id,
    workspaceId: 'w1',
    kind: 'task',
    title: `Task ${id}`,
    needs: [],
    files: {},
    status: 'open',
    isArchived: false,
    createdAt: '2026-11-20T00:00:00.000Z',
    ...more,
  };
}

function getterOf(records: readonly ProjectRecord[]) {
  return (id: string) => records.find((record) => record.id === id);
}

describe('findCycle', () => {
  it('names the records of a circle in order', () => {
    const records = [task('a'), task('b', { needs: ['c'] }), task('c', { needs: ['a'] })];
    const [a, b] = records as [ProjectRecord, ProjectRecord];
    expect(findCycle(a, b, getterOf(records))?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('finds none without a way back, and one from a record to itself', () => {
    const records = [task('a', { needs: ['b'] }), task('b')];
    const [a, b] = records as [ProjectRecord, ProjectRecord];
    expect(findCycle(a, b, getterOf(records))).toBeUndefined();
    expect(findCycle(a, a, getterOf(records))).toEqual([a]);
  });

  it('ends if the records already form a circle, or a need is missing', () => {
    const records = [task('a'), task('b', { needs: ['c', 'gone'] }), task('c', { needs: ['b'] })];
    const [a, b] = records as [ProjectRecord, ProjectRecord];
    expect(findCycle(a, b, getterOf(records))).toBeUndefined();
  });

  it('finds a circle exactly if the new need leads back, in any graph', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const edge = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 8 }), edge, (edges, [from, to]) => {
        const needsOf = (id: string) => edges.flatMap(([a, b]) => (a === id ? [b] : []));
        const records = ids.map((id) => task(id, { needs: needsOf(id) }));
        const get = getterOf(records);
        const cycle = findCycle(get(from)!, get(to)!, get)?.map(({ id }) => id);
        const reachable = new Set([to]);
        for (const id of reachable) for (const next of needsOf(id)) reachable.add(next);
        expect(cycle !== undefined).toBe(reachable.has(from));
        for (const [at, id] of (cycle ?? []).entries()) {
          const next = cycle![(at + 1) % cycle!.length]!;
          expect(at === 0 ? [to] : needsOf(id)).toContain(next);
        }
      }),
    );
  });
});

describe('a record', () => {
  it('is ready once each of its needs is settled', () => {
    const settled = [
      task('done', { status: 'done' }),
      task('dropped', { status: 'dropped' }),
      task('replaced', { supersededBy: 'x' }),
      task('archived', { isArchived: true }),
      task('decision', { kind: 'decision' }),
    ];
    const needing = task('a', { needs: settled.map(({ id }) => id) });
    expect(isReady(needing, getterOf(settled))).toBe(true);
    expect(isReady(needing, getterOf(settled.slice(1)))).toBe(false);
    expect(isReady({ ...needing, status: 'done' }, getterOf(settled))).toBe(false);
  });

  it('is blocked by open tasks, questions and phases', () => {
    const needs = [task('t'), task('q', { kind: 'question' }), task('p', { kind: 'phase' })];
    const needing = task('a', { needs: ['t', 'q', 'p', 'gone'] });
    expect(blockersOf(needing, getterOf(needs))).toEqual(needs);
    expect(isReady(needing, getterOf(needs))).toBe(false);
  });
});
