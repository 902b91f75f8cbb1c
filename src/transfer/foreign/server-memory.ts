import type { JsonObject } from '../../model/event.js';
import { isTextList } from '../../model/text/json-fields.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import {
  addLeftOut,
  type ForeignFile,
  type ForeignMemory,
  type ForeignState,
  type ReadStats,
  type SourceLocation,
} from './foreign-memory.js';
import { readJsonLines } from './json-lines.js';
import { NO_TASK, titledLists } from './knowledge.js';

interface GraphEntity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
  readonly at: number | undefined;
  readonly location: SourceLocation;
}

interface GraphRelation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/** Returns true for a line of the MCP server "memory", which is an entity or a relation. */
export function isGraphLine(value: JsonObject): boolean {
  const { type, name, entityType, observations, from, to, relationType } = value;
  const areAllTexts = (texts: readonly unknown[]) =>
    texts.every((each) => typeof each === 'string');
  if (type === 'entity') return areAllTexts([name, entityType]) && isTextList(observations);
  return type === 'relation' && areAllTexts([from, to, relationType]);
}

const WORKSPACE = 'memory';

/**
 * Reads `memory.jsonl` of the MCP server "memory". Each entity becomes a state with its
 * observations and relations.
 */
export async function readServerMemory(
  files: readonly ForeignFile[],
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<ForeignMemory> {
  const entities: GraphEntity[] = [];
  const relations: GraphRelation[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    for (const { value, location } of await readJsonLines(file, isGraphLine, stats, scheduler)) {
      const text = JSON.stringify(value);
      if (seen.has(text)) stats.duplicates++;
      else if (value['type'] === 'relation') relations.push(value as unknown as GraphRelation);
      else entities.push({ ...(value as unknown as GraphEntity), at: file.modified, location });
      seen.add(text);
    }
  }
  const names = new Set(entities.map(({ name }) => name));
  addLeftOut(
    stats,
    'orphans',
    relations.filter(({ from, to }) => !names.has(from) && !names.has(to)).length,
  );
  const related = relatedLines(relations);
  const states: ForeignState[] = [];
  for (const entity of entities) {
    await scheduler.yieldIfDue();
    states.push(stateOf(entity, related.get(entity.name) ?? []));
  }
  const [first] = states;
  const fields = {
    name: 'Imported memory',
    description: 'What the MCP server "memory" remembered',
    rootFolder: '/',
    purpose: 'Keep what was remembered before Savepoint: a state for each entity',
  };
  const at = states.reduce<number | undefined>(
    (earliest, state) =>
      earliest === undefined ? state.at : Math.min(earliest, state.at ?? earliest),
    undefined,
  );
  return {
    workspaces: first
      ? [{ key: WORKSPACE, at, location: first.location, fields, changes: [], isGuessed: true }]
      : [],
    states,
    records: [],
    traces: [],
    conversations: [],
    messages: [],
  };
}

/** Returns the relations of each entity as text, by name. */
function relatedLines(relations: readonly GraphRelation[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  const add = (name: string, line: string) => lines.set(name, [...(lines.get(name) ?? []), line]);
  for (const { from, to, relationType } of relations) {
    add(from, `${relationType} ${to}`);
    if (to !== from) add(to, `${from} ${relationType} this`);
  }
  return lines;
}

function stateOf(
  { name, entityType, observations, at, location }: GraphEntity,
  related: readonly string[],
): ForeignState {
  const content = {
    name,
    conversationContext: titledLists([
      ['Known', observations],
      ['Related', related],
    ]),
    activeTask: NO_TASK,
    activeFiles: [],
    nextSteps: [],
    ...(entityType !== '' && { description: entityType, tags: [entityType] }),
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
