import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/model/event.js';
import {
  allStates,
  allWorkspaces,
  eachState,
  lookupState,
  lookupWorkspace,
  lookupWorkspaceByRef,
  isNameTaken,
  workspaceById,
  workspaceOfNote,
  type LookupResult,
} from '../../src/model/lookup.js';
import { newestState } from '../../src/model/states/newest-state.js';
import {
  DEFAULT_WORKSPACE,
  emptyMemory,
  fold,
  VAULT_SCOPE,
  type Memory,
} from '../../src/model/memory.js';
import { clockText, eventOf, stateDraft, workspaceDraft } from '../fakes/events.js';

/** Returns a memory of these drafts, one minute apart, folded in reverse order. */
function memoryOf(...drafts: Draft[]): Memory {
  const events = drafts.map((draft, minute) =>
    eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
  );
  return fold(emptyMemory, events.reverse());
}

function archive(id: string): Draft {
  return { t: 'set', e: id, d: { '/isArchived': true } };
}

function idOf(found: LookupResult<{ entity: { id: string } }>): string | undefined {
  return 'item' in found ? found.item.entity.id : undefined;
}

const EARLY = 'zzzzearly2345678';
const LATE = 'k3v9late23456789';

describe('the newest state', () => {
  it('is the first in the list that is not archived', async () => {
    const states = await Promise.all(
      ['One', 'Two', 'two', 'Three'].map((name) => stateDraft(name, `st-${name}`)),
    );
    const memory = memoryOf(...states, archive('st-Three'));
    expect(newestState(memory, 'default')?.displayName).toBe('two ⟨st-t⟩');
    expect(newestState(memory, 'other')).toBeUndefined();
    const ids = states.map(({ e }) => e);
    expect(newestState(memoryOf(...states, ...ids.map(archive)), 'default')).toBeUndefined();
  });

  it('is another one if the latest twin of an archived state is not archived itself', async () => {
    const [older, twin, copy] = await Promise.all(
      ['One', 'Two', 'Two'].map((name, at) => stateDraft(name, `st-${at}`)),
    );
    const memory = memoryOf(older!, twin!, copy!, archive('st-1'));
    expect(newestState(memory, 'default')?.displayName).toBe('One');
  });
});

describe('lookup by name', () => {
  it('ignores spacing and case, and includes archived items', () => {
    const memory = memoryOf(workspaceDraft('Auth Module', 'w1'), archive('w1'));
    expect(idOf(lookupWorkspace(memory, ' auth  MODULE '))).toBe('w1');
    expect(isNameTaken(memory, VAULT_SCOPE, 'AUTH module')).toBe(true);
  });

  it('suggests similar names if nothing matches', () => {
    const memory = memoryOf(workspaceDraft('Auth module', 'w1'));
    expect(lookupWorkspace(memory, 'Auth modul')).toEqual({ hint: ' Did you mean "Auth module"?' });
    expect(lookupWorkspace(memory, 'Garden')).toEqual({ hint: '' });
    expect(lookupState(memory, 'no such workspace', 'x')).toEqual({ hint: '' });
  });

  it('finds an item by its name, or by its display name with markers', () => {
    const memory = memoryOf(workspaceDraft('Plan \u202egnp.exe', 'w1'));
    const { displayName } = allWorkspaces(memory).find(({ entity }) => entity.id === 'w1')!;
    expect(displayName).toBe('Plan ⟨U+202E⟩gnp.exe');
    expect(workspaceById(memory, 'w1').name).toBe(displayName);
    expect(idOf(lookupWorkspace(memory, displayName))).toBe('w1');
    expect(idOf(lookupWorkspace(memory, 'Plan \u202egnp.exe'))).toBe('w1');
    expect(idOf(lookupWorkspace(memory, 'Plan gnp.exe'))).toBeUndefined();
  });

  it('marks the later of two items with an invisible character in their name', () => {
    const memory = memoryOf(
      workspaceDraft('Pl\u200ban', EARLY),
      workspaceDraft('Pl\u200ban', LATE),
    );
    expect(idOf(lookupWorkspace(memory, 'Pl⟨U+200B⟩an ⟨k3v9⟩'))).toBe(LATE);
    expect(lookupWorkspace(memory, 'Pl⟨U+200B⟩an')).toMatchObject({
      several: [{ name: 'Pl⟨U+200B⟩an ⟨zzzz⟩' }, { name: 'Pl⟨U+200B⟩an ⟨k3v9⟩' }],
    });
  });

  it('marks the later of two items with the same name', () => {
    const memory = memoryOf(workspaceDraft('Plan', EARLY), workspaceDraft('plan', LATE));
    const shown = allWorkspaces(memory).filter(({ item }) => item.id !== DEFAULT_WORKSPACE);
    expect(shown.map(({ displayName, item }) => [displayName, item.id])).toEqual([
      ['Plan', EARLY],
      ['plan ⟨k3v9⟩', LATE],
    ]);
  });

  it('returns both items with the same name', () => {
    const memory = memoryOf(workspaceDraft('Plan', EARLY), workspaceDraft('plan', LATE));
    const found = lookupWorkspace(memory, 'PLAN');
    expect(found).toEqual({
      several: [
        { name: 'Plan ⟨zzzz⟩', createdAt: clockText(0).slice(0, 24) },
        { name: 'plan ⟨k3v9⟩', createdAt: clockText(1).slice(0, 24) },
      ],
    });
    const names = 'several' in found ? found.several.map(({ name }) => name) : [];
    expect(names.map((name) => idOf(lookupWorkspace(memory, name)))).toEqual([EARLY, LATE]);
    expect(idOf(lookupWorkspace(memory, ' plan ⟨K3V9⟩'))).toBe(LATE);
  });

  it('finds nothing for an unknown mark', () => {
    const memory = memoryOf(workspaceDraft('Plan', EARLY), workspaceDraft('Plan', LATE));
    expect(lookupWorkspace(memory, 'Plan ⟨aaaa⟩')).toHaveProperty('hint');
  });

  it('drops the mark once the other item is renamed', () => {
    const memory = memoryOf(workspaceDraft('Plan', EARLY), workspaceDraft('Plan', LATE), {
      t: 'set',
      e: EARLY,
      d: { '/name': 'Old plan' },
    });
    expect(idOf(lookupWorkspace(memory, 'Plan'))).toBe(LATE);
    expect(idOf(lookupWorkspace(memory, 'old plan'))).toBe(EARLY);
  });

  it('follows a workspace through several renames', () => {
    const renames = ['Two', 'Three', 'Four'].map((name): Draft => ({
      t: 'set',
      e: 'w1',
      d: { '/name': name },
    }));
    const memory = memoryOf(workspaceDraft('One', 'w1'), ...renames);
    expect(
      ['One', 'Two', 'Three', 'Four'].map((name) => idOf(lookupWorkspace(memory, name))),
    ).toEqual([undefined, undefined, undefined, 'w1']);
    expect(allWorkspaces(memory).map(({ displayName }) => displayName)).toEqual([
      'Default',
      'Four',
    ]);
  });

  it('finds a workspace by its id, with its display name', () => {
    const memory = memoryOf(workspaceDraft('Plan', EARLY), workspaceDraft('Plan', LATE));
    const found = lookupWorkspaceByRef(memory, LATE);
    expect(found).toMatchObject({ item: { displayName: 'Plan ⟨k3v9⟩', item: { id: LATE } } });
    expect(lookupWorkspaceByRef(memory, 'plan')).toHaveProperty('several');
    expect(lookupWorkspaceByRef(memory, DEFAULT_WORKSPACE)).toMatchObject({
      item: { displayName: 'Default' },
    });
  });

  it('returns the built-in workspace for an unknown id', () => {
    expect(workspaceById(memoryOf(), 'nothing').id).toBe(DEFAULT_WORKSPACE);
  });

  it('lists workspaces by name and states newest first', async () => {
    const memory = memoryOf(
      workspaceDraft('b', 'w1'),
      workspaceDraft('A', 'w2'),
      await stateDraft('s1'),
      await stateDraft('s3'),
      await stateDraft('s2'),
    );
    expect(allWorkspaces(memory).map(({ displayName }) => displayName)).toEqual([
      'A',
      'b',
      'Default',
    ]);
    expect(allStates(memory, DEFAULT_WORKSPACE).map(({ displayName }) => displayName)).toEqual([
      's2',
      's3',
      's1',
    ]);
    expect(
      [...eachState(memory, DEFAULT_WORKSPACE)].map(({ displayName }) => displayName).sort(),
    ).toEqual(['s1', 's2', 's3']);
  });

  it('keeps the states of different workspaces separate', async () => {
    const memory = memoryOf(
      workspaceDraft('W', 'w1'),
      await stateDraft('Save', 's1', 'w1'),
      await stateDraft('Save', 's2'),
    );
    expect([
      idOf(lookupState(memory, 'w1', 'save')),
      idOf(lookupState(memory, DEFAULT_WORKSPACE, 'save')),
    ]).toEqual(['s1', 's2']);
  });

  it('merges two states with the same name and content', async () => {
    const memory = memoryOf(await stateDraft('Save', 's1'), await stateDraft('Save', 's2'));
    expect(
      allStates(memory, DEFAULT_WORKSPACE).map(({ displayName, item }) => [displayName, item.id]),
    ).toEqual([['Save', 's1']]);
    expect(idOf(lookupState(memory, DEFAULT_WORKSPACE, 'Save'))).toBe('s1');
  });

  it.each(['s1', 's2'])('shows merged states as archived when %s is', async (id) => {
    const memory = memoryOf(
      await stateDraft('Save', 's1'),
      await stateDraft('Save', 's2'),
      archive(id),
    );
    expect(lookupState(memory, DEFAULT_WORKSPACE, 'Save')).toMatchObject({
      item: { item: { id: 's1', isArchived: true } },
    });
  });

  it('applies the newest change of merged states', async () => {
    const restore: Draft = { t: 'set', e: 's2', d: { '/isArchived': false } };
    const memory = memoryOf(
      await stateDraft('Save', 's1'),
      await stateDraft('Save', 's2'),
      archive('s1'),
      restore,
    );
    expect(allStates(memory, DEFAULT_WORKSPACE).map(({ item }) => item.isArchived)).toEqual([
      false,
    ]);
  });

  it('keeps two states with the same name and different content', async () => {
    const memory = memoryOf(
      await stateDraft('Save', EARLY),
      await stateDraft('Save', LATE, 'default', { activeTask: 'Another' }),
    );
    expect(allStates(memory, DEFAULT_WORKSPACE).map(({ displayName }) => displayName)).toEqual([
      'Save ⟨k3v9⟩',
      'Save',
    ]);
    expect(lookupState(memory, DEFAULT_WORKSPACE, 'save')).toHaveProperty('several');
  });
});

const workspaceAt = (id: string, rootFolder: string) => {
  const draft = workspaceDraft(id, id);
  return { ...draft, d: { ...draft.d, rootFolder } };
};

const overlapping = fold(
  emptyMemory,
  [
    workspaceAt('home', '/'),
    workspaceAt('uni', 'Uni'),
    workspaceAt('thesis', 'Uni/Thesis/'),
    workspaceAt('old', 'Uni/Thesis/Old'),
    workspaceAt('red', 'Team'),
    workspaceAt('blue', 'team'),
    workspaceAt('plan', 'Team/Plan'),
    { t: 'set', e: 'old', d: { '/isArchived': true } },
    { t: 'path.moved', e: 'move', d: { from: 'Team/Plan', to: 'Plans', after: [] } },
  ].map((draft, minute) => eventOf({ ...draft, n: minute + 1, h: clockText(minute) })),
);

it.each([
  ['Diary.md', undefined, 'a note at the root'],
  ['Garden/Beds.md', undefined, 'a folder of no workspace'],
  ['Uni/Diary.md', 'uni', 'a folder of one workspace'],
  ['Uni/Thesis/Chapter 3.md', 'thesis', 'overlapping folders: the deepest one'],
  ['uni/thesis/Chapter 3.md', 'thesis', 'another case, as disks have it'],
  ['Uni/Thesis 2/Chapter 3.md', 'uni', 'a folder that only begins alike'],
  ['Uni/Thesis/Old/Draft.md', 'thesis', 'the folder of an archived workspace'],
  ['Team/Minutes.md', undefined, 'a folder of two workspaces'],
  ['Plans/May.md', 'plan', 'a folder that was renamed'],
])('a note at %s belongs to %s (%s)', (path, id, _) => {
  expect(workspaceOfNote(overlapping, path)?.id).toBe(id);
});
