import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFileNames,
  toFileName,
  isDeviceName,
  findName,
  windowsNameProblem,
} from '../../src/platform/safe-file-names.js';
import { HOSTILE_NAMES } from '../storage/hostile-names.js';

describe('toFileName', () => {
  it.each(HOSTILE_NAMES)('turns %j into %j', (text, name) => {
    expect(toFileName(text)).toBe(name);
  });

  it('recognizes Windows device names in any form', () => {
    for (const name of ['CON', 'nul.tar.gz', 'COM¹', 'lpt9 .txt', 'Aux'])
      expect(isDeviceName(name), name).toBe(true);
    for (const name of ['console', 'company.md', 'COM10', 'a.con', ''])
      expect(isDeviceName(name), name).toBe(false);
  });

  it('truncates long names between characters', () => {
    expect(toFileName('x'.repeat(300))).toBe('x'.repeat(96));
    expect(toFileName('工'.repeat(200))).toBe('工'.repeat(32));
    expect(toFileName('😀'.repeat(200))).toBe('😀'.repeat(24));
  });

  it('is safe for any text, and idempotent', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'./\\:*con nulaux ~-\0\n'), maxLength: 20 }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const name = toFileName(given);
        expect(name).toMatch(/^[^<>:"/\\|?*#^[\]{}`%\p{Cc}\p{Cs}\u202e]+$/u);
        expect(name).not.toMatch(/^[.\s~-]|[.\s]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(97);
        expect(toFileName(name).replace(/^_/, '')).toBe(name.replace(/^_/, ''));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('createFileNames', () => {
  it('returns names that differ on case-insensitive, normalizing disks', () => {
    const nameOf = createFileNames(['_workspace']);
    expect(
      [
        'Plan',
        'plan',
        'PLAN',
        'Plan (2)',
        'é',
        'e\u0301',
        'straße',
        'STRASSE',
        '_workspace',
        '???',
        '..',
      ].map(nameOf),
    ).toEqual([
      'Plan',
      'plan (2)',
      'PLAN (3)',
      'Plan (2) (2)',
      'é',
      'é (2)',
      'straße',
      'STRASSE (2)',
      '_workspace (2)',
      'untitled',
      'untitled (2)',
    ]);
  });

  it('skips numbers that other names already have', () => {
    const nameOf = createFileNames(['plan (3)']);
    expect(['Plan (2)', 'Plan', 'plan', 'PLAN', 'Plan (4)', 'plan'].map(nameOf)).toEqual([
      'Plan (2)',
      'Plan',
      'plan (4)',
      'PLAN (5)',
      'Plan (4) (2)',
      'plan (6)',
    ]);
  });

  it('returns unique, short names for many equal texts', () => {
    const nameOf = createFileNames();
    const names = Array.from({ length: 5_000 }, () => nameOf(`${'工'.repeat(100)}?`));
    expect(new Set(names).size).toBe(5_000);
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(96);
  });

  it('returns unique names for any texts', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({
            unit: fc.constantFrom('a', 'A', ' ', '.', '(', '2', ')', '?'),
            maxLength: 6,
          }),
        ),
        (texts) => {
          const names = texts.map(createFileNames());
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(texts.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('findName', () => {
  const nfd = 'Übung'.normalize('NFD');

  it.each([
    ['Plan.md', ['plan.md', 'Plan.md'], 'Plan.md'],
    ['Übung', [nfd], nfd],
    ['PLAN.md', ['Plan.md'], 'Plan.md'],
    ['PLAN.md', ['Plan.md', 'plan.md'], undefined],
    ['Plan', ['Plans'], undefined],
  ])('finds %j among %j', (typed, names, found) => {
    expect(findName(names, typed)).toBe(found);
  });
});

describe('windowsNameProblem', () => {
  it.each(['CON', 'what? *', 'Plan.', ' Plan', 'nul.md'])('refuses %j', (name) => {
    expect(windowsNameProblem(name)).toContain('Windows');
  });

  it('accepts other names', () => {
    expect(windowsNameProblem('Übung (2).md')).toBeUndefined();
  });
});
