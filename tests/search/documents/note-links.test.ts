import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkTargets, readLinks } from '../../../src/search/documents/note-links.js';

const linksOf = (text: string) => [...readLinks(text)].filter((link) => link !== undefined);
const targets = (text: string) => linksOf(text).map(({ target }) => target);

function targetsAmong(...paths: readonly string[]): ReturnType<typeof createLinkTargets> {
  const among = createLinkTargets();
  for (const path of paths) among.add(path);
  return among;
}

describe('readLinks', () => {
  it.each([
    ['[[Plan]]', 'Plan'],
    ['![[Picture.png|300]]', 'Picture.png'],
    ['[[Projects/Plan#Next steps|the plan]]', 'Projects/Plan'],
    ['[[Plan#^block]]', 'Plan'],
    ['| [[Plan\\|shown]] |', 'Plan'],
    ['[a](Plan.md)', 'Plan.md'],
    ['[a](Plan%20two.md#Heading "title")', 'Plan two.md'],
    ['[a](<Plan two.md>)', 'Plan two.md'],
    ['![a](img/Picture%20(1).png)', 'img/Picture (1).png'],
    ['[`code`](Plan.md)', 'Plan.md'],
    ['[100%](100%.md)', '100%.md'],
    ['- [ ] do [[Plan]]', 'Plan'],
    ['related: "[[Plan]]"', 'Plan'],
    ['`a` [[Plan]] `b`', 'Plan'],
    ['a ` b [[Plan]]', 'Plan'],
  ])('finds the link in %j', (text, target) => {
    expect(targets(text)).toEqual([target]);
  });

  it.each([
    '`[[Plan]]`',
    '``a ` [[Plan]]``',
    '```\n[[Plan]]\n```',
    '~~~md\n[[Plan]]\n```\n[[Plan]]\n~~~',
    '> ```\n> [[Plan]]\n> ```',
    '- ```\n  [[Plan]]\n  ```',
    '````\n```\n[[Plan]]\n````',
    '```\n[[Plan]]',
    '%% [[Plan]] %%',
    '%%\n[[Plan]]\n%%',
    '<!-- [[Plan]]\n[[Plan]] -->',
    '[[#Heading]]',
    '[a](#heading)',
    '[a](https://example.org/Plan.md)',
    '[a](mailto:ana@example.org)',
    '[a](obsidian://open?vault=x)',
    '[a](//example.org)',
    '[a]()',
    '[[]]',
    '\\[[Plan]]',
    '[a][b]',
    '[ ] not a link (at all)',
  ])('finds no link in %j', (text) => {
    expect(targets(text)).toEqual([]);
  });

  it('returns the line of each link', () => {
    expect(linksOf('[[A]]\n```\n[[No]]\n```\r\n%% x\n%% [[B]]\n\n[c](C.md) and [[D]]')).toEqual([
      { target: 'A', line: 1 },
      { target: 'B', line: 6 },
      { target: 'C.md', line: 8 },
      { target: 'D', line: 8 },
    ]);
  });

  it('reads any text, including long repetitions', () => {
    const pieces = [
      '[[',
      ']]',
      '](',
      ')',
      '`',
      '```',
      '\n',
      '%%',
      '<!--',
      '-->',
      'a',
      ' ',
      '|',
      '#',
      '(',
      '<',
      '>',
      '\\',
      '~~~',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 80 }), (parts) => {
        const lines = parts.join('').split('\n').length;
        for (const { target, line } of linksOf(parts.join(''))) {
          expect(target).not.toBe('');
          expect(line).toBeLessThanOrEqual(lines);
        }
      }),
    );
    for (const piece of pieces)
      expect(linksOf(piece.repeat(50_000)).length).toBeGreaterThanOrEqual(0);
  });
});

describe('createLinkTargets', () => {
  const there = targetsAmong(
    'Projects/Alpha/Plan.md',
    'Projects/Plan.md',
    'Café.md',
    'img/Fig 1.PNG',
    'v1.2.md',
    'Notes/Deep/Leaf.md',
  );

  it.each([
    ['Plan', ''],
    ['plan', ''],
    ['PLAN.md', ''],
    ['Alpha/Plan', ''],
    ['Projects/Plan', ''],
    ['/Projects/Plan.md', 'Notes'],
    ['./Plan', 'Projects'],
    ['../Plan', 'Projects/Alpha'],
    ['../Projects/Plan.md', 'Notes'],
    ['Cafe\u0301', ''],
    ['fig 1.png', ''],
    ['Fig\u00a01.png', ''],
    ['v1.2', ''],
    ['Deep/Leaf', 'Elsewhere'],
    ['Leaf', 'Notes'],
  ])('resolves "%s" from "%s"', (target, folder) => {
    expect(there.has(target, folder)).toBe(true);
  });

  it.each([
    ['Other', ''],
    ['Beta/Plan', ''],
    ['/Plan', ''],
    ['./Leaf', 'Notes'],
    ['../Plan', 'Notes/Deep'],
    ['lan', ''],
    ['fig 1', ''],
    ['Projects', ''],
    ['../../../Plan', 'Notes'],
  ])('does not resolve "%s" from "%s"', (target, folder) => {
    expect(there.has(target, folder)).toBe(false);
  });

  it('finds files by full path only, and resolves files added later', () => {
    const among = targetsAmong('A/B.md');
    expect([among.hasFile('a/b.md'), among.hasFile('B.md'), among.has('C', '')]).toEqual([
      true,
      false,
      false,
    ]);
    among.add('C.md');
    expect(among.has('C', '')).toBe(true);
  });

  it('returns a file with the same name', () => {
    expect(there.namesakeOf('Old/Leaf')).toBe('Notes/Deep/Leaf.md');
    expect(there.namesakeOf('Old/Nothing')).toBeUndefined();
  });

  it('resolves every suffix of a path, in any case and normalization', () => {
    const part = fc.stringMatching(/^[a-zA-Zéäö0-9]{1,6}$/);
    fc.assert(
      fc.property(
        fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 }),
        (paths) => {
          const known = targetsAmong(...paths.map((parts) => `${parts.join('/')}.md`));
          for (const parts of paths) {
            for (let from = 0; from < parts.length; from++) {
              const end = parts.slice(from).join('/');
              expect(known.has(end.toUpperCase().toLowerCase().normalize('NFD'), 'any')).toBe(true);
              expect(known.has(`${end}.md`, '')).toBe(true);
            }
          }
        },
      ),
    );
  });
});
