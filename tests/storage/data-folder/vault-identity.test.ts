import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { VaultIdentity } from '../../../src/storage/data-folder/vault-identity.js';
import { createTestRandom } from '../../fakes/deterministic.js';
import { clockText, eventOf } from '../../fakes/events.js';

const named = (id: string, minute = 0) =>
  eventOf({ t: 'log.vault', e: '', h: clockText(minute), d: { id } });
const opening = (vault: string, minute: number) =>
  eventOf({ t: 'log.seg', e: '', h: clockText(minute), d: { vault } });
const there = () => Promise.resolve(true);
const missing = () => Promise.resolve(false);

function identityOf(...events: LogEvent[]): VaultIdentity {
  const identity = new VaultIdentity();
  for (const event of events) identity.observe(event);
  return identity;
}

describe('VaultIdentity', () => {
  it('has no id for an empty vault', async () => {
    const identity = identityOf();
    await identity.update(emptyMemory, there);
    expect([identity.idIn(emptyMemory), [...identity.ids]]).toEqual([undefined, []]);
  });

  it('has the id from the memory', () => {
    const events = [named('second', 2), named('first', 1)];
    const identity = identityOf(...events);
    expect(identity.idIn(fold(emptyMemory, events))).toBe('first');
    expect([...identity.ids].sort()).toEqual(['first', 'second']);
  });

  it('uses the id of the latest segment if the `log.vault` event is lost', async () => {
    const identity = identityOf(opening('new', 2), opening('old', 1));
    expect(identity.idIn(emptyMemory)).toBeUndefined();
    await identity.update(emptyMemory, there);
    expect(identity.idIn(emptyMemory)).toBe('new');
  });

  it('has no id if the README is missing too', async () => {
    const identity = identityOf(opening('old', 1));
    await identity.update(emptyMemory, missing);
    expect(identity.idIn(emptyMemory)).toBeUndefined();
  });

  it('looks for the README only if the `log.vault` event is lost', async () => {
    const fails = () => Promise.reject(new Error('Not called'));
    await identityOf(named('id')).update(emptyMemory, fails);
    await identityOf(named('id'), opening('id', 1)).update(fold(emptyMemory, [named('id')]), fails);
  });

  it('ignores later versions, other events and ids that are not text', async () => {
    const identity = identityOf(
      eventOf({ t: 'log.vault', e: '', v: 2, d: { id: 'later' } }),
      eventOf({ t: 'thing.new', d: { id: 'other', vault: 'other' } }),
      eventOf({ t: 'log.vault', e: '', d: { id: 5 } }),
      eventOf({ t: 'log.seg', e: '', d: { vault: 5 } }),
    );
    await identity.update(emptyMemory, there);
    expect([identity.idIn(emptyMemory), [...identity.ids]]).toEqual([undefined, []]);
  });

  it('drafts a new id, the recovered one, or nothing', async () => {
    const random = createTestRandom(1);
    const [draft] = identityOf().draftFor(emptyMemory, random);
    expect(draft).toEqual({
      t: 'log.vault',
      e: '',
      d: { id: expect.stringMatching(/^[a-z2-9]{16}$/) as string },
    });
    const identity = identityOf(opening('old', 1));
    await identity.update(emptyMemory, there);
    expect(identity.draftFor(emptyMemory, random)).toEqual([
      { t: 'log.vault', e: '', d: { id: 'old' } },
    ]);
    expect(identity.draftFor(fold(emptyMemory, [named('id')]), random)).toEqual([]);
  });
});
