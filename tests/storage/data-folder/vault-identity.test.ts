import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { VaultIdentity } from '../../../src/storage/data-folder/vault-identity.js';
import { createTestRandom } from '../../fakes/deterministic.js';
import { clockText, eventOf } from '../../fakes/events.js';

const [FIRST, SECOND, OTHER] = ['f', 's', 'x'].map((letter) => letter.repeat(16)) as [
  string,
  string,
  string,
];

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
    await identity.update(emptyMemory, [], there);
    expect([identity.idIn(emptyMemory), [...identity.ids]]).toEqual([undefined, []]);
  });

  it('has the id from the memory', () => {
    const events = [named(SECOND, 2), named(FIRST, 1)];
    const identity = identityOf(...events);
    expect(identity.idIn(fold(emptyMemory, events))).toBe(FIRST);
    expect([...identity.ids].sort()).toEqual([FIRST, SECOND]);
  });

  it('uses the id of the latest segment if the `log.vault` event is lost', async () => {
    const identity = identityOf(opening(SECOND, 2), opening(FIRST, 1));
    expect(identity.idIn(emptyMemory)).toBeUndefined();
    await identity.update(emptyMemory, [], there);
    expect(identity.idIn(emptyMemory)).toBe(SECOND);
  });

  it('has no id if the README is missing too', async () => {
    const identity = identityOf(opening(FIRST, 1));
    await identity.update(emptyMemory, [], missing);
    expect(identity.idIn(emptyMemory)).toBeUndefined();
  });

  it('looks for the README only if the `log.vault` event is lost', async () => {
    const fails = () => Promise.reject(new Error('Not called'));
    await identityOf(named(FIRST)).update(fold(emptyMemory, [named(FIRST)]), [FIRST], fails);
    await identityOf().update(emptyMemory, [], fails);
  });

  it('ignores later versions, other events and impossible ids', async () => {
    const identity = identityOf(
      eventOf({ t: 'log.vault', e: '', v: 2, d: { id: OTHER } }),
      eventOf({ t: 'thing.new', d: { id: OTHER, vault: OTHER } }),
      eventOf({ t: 'log.vault', e: '', d: { id: 5 } }),
      eventOf({ t: 'log.seg', e: '', d: { vault: 5 } }),
      named('too-short'),
      opening(`${OTHER}x`, 1),
    );
    await identity.update(emptyMemory, [], there);
    expect([identity.idIn(emptyMemory), [...identity.ids]]).toEqual([undefined, []]);
  });

  it('keeps the recorded id while there is a README, even if no line names it', async () => {
    const identity = identityOf();
    await identity.update(emptyMemory, [FIRST, SECOND], there);
    expect(identity.idIn(emptyMemory)).toBe(FIRST);
    expect([...identity.ids]).toEqual([FIRST, SECOND]);
    await identity.update(emptyMemory, [FIRST, SECOND], missing);
    expect([identity.idIn(emptyMemory), [...identity.ids]]).toEqual([undefined, []]);
  });

  it('prefers an id that a segment repeats to the recorded one', async () => {
    const identity = identityOf(opening(SECOND, 1));
    await identity.update(emptyMemory, [FIRST], there);
    expect(identity.idIn(emptyMemory)).toBe(SECOND);
  });

  it("adds an id that a segment repeats to the vault's ids", () => {
    expect([...identityOf(named(FIRST), opening(SECOND, 1)).ids]).toEqual([FIRST, SECOND]);
  });

  it('provides a new segment with the known id, the recovered one or a new one', async () => {
    const random = createTestRandom(1);
    const created = identityOf().forNewSegment(emptyMemory, random);
    expect(created.id).toMatch(/^[a-km-np-z2-9]{16}$/);
    expect(created.drafts).toEqual([{ t: 'log.vault', e: '', d: { id: created.id } }]);
    const identity = identityOf(opening(FIRST, 1));
    await identity.update(emptyMemory, [], there);
    expect(identity.forNewSegment(emptyMemory, random)).toEqual({
      id: FIRST,
      drafts: [{ t: 'log.vault', e: '', d: { id: FIRST } }],
    });
    expect(identity.forNewSegment(fold(emptyMemory, [named(SECOND)]), random)).toEqual({
      id: SECOND,
      drafts: [],
    });
  });
});
