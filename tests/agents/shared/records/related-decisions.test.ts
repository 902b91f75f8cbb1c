import { describe, expect, it } from 'vitest';
import {
  isOfSubject,
  mayReplace,
  OpenDecisions,
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

const here = { workspaceId: 'w', session: 'later' };

const relatedTo = (title: string, ...older: ProjectRecord[]) =>
  new OpenDecisions(older, here).relatedTo(title).map((record) => record.title);

describe('decisions that a new one may replace', () => {
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
    expect(isOfSubject(older, title)).toBe(isRelated);
  });

  it('state the same subject before a colon', () => {
    const older = decision('Enclosure: powder-coated aluminium, two millimetres thick');
    expect(relatedTo('Enclosure: FR4 boards from one supplier', older)).toHaveLength(1);
    expect(relatedTo('Supplier: FR4 boards from one factory', older)).toEqual([]);
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
    const inDefault = (session: string) =>
      new OpenDecisions(older, { workspaceId: DEFAULT_WORKSPACE, session });
    expect(inDefault('later').relatedTo('Retry three times')).toEqual([]);
    expect(inDefault('first').relatedTo('Retry three times')).toEqual(older);
  });

  it('of the same work share less', () => {
    const older = decision('Harrow pays a flat 640 euros a month for shipments', { stateId: 's1' });
    const others = ['Pages show arrival windows', 'The demo is in Leeds', 'Ask Ines'].map((title) =>
      decision(title, { stateId: 's1' }),
    );
    const title = 'Harrow pays two cents for each parcel from January on';
    const within = new OpenDecisions([older, ...others], { ...here, work: new Set(['s1']) });
    expect(within.relatedTo(title)).toEqual([older]);
    expect(relatedTo(title, older, ...others)).toEqual([]);
  });
});

describe('mayReplace', () => {
  it('names three decisions, with the call that marks them', () => {
    const older = ['aaaaaa', 'bbbbbb', 'cccccc', 'dddddd'].map((id) =>
      decision(`Retry ${id.length} times`, { id: `${id}2345678923` }),
    );
    const open = new OpenDecisions(older, here);
    const added = [{ id: 'k3v9latexyz23456', title: 'Retry three times' }];
    const ids = ['aaaaaa', 'bbbbbb', 'cccccc'];
    expect(mayReplace(open, added, 'Garden')).toEqual({
      answer: { mayReplace: ids.map((id) => ({ id, title: 'Retry 6 times', by: 'k3v9la' })) },
      call: {
        tool: 'replaceDecisions',
        params: { replaces: ids, by: 'k3v9la', context: { workspaceId: 'Garden' } },
      },
    });
    const other = [{ id: 'k3v9latexyz23456', title: 'Ship on Friday' }];
    expect(mayReplace(open, other, 'Garden')).toBeUndefined();
  });
});
