import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import {
  addLeftOut,
  type ForeignFile,
  type ForeignMemory,
  type ForeignState,
  type ReadStats,
  type SourceLocation,
} from './foreign-memory.js';
import { readGraphItems, type GraphEntity } from './graph-items.js';
import { foreignMemoryOf, NO_TASK, titledLists } from './knowledge.js';

/** Everything that is known of one name. */
interface Entity {
  readonly types: ReadonlySet<string>;
  /** A set, which takes more memory, only if several lines have them. */
  readonly observations: readonly string[] | Set<string>;
  readonly at: number | undefined;
  readonly location: SourceLocation;
}

const WORKSPACE = 'memory';

/** Reads files and saved answers of server-memory. An entity's lines become one state. */
export async function readServerMemory(
  files: readonly ForeignFile[],
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<ForeignMemory> {
  const entities = new Map<string, Entity>();
  const related = new Map<string, Set<string>>();
  const ends: { readonly from: string; readonly to: string }[] = [];
  for (const file of files) {
    for await (const { item, location } of readGraphItems(file, stats, scheduler)) {
      if ('relation' in item) {
        const { from, to, type } = item.relation;
        const isNew = addTo(related, from, `${type} ${to}`);
        if (to !== from) addTo(related, to, `${from} ${type} this`);
        if (isNew) ends.push(item.relation);
        else stats.duplicates++;
        continue;
      }
      addLeftOut(stats, 'oddValues', item.entity.oddValues ?? 0);
      if (!addEntity(entities, item.entity, { at: file.modified, location })) stats.duplicates++;
    }
  }
  const toldOnce = new Map<string, number>();
  for (const { from, to } of ends) {
    const known = [...new Set([from, to])].filter((name) => entities.has(name));
    if (known.length === 0) addLeftOut(stats, 'orphans');
    if (known.length === 1) toldOnce.set(known[0]!, (toldOnce.get(known[0]!) ?? 0) + 1);
  }
  const states: ForeignState[] = [];
  for (const [name, entity] of entities) {
    await scheduler.yieldIfDue();
    const relations = toldOnce.get(name) ?? 0;
    states.push({ ...stateOf(name, entity, related.get(name) ?? new Set()), relations });
    entities.delete(name); // a large memory does not fit twice
  }
  return foreignMemoryOf(states, [], {
    name: 'Imported memory',
    description: 'What the MCP server "memory" remembered',
    rootFolder: '/',
    purpose: 'Keep what was remembered before Savepoint: a state for each entity',
  });
}

/** Returns true if the text is new. */
function addTo(texts: Map<string, Set<string>>, name: string, text: string): boolean {
  const own = texts.get(name);
  if (own?.has(text)) return false;
  if (own) own.add(text);
  else texts.set(name, new Set([text]));
  return true;
}

/** Returns true if anything of the entity is new. */
function addEntity(
  entities: Map<string, Entity>,
  { name, type, observations }: GraphEntity,
  source: Pick<Entity, 'at' | 'location'>,
): boolean {
  const known = entities.get(name);
  if (!known) {
    const types = new Set(type === '' ? [] : [type]);
    entities.set(name, { ...source, types, observations });
    return true;
  }
  const all = known.observations instanceof Set ? known.observations : new Set(known.observations);
  const size = all.size + known.types.size;
  for (const each of observations) all.add(each);
  const types = type === '' ? known.types : new Set([...known.types, type]);
  entities.set(name, { ...known, types, observations: all });
  return all.size + types.size > size;
}

function stateOf(
  name: string,
  { types, observations, at, location }: Entity,
  related: ReadonlySet<string>,
): ForeignState {
  const content = {
    name,
    conversationContext: titledLists([
      ['Known', [...new Set(observations)]],
      ['Related', [...related]],
    ]),
    activeTask: NO_TASK,
    activeFiles: [],
    nextSteps: [],
    ...(types.size > 0 && { description: [...types].join(', '), tags: [...types] }),
  };
  return {
    key: name,
    at,
    location,
    workspace: WORKSPACE,
    content,
    isVersioned: true,
    archived: [],
  };
}
