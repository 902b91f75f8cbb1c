import { expect, it } from 'vitest';
import type { Copies } from '../../src/storage/integrity/copies.js';

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
    await copies.add('one', bytesOf('a\n'));
    await copies.add('two', bytesOf('other\n'));
    await again().add('one', bytesOf('b\nü\n'));
    expect(await textOf(copies, 'one')).toBe('a\nb\nü\n');
    expect(await textOf(again(), 'two')).toBe('other\n');
  });

  it('stores many small and large pieces', async () => {
    const { copies } = await open();
    const pieces = Array.from(
      { length: 60 },
      (_, at) => `${at} ${'x'.repeat((at * 977) % 9000)}\n`,
    );
    pieces.push(`${'y'.repeat(200_000)}\n`, 'z\n');
    for (const piece of pieces) await copies.add('one', bytesOf(piece));
    expect(await textOf(copies, 'one')).toBe(pieces.join(''));
  });

  it('loses nothing when two processes add concurrently', async () => {
    const { copies, again } = await open();
    const other = again();
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? copies : other).add('one', bytesOf(`${at}\n`)),
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
    const adding = copies.add('one', bytes.subarray(7, 14));
    await adding;
    bytes.fill(0);
    expect(await textOf(copies, 'one')).toBe('a line\n');
  });

  it('accepts any text as a vault id', async () => {
    const { copies } = await open();
    await copies.add('../../out', bytesOf('a\n'));
    expect([await textOf(copies, '../../out'), await textOf(copies, 'one')]).toEqual(['a\n', '']);
  });
}
