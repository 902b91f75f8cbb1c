import { describe, expect, it } from 'vitest';
import { vaultIdsIn } from '../../../src/storage/data-folder/vault-identity.js';
import { clockText, eventOf, type EventFields } from '../../fakes/events.js';

const at = (minute: number, fields: EventFields) => eventOf({ h: clockText(minute), ...fields });
const idOf = (letter: string) => letter.repeat(16);
const named = (minute: number, letter: string) =>
  at(minute, { t: 'log.vault', d: { id: idOf(letter) } });
const repeated = (minute: number, letter: string) =>
  at(minute, { t: 'log.seg', d: { vault: idOf(letter) } });

describe('vaultIdsIn', () => {
  it('returns `log.vault` ids oldest first, then `log.seg` ids newest first', () => {
    const events = [
      repeated(9, 'd'),
      named(2, 'b'),
      repeated(3, 'a'),
      named(1, 'a'),
      repeated(8, 'c'),
    ];
    const ids = ['a', 'b', 'd', 'c'].map(idOf);
    expect(vaultIdsIn(events)).toEqual(ids);
    expect(vaultIdsIn([...events].reverse())).toEqual(ids);
  });

  it('ignores other events, later versions and impossible ids', () => {
    const id = idOf('a');
    const others: EventFields[] = [
      { t: 'ws.new', d: { id, vault: id } },
      { t: 'log.vault', d: { vault: id } },
      { t: 'log.seg', d: { id } },
      { t: 'log.vault', v: 2, d: { id } },
      { t: 'log.seg', v: 2, d: { vault: id } },
      { t: 'log.vault', d: { id: 5 } },
      { t: 'log.vault', d: { id: '' } },
      { t: 'log.vault', d: { id: `${id}a` } },
      { t: 'log.seg', d: { vault: '../../notes/plan' } },
    ];
    expect(vaultIdsIn(others.map((fields) => eventOf(fields)))).toEqual([]);
  });
});
