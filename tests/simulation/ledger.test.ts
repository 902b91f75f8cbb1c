import { describe, expect, it } from 'vitest';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine, type EncodedLine } from '../../src/storage/format/line.js';
import { createDice } from './dice.js';
import { createDisk } from './disk.js';
import { stubOf } from './forgetting.js';
import { createLedger, type Author, type Ledger, type Line } from './ledger.js';

const PHONE: Author = { name: 'C1', device: 'C', isSetBack: () => false, isHidden: () => false };
const OLD = 'Savepoint/core/2026-11/20261120-aaaaaaaaaaaa-0001.jsonl';
const NEW = 'Savepoint/core/2026-11/20261121-aaaaaaaaaaaa-0001.jsonl';

function lineOf(device: string): EncodedLine {
  const [w, h] = ['aaaaaaaaaaaa', '2026-11-20T00:00:00.000Z.0000'];
  return encodeLine({ v: 1, w, n: 1, p: CHAIN_START, h, t: 'log.seg', e: '', d: { device } });
}

/**
 * Returns a ledger in which the power was cut during an append of one line and more, of which the
 * system had that line in its memory. `isAnywhere`: the line has been seen on a disk since.
 */
function ledgerAfterPowerCut(isAnywhere: boolean, hasLanded = false): Ledger {
  const ledger = createLedger({ mayLose: false }, () => isAnywhere);
  const { bytes } = lineOf('first');
  const how = { isNew: true, isDurable: hasLanded, hasLanded, kept: bytes.length };
  ledger.appended(PHONE, OLD, bytes, how);
  return ledger;
}

function writeAgain(ledger: Ledger): string | undefined {
  const how = { isNew: true, isDurable: true, hasLanded: true };
  ledger.appended(PHONE, NEW, lineOf('second').bytes, how);
  return ledger.violation();
}

describe('a number that is written again, as another line', () => {
  const blame = 'C1 writes number 1 of aaaaaaaaaaaa a second time, as log.seg after log.seg';

  it('is no violation if a power cut took the first line before anyone had it', () => {
    expect(writeAgain(ledgerAfterPowerCut(false))).toBeUndefined();
  });

  it('is a violation if the first line is still somewhere', () => {
    expect(writeAgain(ledgerAfterPowerCut(true))).toBe(blame);
  });

  it('is a violation if the first line was on the disk when its append ended', () => {
    expect(writeAgain(ledgerAfterPowerCut(false, true))).toBe(blame);
  });
});

/** Returns a line that its device has copied and then forgotten, with the bytes of its stub. */
function forgottenLine(): { ledger: Ledger; line: Line; text: Uint8Array; stub: Uint8Array } {
  const ledger = createLedger({ mayLose: false }, () => true);
  const { bytes: text } = lineOf('first');
  ledger.appended(PHONE, OLD, text, { isNew: true, isDurable: true, hasLanded: true });
  ledger.copied('C', text);
  const line = [...ledger.lines.values()][0]!;
  ledger.addStub(line);
  return { ledger, line, text, stub: Buffer.from(`${stubOf(line)}\n`) };
}

describe('the copies of a forgotten line', () => {
  it('are lost with the copy of its stub', () => {
    const { ledger, line, stub } = forgottenLine();
    ledger.lostCopies('C', { before: [stub], after: [] }, new Map(), false);
    expect(line).toMatchObject({ copyLostBy: 'copies', copiedOn: new Set() });
  });

  it('are not lost where an older image has the line itself', () => {
    const { ledger, line, text, stub } = forgottenLine();
    ledger.lostCopies('C', { before: [stub], after: [text] }, new Map(), true);
    expect(line).toMatchObject({ copyLostBy: '', copiedOn: new Set(['C']) });
  });

  it('are there again after the stub is copied', () => {
    const { ledger, line, stub } = forgottenLine();
    ledger.lostCopies('C', { before: [stub], after: [] }, new Map(), false);
    ledger.copied('C', stub);
    expect(line).toMatchObject({ copyLostBy: '', copiedOn: new Set(['C']) });
  });
});

describe('the deletion of a file of traces', () => {
  const FILE = '2026-11/20261120-aaaaaaaaaaaa-0001.jsonl';
  const trace = `Savepoint/trace/${FILE}`;
  const [first, second] = [lineOf('first').bytes, lineOf('second').bytes];
  const half = first.subarray(0, 120);

  /** Deletes a file with these bytes after the number `n` of its writer was retired in it. */
  function remove(bytes: Uint8Array[], { file = FILE, n = 1 } = {}): string | undefined {
    const ledger = createLedger({ mayLose: false }, () => true);
    const how = { isNew: true, isDurable: true, hasLanded: true };
    for (const line of [first, second])
      ledger.foreign(trace, line, { isAcknowledged: true, device: 'C' });
    const d = { lane: 'trace', file, w: 'aaaaaaaaaaaa', from: n, to: n };
    const [w, h] = ['bbbbbbbbbbbb', '2026-11-20T00:00:00.000Z.0000'];
    const event = { v: 1, w, n: 1, p: CHAIN_START, h, t: 'log.retire', e: '', d };
    const retirement = encodeLine(event);
    ledger.appended(PHONE, NEW, retirement.bytes, how);
    const disk = createDisk(
      createDice(1),
      () => 0,
      () => undefined,
    );
    disk.put(NEW, retirement.bytes);
    ledger.removing(PHONE, trace, Buffer.concat(bytes), { disk, copies: [] });
    return ledger.violation();
  }
  const blame = `C1 deletes ${trace}, of which not all was retired`;

  it.each([
    ['its lines', [first, second]],
    ['a line and half of one', [first, half]],
    ['two halves that a merge has joined', [first, half, half]],
    ['a whole line between two halves', [half, first.subarray(0, -1), half]],
  ])('is no violation if it was retired: %s', (_, bytes) => {
    expect(remove(bytes)).toBeUndefined();
  });

  it.each([
    ['a damaged line before the last', [half, Buffer.from('\n'), second], {}],
    ['a damaged last line that has ended', [first, Buffer.from('{"v":rubbish\n')], {}],
    ['two halves in a file that was not retired', [first, half, half], { file: 'other.jsonl' }],
    [
      'a whole line that was not, between two halves',
      [half, first.subarray(0, -1), half],
      { n: 2 },
    ],
  ])('is a violation: %s', (_, bytes, how) => {
    expect(remove(bytes, how)).toBe(blame);
  });
});
