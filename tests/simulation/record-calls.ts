import type { Draft, JsonObject } from '../../src/model/event.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import { entityOf, type Memory } from '../../src/model/memory.js';
import { mapEntries } from '../../src/model/persistent-map.js';
import { RECORD_KINDS, RECORD_STATUSES } from '../../src/model/records/record-kinds.js';
import {
  needPath,
  recordData,
  recordOf,
  type ProjectRecord,
} from '../../src/model/records/record.js';
import { createEntityId } from '../../src/platform/random.js';
import { Declined, type Call } from './call.js';
import type { Dice } from './dice.js';

/** Few, so that devices record the same title. */
const TITLES = ['Use JWT', 'use jwt ', 'Ship it', 'Which cache? {"v":1,"w":', 'Phase \u2028 2'];
const BY = { client: 'test', session: 's', device: 'd' };

/** Creates a call that creates a record or edits one, as the tools of the project manager do. */
export function createRecordCall(key: string, dice: Dice): Call {
  if (dice.chance(0.1)) return pinCall(key, dice);
  return dice.chance(0.4) ? creationCall(key, dice) : editCall(key, dice);
}

function pinCall(key: string, dice: Dice): Call {
  return {
    key,
    about: 'pin a trace',
    decide(memory) {
      const ws = dice.pick(allWorkspaces(memory)).item.id;
      const d = { ws, tool: 'logTrace', input: `By ${key}`, kind: 'error_pattern' };
      return [{ t: 'pin.new', e: createEntityId(dice), d }];
    },
  };
}

function creationCall(key: string, dice: Dice): Call {
  const [kind, title] = [dice.pick(RECORD_KINDS), dice.pick(TITLES)];
  const body = dice.chance(0.5) ? { body: `By ${key}` } : {};
  return {
    key,
    about: `create ${kind} "${title}"`,
    decide(memory) {
      const workspace = dice.pick(allWorkspaces(memory)).item.id;
      const others = recordsIn(memory, workspace);
      const needs = others.length > 0 && dice.chance(0.4) ? [dice.pick(others).id] : [];
      const id = createEntityId(dice);
      const d = recordData(workspace, { kind, title, ...body, needs }, { by: BY });
      const superseded = others.length > 0 && dice.chance(0.3) ? [dice.pick(others)] : [];
      return [
        { t: 'record.new', e: id, d },
        ...superseded.map((old): Draft => ({ t: 'set', e: old.id, d: { '/supersededBy': id } })),
      ];
    },
  };
}

function editCall(key: string, dice: Dice): Call {
  const edit = dice.below(6);
  return {
    key,
    about: `edit a record (${['status', 'need', 'no need', 'reminder', 'archive', 'successor'][edit]})`,
    decide(memory) {
      const records = allWorkspaces(memory).flatMap(({ item }) => recordsIn(memory, item.id));
      if (records.length === 0) throw new Declined('There is no record.');
      const [record, other] = [dice.pick(records), dice.pick(records)];
      const changes: JsonObject[] = [
        { '/status': dice.pick(RECORD_STATUSES) },
        { [needPath(other.id)]: true },
        { [needPath(other.id)]: null },
        { '/remindAt': dice.chance(0.3) ? null : '2026-12-01T00:00:00.000Z' },
        { '/isArchived': dice.chance(0.7) },
        { '/supersededBy': dice.chance(0.2) ? null : other.id },
      ];
      return [{ t: 'set', e: record.id, d: changes[edit]! }];
    },
  };
}

/** Returns the records of a workspace in the order of the index. */
export function recordsIn(memory: Memory, workspace: string): ProjectRecord[] {
  const index = [...mapEntries(memory.records)].find(([scope]) => scope === workspace);
  const ids = index ? [...mapEntries(index[1])].flatMap(([, list]) => list) : [];
  return ids.flatMap((id) => recordOf(entityOf(memory, id)) ?? []);
}
