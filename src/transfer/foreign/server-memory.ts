import type { JsonObject } from '../../model/event.js';
import type { Pause } from '../../platform/scheduler.js';
import {
  areTexts,
  leaveOut,
  rest,
  type Account,
  type ForeignFile,
  type ForeignState,
  type Gathered,
  type Place,
} from './foreign.js';
import { readJsonLines } from './json-lines.js';
import { KNOWLEDGE, sections } from './knowledge.js';

interface KnownEntity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
  readonly at: number | undefined;
  readonly place: Place;
}

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/** Whether an object is a line of the MCP server "memory": an entity or a relation. */
export function isGraphLine(value: JsonObject): boolean {
  const { type, name, entityType, observations, from, to, relationType } = value;
  const areAllTexts = (texts: readonly unknown[]) =>
    texts.every((each) => typeof each === 'string');
  if (type === 'entity') return areAllTexts([name, entityType]) && areTexts(observations);
  return type === 'relation' && areAllTexts([from, to, relationType]);
}

const WORKSPACE = 'memory';

/** Reads `memory.jsonl` of the MCP server "memory": a state for each entity, with what was observed and how it is related. */
export async function readServerMemory(
  files: readonly ForeignFile[],
  account: Account,
  pause?: Pause,
): Promise<Gathered> {
  const entities: KnownEntity[] = [];
  const relations: Relation[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    for (const { value, place } of await readJsonLines(file, isGraphLine, account, pause)) {
      const text = JSON.stringify(value);
      if (seen.has(text)) account.duplicates++;
      else if (value['type'] === 'relation') relations.push(value as unknown as Relation);
      else entities.push({ ...(value as unknown as KnownEntity), at: file.modified, place });
      seen.add(text);
    }
  }
  const names = new Set(entities.map(({ name }) => name));
  leaveOut(
    account,
    'orphans',
    relations.filter(({ from, to }) => !names.has(from) && !names.has(to)).length,
  );
  const related = relatedLines(relations);
  const states: ForeignState[] = [];
  for (const entity of entities) {
    await rest(pause);
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
    (least, state) => (least === undefined ? state.at : Math.min(least, state.at ?? least)),
    undefined,
  );
  return {
    workspaces: first
      ? [{ key: WORKSPACE, at, place: first.place, fields, changes: [], isGuessed: true }]
      : [],
    states,
    traces: [],
    conversations: [],
    messages: [],
  };
}

/** By entity: its relations, as seen from it. */
function relatedLines(relations: readonly Relation[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  const add = (name: string, line: string) => lines.set(name, [...(lines.get(name) ?? []), line]);
  for (const { from, to, relationType } of relations) {
    add(from, `${relationType} ${to}`);
    if (to !== from) add(to, `${from} ${relationType} this`);
  }
  return lines;
}

function stateOf(
  { name, entityType, observations, at, place }: KnownEntity,
  related: readonly string[],
): ForeignState {
  const content = {
    name,
    conversationContext: sections([
      ['Known', observations],
      ['Related', related],
    ]),
    activeTask: KNOWLEDGE,
    activeFiles: [],
    nextSteps: [],
    ...(entityType !== '' && { description: entityType, tags: [entityType] }),
  };
  return { key: name, at, place, workspace: WORKSPACE, content, isVersioned: true, archived: [] };
}
