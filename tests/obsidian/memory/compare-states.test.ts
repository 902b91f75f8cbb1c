import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareStates,
  inOrder,
  type FieldChange,
} from '../../../src/obsidian/memory/compare-states.js';
import { contentOf } from '../../fakes/events.js';

function fieldOf(changes: readonly FieldChange[], field: FieldChange['field']): FieldChange {
  return changes.find((change) => change.field === field)!;
}

describe('a comparison of two states', () => {
  it('finds no change between equal contents, whether absent or empty', () => {
    const changes = compareStates(contentOf('a'), contentOf('b', { tags: [], description: '' }));
    expect(changes.filter(({ isChanged }) => isChanged)).toEqual([]);
    expect(changes.map(({ field }) => field).sort()).toEqual(
      [
        'activeFiles',
        'activeTask',
        'conversationContext',
        'description',
        'nextSteps',
        'tags',
      ].sort(),
    );
  });

  it('compares texts word by word', () => {
    const change = fieldOf(
      compareStates(
        contentOf('a', { activeTask: 'plant red roses' }),
        contentOf('b', { activeTask: 'plant white roses' }),
      ),
      'activeTask',
    );
    expect(change.parts).toEqual([
      { value: 'plant ', change: 'none' },
      { value: 'red', change: 'removed' },
      { value: 'white', change: 'added' },
      { value: ' roses', change: 'none' },
    ]);
  });

  it('merges the changes of adjacent words', () => {
    const task = (activeTask: string) => contentOf('x', { activeTask });
    const change = fieldOf(
      compareStates(
        task('plant the red roses by the south wall'),
        task('plant the small white tulips by the south wall'),
      ),
      'activeTask',
    );
    expect(change.parts.map(({ value, change: kind }) => [String(value).trim(), kind])).toEqual([
      ['plant the', 'none'],
      ['red roses', 'removed'],
      ['small white tulips', 'added'],
      ['by the south wall', 'none'],
    ]);
  });

  it('replaces a text as a whole if it shares only a few words', () => {
    const task = (activeTask: string) => contentOf('x', { activeTask });
    const earlier = 'The lamps in the parks look fine';
    const later = 'As a share of the disc it explains a fifth';
    expect(fieldOf(compareStates(task(earlier), task(later)), 'activeTask').parts).toEqual([
      { value: earlier, change: 'removed' },
      { value: later, change: 'added' },
    ]);
  });

  it('preserves both texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bee', ' ', '\n', '.', 'see'), { maxLength: 30 })
      .map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (earlier, later) => {
        const { parts } = fieldOf(
          compareStates(
            contentOf('a', { activeTask: earlier }),
            contentOf('b', { activeTask: later }),
          ),
          'activeTask',
        );
        const without = (change: string) =>
          parts.flatMap((part) => (part.change === change ? [] : part.value)).join('');
        expect([without('added'), without('removed')]).toEqual([earlier, later]);
      }),
    );
  });

  it('compares lists element by element, including their order', () => {
    const steps = (nextSteps: string[]) => contentOf('x', { nextSteps });
    const change = fieldOf(
      compareStates(steps(['a', 'b', 'c']), steps(['b', 'c', 'd'])),
      'nextSteps',
    );
    expect(change.parts).toEqual([
      { value: ['a'], change: 'removed' },
      { value: ['b', 'c'], change: 'none' },
      { value: ['d'], change: 'added' },
    ]);
    expect(
      fieldOf(compareStates(steps(['a', 'b']), steps(['b', 'a'])), 'nextSteps').isChanged,
    ).toBe(true);
  });

  it('replaces a long text as a whole if it has nothing in common', () => {
    const words = (mark: string) =>
      Array.from({ length: 5000 }, (_, index) => `${mark}${index}`).join(' ');
    const change = fieldOf(
      compareStates(
        contentOf('a', { conversationContext: words('a') }),
        contentOf('b', { conversationContext: words('b') }),
      ),
      'conversationContext',
    );
    expect(change.parts).toEqual([
      { value: words('a'), change: 'removed' },
      { value: words('b'), change: 'added' },
    ]);
  });

  it('compares texts line by line if very many words changed', () => {
    const same = 'nothing is changed in here '.repeat(200);
    const lines = (mark: string) =>
      [
        same,
        ...Array.from({ length: 40 }, (_, line) => `${mark}${line} `.repeat(30)),
        'same too',
      ].join('\n');
    const context = (mark: string) => contentOf('x', { conversationContext: lines(mark) });
    const { parts } = fieldOf(compareStates(context('a'), context('b')), 'conversationContext');
    expect(parts.map(({ change }) => change)).toEqual(['none', 'removed', 'added', 'none']);
    expect([parts[0]?.value, parts[3]?.value]).toEqual([`${same}\n`, 'same too']);
  });

  it('puts the earlier state first', () => {
    const [early, late] = [
      { item: { createdAt: '2026-01-01' } },
      { item: { createdAt: '2026-01-02' } },
    ];
    expect(inOrder(late, early)).toEqual([early, late]);
    expect(inOrder(early, late)).toEqual([early, late]);
  });
});
