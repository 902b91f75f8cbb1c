import type { JsonObject, LogEvent } from '../../src/model/event.js';
import { createWriterId } from '../../src/platform/random.js';
import { crc32 } from '../../src/platform/crc32.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine } from '../../src/storage/format/line.js';
import type { Dice } from './dice.js';
import type { Device } from './device.js';
import { ROOT } from './disk.js';
import type { Ledger } from './ledger.js';

const LATEST = '2199-12-31T23:59:59.999Z.ffff';
const EARLIEST = '2020-01-01T00:00:00.000Z.0001';

/** Lines that someone with write access to the vault could add, by what they attempt. */
const FORGERIES: Record<string, (held: readonly LogEvent[], dice: Dice) => Buffer | undefined> = {
  'retires the core events of a writer'(held, dice) {
    const victim = pickOf(held, 'state.new', dice) ?? pickOf(held, 'ws.new', dice);
    if (!victim) return undefined;
    const lane = dice.pick(['core', 'trace', 'chat']);
    const d = {
      lane,
      file: 'x',
      w: victim.w,
      from: 1,
      to: victim.n + dice.below(1000),
      count: 1,
      sha256: '0',
      why: 'age',
    };
    return lineOf({ w: createWriterId(dice), t: 'log.retire', d });
  },
  'creates an entity a second time, earlier'(held, dice) {
    const victim = pickOf(held, 'state.new', dice) ?? pickOf(held, 'ws.new', dice);
    if (!victim) return undefined;
    const d = { ...victim.d, name: 'Forged' };
    return lineOf({ w: createWriterId(dice), h: EARLIEST, t: victim.t, e: victim.e, d });
  },
  'has the identity and CRC of another event'(held, dice) {
    const victim = pickOf(held, 'ws.new', dice);
    return victim && twinOf(victim);
  },
  'is dated to the year 2199'(held, dice) {
    const victim = pickOf(held, 'ws.new', dice);
    const d: JsonObject = { '/isArchived': true };
    return lineOf({ w: createWriterId(dice), h: LATEST, t: 'set', e: victim?.e ?? 'default', d });
  },
  'gives the vault a giant id': (_, dice) =>
    lineOf({ w: createWriterId(dice), h: EARLIEST, t: 'log.vault', d: { id: 'x'.repeat(5000) } }),
};

/** Adds a segment with a forged line to a device's vault. Returns what it attempts. */
export function forge(
  device: Device,
  held: readonly LogEvent[],
  dice: Dice,
  ledger: Ledger,
): string {
  const about = dice.pick(Object.keys(FORGERIES));
  const bytes = FORGERIES[about]!(held, dice);
  if (bytes) {
    const path = `${ROOT}/core/2026-11/forged-${dice.below(1e9)}.jsonl`;
    ledger.foreign(path, bytes, { isAcknowledged: false, device: '' });
    device.disk.put(path, bytes);
  }
  return about;
}

/** Returns an event that takes effect: a later version may have written others. */
function pickOf(held: readonly LogEvent[], type: string, dice: Dice): LogEvent | undefined {
  const fields = type === 'ws.new' ? ['name', 'purpose', 'rootFolder'] : ['name', 'sha'];
  const found = held.filter(
    ({ t, v, d }) => v === 1 && t === type && fields.every((name) => typeof d[name] === 'string'),
  );
  return found.length > 0 ? dice.pick(found) : undefined;
}

function lineOf(fields: Pick<LogEvent, 'w' | 't' | 'd'> & Partial<LogEvent>): Buffer {
  const { w, n = 1, p = CHAIN_START, h = EARLIEST, t, e = '', d } = fields;
  return Buffer.from(encodeLine({ v: 1, w, n, p, h, t, e, d }).bytes);
}

/** Number of characters that are chosen so that the CRC comes out as wanted. */
const FREE = 64;

/** Returns another line with the same writer, number, time and CRC. */
export function twinOf(victim: LogEvent): Buffer {
  const { w, n, p, h, t, e } = victim;
  const free = Buffer.alloc(FREE, 'P');
  const line = () => {
    const d = { ...victim.d, name: 'Twin', free: free.toString('latin1') };
    return lineOf({ w, n, p, h, t, e, d });
  };
  const from = line().indexOf(free);
  const crcWith = (flipped: number) => {
    const bytes = line();
    if (flipped >= 0) bytes[from + flipped]! ^= 1;
    return crc32(bytes, 0, bytes.length - 17);
  };
  const start = crcWith(-1);
  const wanted = (start ^ parseInt(victim.c, 16)) >>> 0;
  // CRCs are linear: flipping a bit changes the CRC by the same difference whatever the other bits
  // are.
  const effects = Array.from({ length: FREE }, (_, at) => (start ^ crcWith(at)) >>> 0);
  for (const at of solve(effects, wanted)) free[at]! ^= 1;
  return line();
}

/**
 * Returns the indices of numbers whose exclusive or is `wanted` (Gaussian elimination over GF(2)).
 */
function solve(numbers: readonly number[], wanted: number): number[] {
  const basis: { value: number; from: bigint }[] = [];
  const reduce = (value: number, from: bigint) => {
    let rest = { value, from };
    for (const each of basis)
      if ((rest.value ^ each.value) >>> 0 < rest.value)
        rest = { value: (rest.value ^ each.value) >>> 0, from: rest.from ^ each.from };
    return rest;
  };
  for (const [at, number] of numbers.entries()) {
    const rest = reduce(number, 1n << BigInt(at));
    if (rest.value === 0) continue;
    basis.push(rest);
    basis.sort((a, b) => b.value - a.value);
  }
  const { value, from } = reduce(wanted, 0n);
  if (value !== 0) throw new Error('No choice of characters gives this CRC');
  return numbers.flatMap((_, at) => ((from >> BigInt(at)) & 1n ? [at] : []));
}
