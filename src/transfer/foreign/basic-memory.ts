import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { utf8Text } from '../../platform/bytes/bytes.js';
import { toUtf8 } from '../../storage/index.js';
import { readNoteFields, type NoteFields } from '../../search/index.js';
import {
  addLeftOut,
  type ForeignFile,
  type ForeignMemory,
  type ForeignRecord,
  type ForeignState,
  type ReadStats,
} from './foreign-memory.js';
import { foreignMemoryOf, NO_TASK, titledLists } from './knowledge.js';

const WORKSPACE = 'notes';
const decoder = new TextDecoder();

/**
 * Reads notes as states, and decisions that were observed in them as records. The state of a note
 * in the vault links to it and contains its observations and relations; others contain the text.
 */
export async function readBasicMemory(
  files: readonly ForeignFile[],
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<ForeignMemory> {
  const states: ForeignState[] = [];
  const records: ForeignRecord[] = [];
  const keys = new Set<string>();
  for (const file of files) {
    await scheduler.yieldIfDue();
    stats.read++;
    const bytes = toUtf8(file.bytes);
    const text = decoder.decode(bytes);
    const state = stateOf(file, fieldsOf(file.name, text));
    if (!state) addLeftOut(stats, 'otherNotes');
    if (!state) continue;
    const key = keys.has(state.key) ? `${state.key} ${file.name}` : state.key;
    states.push({ ...state, key });
    for (const decision of decisionsIn(text, { ...state, key })) records.push(decision);
    keys.add(state.key);
    stats.recognized++;
    if (utf8Text(bytes) !== undefined) continue;
    const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
    stats.troubles.push({ file: file.name, line, kind: 'garbled' });
  }
  return foreignMemoryOf(states, records, {
    name: 'Basic Memory',
    description: 'What was noted with Basic Memory',
    rootFolder: '/',
    purpose: 'Find the notes of Basic Memory by what was observed in them',
  });
}

/** Returns true for a note with a permalink or an observation. */
export function isBasicMemoryNote(file: ForeignFile): boolean {
  return isBasicMemory(fieldsOf(file.name, decoder.decode(toUtf8(file.bytes))));
}

type MemoryNote = NoteFields & { readonly body: string };

/** Reads a note. A second frontmatter, which a program has left below its own, is no text. */
function fieldsOf(name: string, text: string): MemoryNote {
  const outer = readNoteFields(name, text);
  const body = text.slice(outer.bodyStart);
  const inner = readNoteFields(name, body.trimStart());
  const isSecond = outer.bodyStart > 0 && inner.bodyStart > 0 && !inner.properties.has('');
  if (!isSecond) return { ...outer, body };
  return {
    ...outer,
    properties: new Map([...inner.properties, ...outer.properties]),
    tags: [...new Set([...outer.tags, ...inner.tags])],
    body: body.trimStart().slice(inner.bodyStart),
  };
}

function isBasicMemory({ properties, body }: MemoryNote): boolean {
  return properties.has('permalink') || readMarks(body).observations.length > 0;
}

/** Values that YAML reads as none. */
const NO_VALUE = /^(?:~|null)$/i;

function stateOf(file: ForeignFile, fields: MemoryNote): ForeignState | undefined {
  if (!isBasicMemory(fields)) return undefined;
  const property = (name: string) => {
    const value = fields.properties.get(name)?.[0]?.replace(/^name:\s+/, '') ?? '';
    return value === '' || NO_VALUE.test(value) ? undefined : value;
  };
  const { body } = fields;
  const { observations, relations } = readMarks(body);
  const type = property('type');
  const propertyLines = [...fields.properties]
    .filter(([name]) => !['title', 'type', 'tags'].includes(name))
    .map(([name, values]) => `${name}: ${values.join(', ')}`);
  const isInVault = file.vaultPath !== undefined;
  const content = {
    name: property('title') ?? fields.title,
    conversationContext: isInVault
      ? titledLists([
          ['Observed', observations],
          ['Related', relations],
        ])
      : [body.trim(), titledLists([['Properties', propertyLines]])]
          .filter((part) => part !== '')
          .join('\n\n'),
    activeTask: NO_TASK,
    activeFiles: file.vaultPath === undefined ? [] : [file.vaultPath],
    nextSteps: [],
    ...(type !== undefined && { description: type }),
    ...(fields.tags.length > 0 && { tags: fields.tags }),
  };
  const at = [
    ...['created', 'created_at', 'date'].map((name) => timeOf(property(name))),
    file.modified,
  ].find((time) => time !== undefined);
  // The state of a note in the vault only links to it, so new content makes no new state.
  return {
    key: property('permalink') ?? file.name,
    at,
    location: { file: file.name, line: 1 },
    workspace: WORKSPACE,
    content,
    isVersioned: !isInVault,
    archived: [],
  };
}

/** Returns each observed decision once, and the note itself if its type is `decision`. */
function decisionsIn(
  text: string,
  { key, at, location, workspace, content }: ForeignState,
): ForeignRecord[] {
  const observed = readMarks(text).observations.flatMap((observation) => {
    const [, title] = /^\[decision\] (.*)$/iu.exec(observation) ?? [];
    return title ?? [];
  });
  const own = content.description?.toLowerCase() === 'decision' ? [content.name] : [];
  return [...new Set([...own, ...observed])].map((title) => ({
    key: JSON.stringify([key, title]),
    at,
    location,
    workspace,
    kind: 'decision',
    title,
    files: content.activeFiles,
    state: key,
    changes: [],
  }));
}

function timeOf(text: string | undefined): number | undefined {
  const time = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Matches `- [decision] Tokens are short #auth (since May)`, but neither a task nor a link. */
const OBSERVATION = /^\s*[-*]\s+\[(?![\s[]|[xX/>?!-]\])([^\][()]{1,100})\]\s+(?=\S)(.*)$/;
/** Matches a relation such as `- depends_on [[Schema]] (for now)`. */
const RELATION = /^\s*[-*]\s+([^[\]]{0,200})\[\[([^\][]{1,300})\]\](.*)$/;
const FENCE = /^\s*(?:```|~~~)/;

function readMarks(body: string): { observations: string[]; relations: string[] } {
  const [observations, relations]: [string[], string[]] = [[], []];
  let isCode = false;
  for (const line of body.split(/\r?\n/)) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) continue;
    const observed = OBSERVATION.exec(line);
    const related = observed ? undefined : RELATION.exec(line);
    if (observed) observations.push(`[${observed[1]}] ${observed[2]!.trim()}`);
    else if (related)
      relations.push(
        `${related[1]!.trim() || 'relates_to'} [[${related[2]}]]${related[3]!.trimEnd()}`,
      );
  }
  return { observations, relations };
}
