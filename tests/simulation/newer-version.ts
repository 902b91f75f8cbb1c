import type { Draft } from '../../src/model/event.js';
import { nextTimestamp } from '../../src/storage/format/hybrid-clock.js';
import { createEntityId, createWriterId } from '../../src/platform/random.js';
import { dayOf, segmentPath } from '../../src/storage/format/lanes.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine } from '../../src/storage/format/line.js';
import type { Dice } from './dice.js';
import type { Device } from './device.js';
import { OPEN_GATE, README, ROOT } from './disk.js';
import { folderStamps } from '../../src/storage/data-folder/readme.js';
import type { Ledger } from './ledger.js';

interface NewerDraft extends Draft {
  readonly v?: number;
  /** True if this version ignores it. */
  readonly isInert: boolean;
}

/**
 * Writes a segment as a later version would, with copies. This version must keep its unknown events
 * without applying them.
 */
export async function runNewerVersion(
  device: Device,
  knownIds: readonly string[],
  dice: Dice,
  ledger: Ledger,
): Promise<void> {
  const id = knownIds.length > 0 ? dice.pick(knownIds) : createEntityId(dice);
  const other = createEntityId(dice);
  const workspace = {
    name: 'Garden',
    description: 'By a later version',
    rootFolder: '/',
    purpose: 'To test',
  };
  const drafts: NewerDraft[] = [
    { t: 'thing.new', e: other, d: { what: 'unknown' }, isInert: true },
    { t: 'ws.new', e: other, d: workspace, v: 2, isInert: true },
    { t: 'set', e: id, d: { '/isArchived': true, '/name': 'Not for you' }, v: 2, isInert: true },
    { t: 'log.mark', e: '', d: { seen: { core: { zzzzzzzzzzzz: [99] } } }, v: 2, isInert: true },
    { t: 'ws.new', e: other, d: { name: 'No purpose' }, isInert: true },
    { t: 'ws.new', e: other, d: { ...workspace, colour: 'green' }, isInert: false },
    { t: 'ws.new', e: id, d: { ...workspace, name: 'Plan' }, isInert: false },
    {
      t: 'set',
      e: id,
      d: { '/colour': 'green', '/preferences/tone': { new: [1] } },
      isInert: false,
    },
  ];
  const w = createWriterId(dice);
  const path = segmentPath(ROOT, 'core', dayOf(device.now()), w, 1);
  const opening: NewerDraft = {
    t: 'log.seg',
    e: '',
    d: { fmt: 2, app: 'savepoint/newer', device: device.name },
    isInert: true,
  };
  const known = ledger
    .heldOn(device.disk)
    .find(({ event: { t, v } }) => t === 'log.vault' && v === 1);
  const vault = (known?.event.d['id'] as string | undefined) ?? createEntityId(dice);
  const naming: NewerDraft = { t: 'log.vault', e: '', d: { id: vault }, isInert: false };
  if (!known && !device.disk.get(README))
    device.disk.put(README, Buffer.from('By a later version'));
  let [n, p, h] = [0, CHAIN_START, ''];
  let bytes = new Uint8Array();
  const lines: { bytes: Uint8Array; isInert: boolean }[] = [];
  for (const { v = 1, t, e, d, isInert } of [
    opening,
    ...(known ? [] : [naming]),
    ...dice.shuffle(drafts).slice(0, 1 + dice.below(4)),
  ]) {
    h = nextTimestamp(h, device.now());
    const line = encodeLine({ v, w, n: ++n, p, h, t, e, d });
    p = line.hash;
    bytes = Buffer.concat([bytes, line.bytes]);
    lines.push({ bytes: line.bytes, isInert });
  }
  device.addCopies(vault, bytes);
  const stamps = await folderStamps(device.disk.port(OPEN_GATE), ROOT);
  const copies = device.copiesPort();
  const moved = await copies.loadMovedRecord?.();
  // Like this version, it continues the record of a vault that was moved.
  await copies.updateRecord((record = moved) => ({
    ...stamps,
    ...record,
    ids: [...new Set([...(record?.ids ?? []), vault])],
  }));
  for (const line of lines)
    ledger.foreign(path, line.bytes, {
      isInert: line.isInert,
      isAcknowledged: true,
      device: device.name,
    });
  device.disk.put(path, bytes);
}
