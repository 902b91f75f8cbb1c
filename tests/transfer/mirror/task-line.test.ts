import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isTitle,
  readBoxes,
  taskLine,
  valuesOf,
  writtenValues,
} from '../../../src/transfer/mirror/task-line.js';
import { perTier, SEED } from '../../tier.js';

const read = (...lines: string[]) =>
  readBoxes(lines).map((box) => [...valuesOf(box, 'other'), box.id]);

describe('a line with a box', () => {
  it('is read as a person and the Tasks plugin write it', () => {
    expect(
      read(
        '- [ ] Dig',
        '\t* [x] Sow *beans* 📅 2026-12-01 ✅ 2026-11-27 ^sp-ab12 ',
        '1. [X] [[Shop]] \\[a\\]  b',
        '+ [-] Given up ✅ 2026-02-31',
        '- [ ] Buy 📅 2026-12-01 ^sp-abcd2345and more',
      ),
    ).toEqual([
      ['Dig', 'open', '', undefined],
      ['Sow *beans*', 'done', '2026-12-01', 'sp-ab12'],
      ['[[Shop]] [a] b', 'done', '', undefined],
      ['Given up ✅ 2026-02-31', 'other', '', undefined],
      ['Buy and more', 'open', '2026-12-01', 'sp-abcd2345'],
    ]);
  });

  it('is no task without a box, or in a code block without an id', () => {
    expect(read('', '- Mine', '- []', '-[ ] a', '> - [ ] b', '- [ ]c', '```', '- [ ] d')).toEqual(
      [],
    );
    expect(read('````', '```', '- [ ] d', '```', '- [ ] e', '````')).toEqual([]);
    expect(read('```', '~~~', '- [ ] d', '``` x', '- [ ] e')).toEqual([]);
    expect(read('```', '- [ ] d ^sp-a')).toHaveLength(1);
    expect(read('```now``` or never', '- [ ] d')).toHaveLength(1);
  });

  it('keeps what was typed when its status or id is written', () => {
    const [box] = readBoxes(['  * [/] Sow *beans*  now']);
    const was = { box: box!, own: valuesOf(box!, 'open') };
    expect(taskLine('sp-a', was.own, '', was)).toBe('  * [/] Sow *beans*  now ^sp-a');
    expect(taskLine('sp-a', [was.own[0], 'done', '2026-12-01'], '2026-11-27', was)).toBe(
      '  * [x] Sow *beans*  now 📅 2026-12-01 ✅ 2026-11-27 ^sp-a',
    );
  });

  it('reads back what it writes, for any title', () => {
    const title = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('a ✅ 2026-11-27', '- [ ] a ^sp-b'),
    );
    fc.assert(
      fc.property(title, (text) => {
        const written = writtenValues([text, 'open', '']);
        expect(writtenValues(written)).toEqual(written);
        if (isTitle(text)) expect(written).toEqual([text, 'open', '']);
      }),
      { numRuns: perTier(200, 5000, 50_000), seed: SEED },
    );
  });
});
