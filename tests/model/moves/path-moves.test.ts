import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { PathMoves } from '../../../src/model/moves/path-moves.js';

describe('PathMoves', () => {
  it('leads an older path to the note, through any number of renames', () => {
    const moves = movesOf([1, 'A.md', 'B.md'], [2, 'B.md', 'C.md'], [3, 'C.md', 'Sub/D.md']);
    expect(moves.resolve('A.md', at(0))).toBe('Sub/D.md');
    expect(moves.resolve('B.md', at(1))).toBe('Sub/D.md');
    expect(moves.resolve('A', at(0))).toBe('Sub/D');
  });

  it('leaves a path alone that was written after the rename', () => {
    const moves = movesOf([1, 'A.md', 'B.md'], [3, 'A.md', 'C.md']);
    expect(moves.resolve('A.md', at(0))).toBe('B.md');
    expect(moves.resolve('A.md', at(2))).toBe('C.md');
    expect(moves.resolve('A.md', at(4))).toBe('A.md');
  });

  it('moves what is in a folder with it, and lets a note leave it', () => {
    const moves = movesOf(
      [1, 'F', 'G'],
      [2, 'G/x.md', 'H/y.md'],
      [3, 'G', 'K'],
      [4, 'H', 'Deep/H'],
      [5, 'G', 'Other'],
    );
    expect(moves.resolve('F/x.md', at(0))).toBe('Deep/H/y.md');
    expect(moves.resolve('F/z.md', at(0))).toBe('K/z.md');
    expect(moves.resolve('F', at(0))).toBe('K');
    expect(moves.resolve('Fine/z.md', at(0))).toBe('Fine/z.md');
  });

  it('ends at a folder whose notes are not to be named', () => {
    const moves = movesOf([1, 'A.md', 'B.md'], [2, 'B.md', undefined], [4, 'B.md', 'C.md']);
    expect(moves.resolve('A.md', at(0))).toBe('B.md');
    expect(moves.resolve('B.md', at(3))).toBe('C.md');
  });

  it('lets the later of two devices decide that rename the same note', () => {
    const moves = movesOf(
      [1, 'A.md', 'B.md'],
      [2, 'A.md', 'C.md', []],
      [3, 'C.md', 'D.md', [1, 2]],
    );
    expect(moves.resolve('A.md', at(0))).toBe('D.md');
    expect(moves.resolve('B.md', at(1))).toBe('B.md');
  });

  it('finds a note whose folder another device has renamed at the same time', () => {
    const folderLast = movesOf([1, 'F/a.md', 'F/b.md'], [2, 'F', 'G', []]);
    expect(folderLast.resolve('F/a.md', at(0))).toBe('G/a.md');
    expect(folderLast.resolve('F/b.md', `${at(1)}.0001`)).toBe('F/b.md');
    const noteLast = movesOf([1, 'F', 'G'], [2, 'F/a.md', 'F/b.md', []]);
    expect(noteLast.resolve('F/a.md', at(0))).toBe('F/b.md');
    expect(noteLast.resolve('F/c.md', at(0))).toBe('G/c.md');
  });

  it('says how a note was called at a time', () => {
    const moves = movesOf([1, 'F', 'G'], [2, 'G/x.md', 'G/y.md']);
    const namesAt = moves.namesOf('G/y.md');
    expect(namesAt(at(0))).toContain('F/x.md');
    expect(namesAt(`${at(1)}.0001`)).toContain('G/x.md');
    expect(namesAt(`${at(1)}.0001`)).not.toContain('F/x.md');
    expect(namesAt(at(3))).toEqual(['G/y.md']);
  });

  it('leaves paths outside the vault alone', () => {
    const moves = movesOf([1, 'src', 'lib']);
    expect(moves.resolve('project:src/a.ts', at(0))).toBe('project:src/a.ts');
    expect(moves.resolve('/', at(0))).toBe('/');
  });
});

type Row = [number, string, string | undefined, number[]?];

/** Each move knows the one before it, unless its row says which ones. */
function movesOf(...rows: Row[]): PathMoves {
  return new PathMoves(
    rows.map(([second, from, to, known = [second - 1, second - 2]]) => ({
      v: 1,
      w: 'w',
      n: second,
      p: '',
      c: '',
      h: `${at(second)}.0000`,
      t: 'path.moved',
      e: `e${second}`,
      d: { from, ...(to !== undefined && { to }), after: known.map((n) => `w:${n}`) },
    })) satisfies LogEvent[],
  );
}

function at(second: number): string {
  return `2026-11-20T04:00:0${second}.000Z`;
}
