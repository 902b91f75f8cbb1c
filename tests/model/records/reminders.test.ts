import { expect, it } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { reminders } from '../../../src/model/records/reminders.js';
import { clockText, eventOf, recordDraft, workspaceDraft } from '../../fakes/events.js';

const set = (e: string, d: Draft['d']): Draft => ({ t: 'set', e, d });

it('reminders are those of open records in active workspaces, earliest first', () => {
  const drafts = [
    workspaceDraft('Garden', 'garden'),
    workspaceDraft('Attic', 'attic'),
    set('attic', { '/isArchived': true }),
    recordDraft('Later', 'later', { ws: 'garden' }),
    recordDraft('Sooner', 'sooner'),
    recordDraft('Done', 'done'),
    recordDraft('Elsewhere', 'elsewhere', { ws: 'attic' }),
    recordDraft('Without', 'without'),
    recordDraft('Damaged', 'damaged'),
    set('later', { '/remindAt': '2027-02-01T00:00:00.000Z' }),
    set('sooner', { '/remindAt': '2027-01-01T00:00:00.000Z' }),
    set('done', { '/remindAt': '2027-01-01T00:00:00.000Z', '/status': 'done' }),
    set('elsewhere', { '/remindAt': '2027-01-01T00:00:00.000Z' }),
    set('damaged', { '/remindAt': 'soon' }),
  ];
  const events = drafts.map((draft, minute) =>
    eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
  );
  const memory = fold(emptyMemory, events);
  expect(reminders(memory).map(({ record, at }) => [record.title, at])).toEqual([
    ['Sooner', Date.parse('2027-01-01')],
    ['Later', Date.parse('2027-02-01')],
  ]);
  expect(reminders(memory)).toBe(reminders(memory));
});
