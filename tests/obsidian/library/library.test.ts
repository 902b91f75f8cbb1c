import { describe, expect, it } from 'vitest';
import { readLibrary, stateIn } from '../../../src/obsidian/library/library.js';
import { NOOP_SCHEDULER, Scheduler } from '../../../src/platform/scheduler.js';
import { stateDraft, workspaceDraft } from '../../fakes/events.js';
import { archive, memoryOf } from '../memory/memories.js';

describe('the library', () => {
  it('lists all workspaces by name, each with its states, newest first', async () => {
    const memory = memoryOf(
      workspaceDraft('Zoo', 'w2'),
      workspaceDraft('Attic', 'w1'),
      archive('w1'),
      await stateDraft('first', 'a', 'w2'),
      await stateDraft('second', 'b', 'w2'),
      archive('a'),
    );
    const library = await readLibrary(memory, NOOP_SCHEDULER);
    expect(library.map(({ workspace }) => workspace?.displayName)).toEqual([
      'Attic',
      'Default',
      'Zoo',
    ]);
    expect(
      library
        .find(({ id }) => id === 'w2')
        ?.states.map(({ displayName, item }) => [displayName, item.isArchived]),
    ).toEqual([
      ['second', false],
      ['first', true],
    ]);
  });

  it('lists the states of a missing workspace last', async () => {
    const library = await readLibrary(
      memoryOf(await stateDraft('stray', 'a', 'gone')),
      NOOP_SCHEDULER,
    );
    expect(library.map(({ id, workspace }) => [id, workspace === undefined])).toEqual([
      ['default', false],
      ['gone', true],
    ]);
    expect(
      stateIn(
        library.find(({ id }) => id === 'gone')!,
        'a',
      )?.displayName,
    ).toBe('stray');
  });

  it('yields to the host while it reads', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => stateDraft(`state ${index}`)),
    );
    let now = 0;
    let breaths = 0;
    const yieldToHost = () => Promise.resolve(void breaths++);
    const clock = { now: () => (now += 1) };
    const library = await readLibrary(memoryOf(...drafts), new Scheduler(clock, yieldToHost));
    expect(library[0]?.states).toHaveLength(50);
    expect(breaths).toBeGreaterThan(2);
  });
});
