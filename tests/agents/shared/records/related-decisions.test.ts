import { describe, expect, it } from 'vitest';
import {
  relatedDecisions,
  seeAlsoNotice,
} from '../../../../src/agents/shared/records/related-decisions.js';
import { DEFAULT_WORKSPACE } from '../../../../src/model/memory.js';
import type { ProjectRecord } from '../../../../src/model/records/record.js';

function decision(title: string, fields: Partial<ProjectRecord> = {}): ProjectRecord {
  const savedBy = { client: 'Test', session: 'first', device: 'Laptop' };
  const fixed = {
    kind: 'decision',
    workspaceId: 'w',
    needs: [],
    files: {},
    status: 'open',
  } as const;
  const created = { isArchived: false, createdAt: '2026-11-20T10:00:00.000Z', savedBy };
  return { id: `id${title}`, title, ...fixed, ...created, ...fields };
}

const newDecision = (title: string) => ({
  id: 'k3v9latexyz23456',
  title,
  workspaceId: 'w',
  session: 'later',
});

const relatedTo = (title: string, ...older: ProjectRecord[]) =>
  relatedDecisions(older, newDecision(title)).map((record) => record.title);

describe('relatedDecisions', () => {
  it.each([
    ['Retries stop after five attempts', 'Retry five times', true],
    ['Die Protokolle schreibt immer Jana', 'Das Protokoll schreibt Ahmed', true],
    ['Prices are stored in cents', 'Store the price with four decimals', true],
    ['Prices are stored in cents', 'The prices page loads its chart and the table lazily', false],
    ['Use a database', '数据库使用', false],
    ['It is what it is', 'It is what it was', false],
    ['!', '?', false],
  ])('of "%s" and "%s": %s', (older, title, isRelated) => {
    expect(relatedTo(title, decision(older))).toEqual(isRelated ? [older] : []);
  });

  it('are open, in the order of how much they share', () => {
    const older = [
      decision('Tests run on push'),
      decision('Tests run nightly on push', { status: 'dropped' }),
      decision('Which tests run nightly?', { kind: 'question' }),
      decision('Tests run nightly', { isArchived: true }),
      decision('Nightly tests run on the server'),
    ];
    expect(relatedTo('Tests run nightly', ...older)).toEqual([
      'Nightly tests run on the server',
      'Tests run on push',
    ]);
  });

  it('of the Default workspace are of the same session', () => {
    const older = [decision('Retry five times')];
    const title = { title: 'Retry three times', workspaceId: DEFAULT_WORKSPACE };
    expect(relatedDecisions(older, { ...title, session: 'later' })).toEqual([]);
    expect(relatedDecisions(older, { ...title, session: 'first' })).toEqual(older);
  });
});

describe('seeAlsoNotice', () => {
  it('names three decisions by title and short id, and how to replace one', () => {
    const older = ['aaaaaa', 'bbbbbb', 'cccccc', 'dddddd'].map((id) =>
      decision(`Retry ${id.length} times`, { id: `${id}2345678923` }),
    );
    expect(seeAlsoNotice(older, newDecision('Retry three times'))).toBe(
      'See also: "Retry 6 times" (aaaaaa), "Retry 6 times" (bbbbbb), "Retry 6 times" (cccccc). To replace one of them with "Retry three times", call updateRecord with its id as title and supersededBy "k3v9la".',
    );
    expect(seeAlsoNotice(older, newDecision('Ship on Friday'))).toBeUndefined();
  });
});
