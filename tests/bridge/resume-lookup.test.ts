import { beforeAll, describe, expect, it } from 'vitest';
import { findStateToResume } from '../../src/bridge/resume-lookup.js';
import { lookupWorkspace } from '../../src/model/lookup.js';
import type { Memory } from '../../src/model/memory.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';

/** The names that the prompt is given. */
type Given = Parameters<typeof findStateToResume>[1];

let memory: Memory;
let gardenId: string;

beforeAll(async () => {
  const vault = createTestVault();
  await vault.data('createState', stateNamed('Budget 2026'));
  await vault.data('createWorkspace', { ...garden, name: 'Kitchen garden' });
  for (const name of ['Auth Module Progress', 'Auth Tokens', 'Beds drawn'])
    await vault.data('createState', stateNamed(name));
  await vault.data('createState', stateNamed('Beds archived'));
  await vault.data('archiveState', { name: 'Beds archived' });
  await vault.data('createWorkspace', { ...garden, name: 'House' });
  await vault.data('createState', stateNamed('Roof'));
  await vault.data('createState', { ...stateNamed('Beds drawn'), activeTask: 'Sleep' });
  memory = await vault.log.memory();
  const found = lookupWorkspace(memory, 'Kitchen garden');
  gardenId = 'item' in found ? found.item.item.id : '';
});

/** Returns the state and the workspace that the prompt finds. */
function resume(given: Given, current?: string): string {
  const { state, workspace } = findStateToResume(memory, given, current);
  return `${state.displayName} in ${workspace.displayName}`;
}

describe('resume', () => {
  it.each<[string, Given, string]>([
    ['both names', { workspace: 'House', state: 'Roof' }, 'Roof in House'],
    ['a state', { state: 'roof' }, 'Roof in House'],
    ['a state as the first argument', { workspace: 'Roof' }, 'Roof in House'],
    ['a workspace', { workspace: 'house' }, 'Beds drawn in House'],
    ['the start of a workspace', { workspace: 'Kitch' }, 'Beds drawn in Kitchen garden'],
    ['the start of a state', { workspace: 'Budg' }, 'Budget 2026 in Default'],
    ['quotes', { workspace: '"Budget 2026"' }, 'Budget 2026 in Default'],
    [
      'a quoted name cut at the space',
      { workspace: '"Budget', state: '2026"' },
      'Budget 2026 in Default',
    ],
    [
      'a name cut at the first space',
      { workspace: 'Auth', state: 'Module' },
      'Auth Module Progress in Kitchen garden',
    ],
    [
      'a workspace cut at the space',
      { workspace: 'Kitchen', state: 'garden' },
      'Beds drawn in Kitchen garden',
    ],
    [
      'a state in a workspace, both by their start',
      { workspace: 'Kitchen', state: 'Beds' },
      'Beds drawn in Kitchen garden',
    ],
    [
      'a workspace and a state in one argument',
      { workspace: 'Kitchen garden Auth T' },
      'Auth Tokens in Kitchen garden',
    ],
    [
      'a workspace of two words cut at the first space, and the start of a state',
      { workspace: 'Kitchen', state: 'garden auth mod' },
      'Auth Module Progress in Kitchen garden',
    ],
    [
      'a quoted workspace cut at the space, and a state',
      { workspace: '"Kitchen', state: 'garden" "Beds drawn"' },
      'Beds drawn in Kitchen garden',
    ],
    [
      'an archived state that no other matches',
      { workspace: 'Beds', state: 'arch' },
      'Beds archived in Kitchen garden',
    ],
  ])('accepts %s', (_, given, expected) => {
    expect(resume(given)).toBe(expected);
  });

  it('takes the newest state of the current workspace, else of the vault', () => {
    expect(resume({}, gardenId)).toBe('Beds drawn in Kitchen garden');
    expect(resume({})).toBe('Beds drawn in House');
    expect(resume({ workspace: ' ', state: '' })).toBe('Beds drawn in House');
  });

  it('prefers the current workspace if several have the state', () => {
    expect(resume({ state: 'Beds drawn' }, gardenId)).toBe('Beds drawn in Kitchen garden');
    expect(() => resume({ state: 'Beds drawn' })).toThrow(
      '"Beds drawn" matches several states: "Beds drawn" in "House", "Beds drawn" in "Kitchen garden". Type more of the name, or name the workspace, too.',
    );
  });

  it('lists what a beginning matches', () => {
    expect(() => resume({ workspace: 'Auth' })).toThrow(
      '"Auth" matches several states: "Auth Tokens" in "Kitchen garden", "Auth Module Progress" in "Kitchen garden". Type more of the name, or name the workspace, too.',
    );
  });

  it('suggests similar names if nothing matches', () => {
    expect(() => resume({ workspace: 'Roff' })).toThrow(
      'State "Roff" not found. Did you mean "Roof"?',
    );
    expect(() => resume({ workspace: 'Attic', state: 'Boxes' })).toThrow(
      'State "Boxes" not found.',
    );
  });

  it.each<[Given, string]>([
    [{ workspace: 'House', state: 'Cellar' }, 'No state of "House" begins with "Cellar".'],
    [{ workspace: 'Kitchen', state: 'garden nonsense' }, 'begins with "nonsense".'],
    [{ workspace: 'Kitchen garden nonsense' }, 'No state of "Kitchen garden" begins with'],
    [
      { workspace: 'House', state: 'Auth Tokens' },
      'No state of "House" begins with "Auth Tokens". It is in "Kitchen garden".',
    ],
  ])('says that no state of the named workspace fits the rest of %j', (given, message) => {
    expect(() => resume(given)).toThrow(message);
  });

  it('takes no state of another workspace if the current one has none', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Elsewhere'));
    await vault.data('createWorkspace', garden);
    const id = vault.toolkit.sessions.get('session');
    memory = await vault.log.memory();
    expect(() => resume({}, id)).toThrow('No state has been saved in Garden yet.');
  });

  it('says that nothing has been saved yet', async () => {
    memory = await createTestVault().log.memory();
    expect(() => resume({})).toThrow('No state has been saved in this vault yet. Save one first.');
    expect(() => resume({ workspace: 'default' })).toThrow(
      'No state has been saved in Default yet. Save one first, or name another workspace.',
    );
  });
});
