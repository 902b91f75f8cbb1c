import type { Draft } from '../../src/model/event.js';
import {
  allStates,
  allWorkspaces,
  lookupState,
  lookupWorkspace,
  isNameTaken,
  type LookupResult,
  type Named,
} from '../../src/model/lookup.js';
import { DEFAULT_WORKSPACE, VAULT_SCOPE, type Memory } from '../../src/model/memory.js';
import { stateData, canonicalStateText, type State } from '../../src/model/state.js';
import {
  workspaceChanges,
  workspaceData,
  type WorkspaceFields,
} from '../../src/model/workspace.js';
import { createEntityId } from '../../src/platform/random.js';
import { Declined, type Call } from './call.js';
import type { Dice } from './dice.js';
import { instantSha256 } from './instant-sha256.js';
import { createRecordCall } from './record-calls.js';

/** Few, so that calls collide. Some are two spellings of the same name. */
const WORKSPACES = ['Plan', 'plan', 'Garden', ' GARDEN ', 'Müller "quoted" \\ \u2028'];
const STATES = ['Draft', 'draft ', 'Review', 'Done: {"v":1,"w":'];
const FILES = ['a.md', 'b/c.md', 'd~e.md', 'f.md'];

/** Creates a call of a random kind. `weight` is the number of extra bytes of a state. */
export function createCall(key: string, dice: Dice, weight: number): Call {
  const [name, stateName] = [WORKSPACES, STATES].map(
    (names) => `${dice.pick(names)}${dice.chance(0.3) ? dice.below(5) : ''}`,
  ) as [string, string];
  if (dice.chance(0.25)) return createRecordCall(key, dice);
  const kind = dice.below(10);
  if (kind < 2) return createWorkspaceCall(key, dice, name);
  if (kind < 5) return createStateCall(key, dice, name, stateName, weight);
  const isArchived = dice.chance(0.5);
  const about = `${isArchived ? 'archive' : 'restore'}`;
  if (kind < 6)
    return {
      key,
      about: `${about} workspace "${name}"`,
      decide: (memory) => [archived(workspaceNamed(memory, name, dice), isArchived)],
    };
  if (kind < 7) {
    const pick = (memory: Memory) =>
      stateNamed(memory, anyWorkspace(memory, dice), stateName, dice);
    return {
      key,
      about: `${about} state "${stateName}"`,
      decide: (memory) => [archived(pick(memory), isArchived)],
    };
  }
  return updateCall(key, dice, name);
}

export function createWorkspaceCall(key: string, dice: Dice, name: string): Call {
  const fields: WorkspaceFields = {
    name,
    description: `By ${key}`,
    rootFolder: '/',
    purpose: 'To test',
    ...(dice.chance(0.5) && {
      keyFiles: some(FILES, dice),
      workflows: some(['read', 'write'], dice),
    }),
    ...(dice.chance(0.5) && { preferences: { tone: 'dry', v: { v: 1 } } }),
  };
  return {
    key,
    about: `create workspace "${name}"`,
    decide(memory) {
      if (isNameTaken(memory, VAULT_SCOPE, name)) throw new Declined('That name is taken.');
      return [{ t: 'ws.new', e: createEntityId(dice), d: workspaceData(fields) }];
    },
  };
}

function createStateCall(
  key: string,
  dice: Dice,
  workspace: string,
  name: string,
  weight: number,
): Call {
  const isTwin = dice.chance(0.3);
  const content = {
    name,
    conversationContext: isTwin ? 'The same' : `By ${key} ${'x'.repeat(weight)}`,
    activeTask: 'Test',
    activeFiles: isTwin ? [] : some(FILES, dice),
    nextSteps: ['Go on'],
    ...(!isTwin && dice.chance(0.3) && { tags: ['{"v":1}'], description: 'é \u0085 \u{1f333}' }),
  };
  return {
    key,
    about: `create state "${name}"${isTwin ? ' (twin)' : ''}`,
    decide(memory) {
      const scope = dice.chance(0.5) ? DEFAULT_WORKSPACE : workspaceNamed(memory, workspace, dice);
      if (isNameTaken(memory, scope, name)) throw new Declined('That name is taken.');
      return [
        {
          t: 'state.new',
          e: createEntityId(dice),
          d: stateData(scope, content, instantSha256(canonicalStateText(content))),
        },
      ];
    },
  };
}

function updateCall(key: string, dice: Dice, name: string): Call {
  const fields: Partial<WorkspaceFields> = {
    ...(dice.chance(0.4) && { purpose: `Purpose by ${key}` }),
    ...(dice.chance(0.2) && { name: dice.pick(WORKSPACES) }),
    ...(dice.chance(0.4) && { keyFiles: some(FILES, dice) }),
    ...(dice.chance(0.3) && { workflows: some(['read', 'think', 'write'], dice) }),
    ...(dice.chance(0.4) && {
      preferences: { tone: `By ${key}`, ...(dice.chance(0.5) && { deep: { er: dice.below(9) } }) },
    }),
  };
  return {
    key,
    about: `update workspace "${name}" (${Object.keys(fields).join(', ')})`,
    decide(memory) {
      const id = workspaceNamed(memory, name, dice);
      const { entity } = allWorkspaces(memory).find(({ item }) => item.id === id)!;
      const d = workspaceChanges(entity, fields);
      return Object.keys(d).length > 0 ? [{ t: 'set', e: id, d }] : [];
    },
  };
}

function archived(id: string, isArchived: boolean): Draft {
  return { t: 'set', e: id, d: { '/isArchived': isArchived } };
}

/** Resolves a listed name most of the time, as an agent would, otherwise `name`. */
function workspaceNamed(memory: Memory, name: string, dice: Dice): string {
  const asked = dice.chance(0.7) ? dice.pick(allWorkspaces(memory)).displayName : name;
  return resolve(lookupWorkspace(memory, asked), (marked) => lookupWorkspace(memory, marked), dice);
}

function stateNamed(memory: Memory, scope: string, name: string, dice: Dice): string {
  const states = allStates(memory, scope);
  const asked = states.length > 0 && dice.chance(0.7) ? dice.pick(states).displayName : name;
  return resolve<Named<State>>(
    lookupState(memory, scope, asked),
    (marked) => lookupState(memory, scope, marked),
    dice,
  );
}

function anyWorkspace(memory: Memory, dice: Dice): string {
  const full = allWorkspaces(memory).filter(({ item }) => allStates(memory, item.id).length > 0);
  return full.length > 0 ? dice.pick(full).item.id : DEFAULT_WORKSPACE;
}

/** Retries an ambiguous name with one of the suggested names. */
function resolve<T extends { item: { id: string } }>(
  found: LookupResult<T>,
  again: (marked: string) => LookupResult<T>,
  dice: Dice,
): string {
  if ('item' in found) return found.item.item.id;
  if ('hint' in found) throw new Declined('There is no such thing.');
  const second = again(dice.pick(found.several).name);
  if ('item' in second) return second.item.item.id;
  throw new Declined('Its mark is not its own.');
}

function some<T>(items: readonly T[], dice: Dice): T[] {
  return dice.shuffle(items).slice(0, dice.below(items.length + 1));
}
