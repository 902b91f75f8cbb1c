import { describe, expect, it } from 'vitest';
import { vaultIdsIn } from '../../../src/storage/integrity/vault-ids.js';
import { clockText, eventOf, type EventFields } from '../../fakes/events.js';

const at = (minute: number, fields: EventFields) => eventOf({ h: clockText(minute), ...fields });
const named = (minute: number, id: string) => at(minute, { t: 'log.vault', d: { id } });
const repeated = (minute: number, vault: string) => at(minute, { t: 'log.seg', d: { vault } });

describe('vaultIdsIn', () => {
  it('returns `log.vault` ids oldest first, then `log.seg` ids newest first', () => {
    const events = [
      repeated(9, 'd'),
      named(2, 'b'),
      repeated(3, 'a'),
      named(1, 'a'),
      repeated(8, 'c'),
    ];
    expect(vaultIdsIn(events)).toEqual(['a', 'b', 'd', 'c']);
    expect(vaultIdsIn([...events].reverse())).toEqual(['a', 'b', 'd', 'c']);
  });

  it('ignores other events, later versions and ids that are not text', () => {
    const others: EventFields[] = [
      { t: 'ws.new', d: { id: 'x', vault: 'x' } },
      { t: 'log.vault', d: { vault: 'x' } },
      { t: 'log.seg', d: { id: 'x' } },
      { t: 'log.vault', v: 2, d: { id: 'x' } },
      { t: 'log.seg', v: 2, d: { vault: 'x' } },
      { t: 'log.vault', d: { id: 5 } },
      { t: 'log.vault', d: { id: '' } },
    ];
    expect(vaultIdsIn(others.map((fields) => eventOf(fields)))).toEqual([]);
  });
});
