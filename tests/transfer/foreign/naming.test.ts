import { describe, expect, it } from 'vitest';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { nameProblem } from '../../../src/model/names.js';
import { createNameAllocator, validName } from '../../../src/transfer/foreign/naming.js';
import { eventOf, workspaceDraft } from '../../fakes/events.js';

describe('createNameAllocator', () => {
  const memory = fold(emptyMemory, [eventOf(workspaceDraft('Garden', 'mine'))]);

  it('keeps a name that is free or belongs to the item', () => {
    const naming = createNameAllocator(memory, 'Nexus');
    expect(naming.allocate('Plan', '', 'a')).toBe('Plan');
    expect(naming.allocate('Plan', 'other', 'b')).toBe('Plan');
    expect(naming.allocate('garden', '', 'mine')).toBe('garden');
    expect(naming.allocate('Plan', '', 'a')).toBe('Plan');
    expect(naming.renamings).toEqual([]);
  });

  it('appends the source and a number to a taken name', () => {
    const naming = createNameAllocator(memory, 'Nexus');
    expect(['a', 'b', 'c'].map((id) => naming.allocate('GARDEN', '', id))).toEqual([
      'GARDEN (Nexus)',
      'GARDEN (Nexus 2)',
      'GARDEN (Nexus 3)',
    ]);
    const long = 'x'.repeat(200);
    expect([naming.allocate(long, '', 'd'), nameProblem(naming.allocate(long, '', 'e'))]).toEqual([
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
    ['Plan \u202egnp.exe', 'Plan gnp.exe'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['ü'.repeat(300), `${'ü'.repeat(199)}…`],
  ])('turns %j into %j', (text, name) => {
    expect(validName(text)).toBe(name);
    expect(nameProblem(validName(text))).toBeUndefined();
  });
});
