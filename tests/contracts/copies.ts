import { expect, it } from 'vitest';
import type { Draft } from '../../src/model/event.js';
import type { EncodedLine } from '../../src/storage/format/line.js';
import type { Copies } from '../../src/storage/copies/copies.js';
import { joinLines, linesOf, WRITER_A, WRITER_B } from '../fakes/events.js';

const DRAFT: Draft = { t: 'set', e: 'x', d: {} };

const headsOf = (...lines: readonly EncodedLine[]) =>
  new Map(lines.map(({ event: { w, n, c } }) => [w, { n, c }]));

const lastLine = (n: number) => ({ n, hash: String(n).repeat(32) });
const bytesOf = (text: string) => new TextEncoder().encode(text);

/**
 * Defines the tests that every implementation of `Copies` must pass. `again` opens it like another
 * process.
 */
export function copiesContract(open: () => Promise<{ copies: Copies; again: () => Copies }>): void {
  const textOf = async (copies: Copies, vaultId: string) =>
    new TextDecoder().decode(await copies.read(vaultId));

  it('is empty at first', async () => {
    const { copies } = await open();
    expect(await textOf(copies, 'one')).toBe('');
  });

  it('stores additions in order, separately for each vault', async () => {
    const { copies, again } = await open();
    await copies.add('one', bytesOf('a\n'), 'own');
    await copies.add('two', bytesOf('other\n'), 'own');
    await again().add('one', bytesOf('b\nü\n'), 'own');
    expect(await textOf(copies, 'one')).toBe('a\nb\nü\n');
    expect(await textOf(again(), 'two')).toBe('other\n');
  });

  it('stores what was added before it is closed', async () => {
    const { copies, again } = await open();
    await copies.add('one', bytesOf('a\n'), 'own');
    await copies.add('two', bytesOf('b\n'), 'own');
    await copies.add('one', bytesOf('x\n'), 'other');
    await copies.close();
    expect([await textOf(again(), 'one'), await textOf(again(), 'two')]).toEqual(['a\nx\n', 'b\n']);
  });

  it('can be closed although nothing was added', async () => {
    const { copies } = await open();
    await copies.read('one');
    expect(await copies.close()).toBeUndefined();
  });

  it('stores many small and large pieces', async () => {
    const { copies } = await open();
    const pieces = Array.from(
      { length: 60 },
      (_, at) => `${at} ${'x'.repeat((at * 977) % 9000)}\n`,
    );
    pieces.push(`${'y'.repeat(200_000)}\n`, 'z\n');
    for (const piece of pieces) await copies.add('one', bytesOf(piece), 'own');
    expect(await textOf(copies, 'one')).toBe(pieces.join(''));
  });

  it('loses nothing when two processes add concurrently', async () => {
    const { copies, again } = await open();
    const other = again();
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? copies : other).add('one', bytesOf(`${at}\n`), 'own'),
      ),
    );
    const lines = (await textOf(copies, 'one')).trimEnd().split('\n');
    expect(lines.map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, at) => at),
    );
  });

  it('stores a copy of the bytes, so that later changes have no effect', async () => {
    const { copies } = await open();
    const bytes = bytesOf('before a line\nafter');
    const adding = copies.add('one', bytes.subarray(7, 14), 'own');
    await adding;
    bytes.fill(0);
    expect(await textOf(copies, 'one')).toBe('a line\n');
  });

  it("returns this device's lines before those of others", async () => {
    const { copies, again } = await open();
    await copies.add('one', bytesOf('x\n'), 'other');
    await copies.add('one', bytesOf('a\n'), 'own');
    await again().add('one', bytesOf('y\n'), 'other');
    expect(await textOf(again(), 'one')).toBe('a\nx\ny\n');
  });

  it('returns the last line of each writer', async () => {
    const { copies, again } = await open();
    expect(await copies.heads('one')).toEqual(new Map());
    const own = linesOf([DRAFT, DRAFT, DRAFT]);
    const others = linesOf([DRAFT, DRAFT], WRITER_B);
    await copies.add('one', joinLines(own.slice(0, 2)), 'own');
    await copies.add('one', joinLines([...others].reverse()), 'other');
    await copies.add('two', joinLines(own), 'own');
    expect(await copies.heads('one')).toEqual(headsOf(own[1]!, others[1]!));
    await again().add('one', own[2]!.bytes, 'own');
    expect(await copies.heads('one')).toEqual(headsOf(own[2]!, others[1]!));
    expect(await again().heads('one')).toEqual(headsOf(own[2]!, others[1]!));
  });

  it('stores a record of the vault', async () => {
    const { copies, again } = await open();
    expect(await copies.loadRecord()).toBeUndefined();
    const first = { ids: ['one'], readme: '5 7', lossSeenAt: 3, waitingSince: { a: 2 } };
    await copies.updateRecord((before) => (before ? { ids: [] } : first));
    const record = { ids: ['two', 'one'], readme: '5 8', waitingSince: { 'core/a.jsonl': 9 } };
    await copies.updateRecord((before) => (before?.lossSeenAt === 3 ? record : { ids: [] }));
    expect(await copies.loadRecord()).toMatchObject(record);
    expect((await again().loadRecord())?.lossSeenAt).toBeUndefined();
    expect(await again().loadRecord()).toMatchObject(record);
  });

  it('keeps what all of several updates at once have added to the record', async () => {
    const { copies, again } = await open();
    const all = [copies, again(), copies, again()];
    await Promise.all(
      all.map((each, at) =>
        each.updateRecord((before) => ({ ids: [...(before?.ids ?? []), `id ${at}`] })),
      ),
    );
    const ids = (await again().loadRecord())?.ids ?? [];
    expect([...ids].sort()).toEqual(['id 0', 'id 1', 'id 2', 'id 3']);
  });

  it('remembers up to which number it lacks the lines of a writer', async () => {
    const { copies, again } = await open();
    expect(await copies.lacking()).toEqual(new Map());
    await copies.setLacking(WRITER_A, lastLine(4));
    await again().setLacking(WRITER_B, lastLine(2));
    await again().setLacking(WRITER_A, lastLine(5));
    const both = new Map([
      [WRITER_A, lastLine(5)],
      [WRITER_B, lastLine(2)],
    ]);
    expect(await copies.lacking()).toEqual(both);
    await copies.updateRecord(() => ({ ids: [] }));
    await copies.setLacking(WRITER_A, undefined);
    expect(await again().lacking()).toEqual(new Map([[WRITER_B, lastLine(2)]]));
  });

  it('accepts any text as a vault id', async () => {
    const { copies } = await open();
    await copies.add('../../out', bytesOf('a\n'), 'own');
    expect([await textOf(copies, '../../out'), await textOf(copies, 'one')]).toEqual(['a\n', '']);
  });
}
