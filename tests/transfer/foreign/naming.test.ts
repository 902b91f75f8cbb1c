import { describe, expect, it } from 'vitest';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { nameProblem } from '../../../src/model/names.js';
import { createNaming, plainName } from '../../../src/transfer/foreign/naming.js';
import { eventOf, workspaceDraft } from '../../fakes/events.js';

describe('a name for what is brought in', () => {
  const memory = fold(emptyMemory, [eventOf(workspaceDraft('Garden', 'mine'))]);

  it('is its own where nothing in the scope bears it, or only the thing itself', () => {
    const naming = createNaming(memory, 'Nexus');
    expect(naming.give('Plan', '', 'a')).toBe('Plan');
    expect(naming.give('Plan', 'other', 'b')).toBe('Plan');
    expect(naming.give('garden', '', 'mine')).toBe('garden');
    expect(naming.give('Plan', '', 'a')).toBe('Plan');
    expect(naming.renamings).toEqual([]);
  });

  it('else tells where it came from, and is counted', () => {
    const naming = createNaming(memory, 'Nexus');
    expect(['a', 'b', 'c'].map((id) => naming.give('GARDEN', '', id))).toEqual([
      'GARDEN (Nexus)',
      'GARDEN (Nexus 2)',
      'GARDEN (Nexus 3)',
    ]);
    const long = 'x'.repeat(200);
    expect([naming.give(long, '', 'd'), nameProblem(naming.give(long, '', 'e'))]).toEqual([
      long,
      undefined,
    ]);
    expect(naming.renamings.map(({ from }) => from)).toEqual(['GARDEN', 'GARDEN', 'GARDEN', long]);
  });

  it.each([
    ['Plan', 'Plan'],
    ['a\r\nb', 'a b'],
    ['  ', 'Untitled'],
    ['', 'Untitled'],
    ['\u200b', 'Untitled'],
    ['ü'.repeat(300), `${'ü'.repeat(199)}…`],
  ])('of %j is %j', (text, name) => {
    expect(plainName(text)).toBe(name);
    expect(nameProblem(plainName(text))).toBeUndefined();
  });
});
