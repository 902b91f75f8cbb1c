import { eachState, lookupState } from '../../model/lookup.js';
import { entityOf, type Memory } from '../../model/memory.js';
import { clip, Refusal } from '../../model/refusal.js';
import { stateData, stateOf, type State } from '../../model/state.js';
import { visibleText } from '../../model/text/visible-text.js';
import { workspaceOf, type Workspace } from '../../model/workspace.js';
import { createEntityId } from '../../platform/random.js';
import type { Services } from '../services.js';

export interface Move {
  readonly state: Pick<State, 'id'>;
  readonly workspace: Pick<Workspace, 'id'>;
}

/**
 * Copies a state to another workspace and archives the original, in one write. Restores an equal
 * state that was there before, so that moving back undoes the move. Returns the id of the state
 * there. Only the user can do this. Throws a `Refusal` if either is missing or archived, or the
 * name is taken.
 */
export async function moveStateInLog(
  { log, random }: Pick<Services, 'log' | 'random'>,
  { state, workspace }: Move,
): Promise<string> {
  await log.memory();
  const movedId = await log.write((memory) => {
    const source = requireMovable(memory, state.id);
    const target = requireTarget(memory, workspace.id, source);
    const archive = { t: 'set', e: source.id, d: { '/isArchived': true } };
    const earlier = findSameState(memory, source, target);
    if (earlier) {
      const restore = { t: 'set', e: earlier.id, d: { '/isArchived': false } };
      return { drafts: earlier.isArchived ? [restore, archive] : [archive], answer: earlier.id };
    }
    const copy = { t: 'state.new', e: createEntityId(random), d: copyData(memory, source, target) };
    return { drafts: [copy, archive], answer: copy.e };
  });
  if (movedId === undefined) throw new Error('A write without a key must have an answer');
  return movedId;
}

function requireMovable(memory: Memory, id: string): State {
  const state = stateOf(entityOf(memory, id));
  if (!state) throw new Refusal('The state no longer exists. Choose another one.');
  const shown = lookupState(memory, state.workspaceId, state.name);
  const isArchived = 'item' in shown ? shown.item.item.isArchived : state.isArchived;
  if (isArchived)
    throw new Refusal(`State "${clip(state.name)}" is archived. Restore it before you move it.`);
  return state;
}

function requireTarget(memory: Memory, id: string, { name, workspaceId }: State): Workspace {
  const workspace = workspaceOf(entityOf(memory, id));
  if (!workspace) throw new Refusal('The workspace no longer exists. Choose another one.');
  if (workspace.id === workspaceId)
    throw new Refusal(
      `State "${clip(name)}" is already in "${clip(workspace.name)}". Choose another workspace.`,
    );
  if (workspace.isArchived)
    throw new Refusal(
      `Workspace "${clip(workspace.name)}" is archived. Restore it, or choose another workspace.`,
    );
  return workspace;
}

/** Returns the target's state with the same name and content; undefined if its name is free. */
function findSameState(memory: Memory, source: State, target: Workspace): State | undefined {
  const found = lookupState(memory, target.id, source.name);
  if ('item' in found && found.item.item.sha === source.sha) return found.item.item;
  if ('hint' in found) return undefined;
  throw new Refusal(
    `"${clip(target.name)}" already has a state named "${visibleText(source.name)}". Choose another workspace; names are never reused.`,
  );
}

/** Returns the id of the target's copy of the state that the source continues, if any. */
function movedId(memory: Memory, target: Workspace, { continues }: State): string | undefined {
  if (continues === undefined) return undefined;
  for (const { item } of eachState(memory, target.id))
    if (item.origin?.state === continues) return item.id;
  return undefined;
}

const COPIED_FIELDS = ['by', 'files', 'git', 'project', 'projectName'];

/** Returns the original's data with its origin. */
function copyData(memory: Memory, source: State, target: Workspace): ReturnType<typeof stateData> {
  const data = Object.entries(entityOf(memory, source.id).created?.d ?? {});
  return {
    ...stateData(target.id, source, source.sha, { continues: movedId(memory, target, source) }),
    ...Object.fromEntries(data.filter(([field]) => COPIED_FIELDS.includes(field))),
    origin: source.origin
      ? { ...source.origin }
      : { ws: source.workspaceId, state: source.id, at: source.createdAt },
  };
}
