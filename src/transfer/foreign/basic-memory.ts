import type { Pause } from '../../platform/scheduler.js';
import {
  leaveOut,
  rest,
  type Account,
  type ForeignFile,
  type ForeignState,
  type Gathered,
  type NoteHead,
  type Readers,
} from './foreign.js';
import { KNOWLEDGE, sections } from './knowledge.js';

const WORKSPACE = 'notes';
const decoder = new TextDecoder();

/**
 * Reads notes of Basic Memory: a state for each. The state of a note that lies in the vault points to it and holds its observations
 * and relations; of any other it holds the whole text.
 */
export async function readBasicMemory(
  files: readonly ForeignFile[],
  { noteHead }: Pick<Readers, 'noteHead'>,
  account: Account,
  pause?: Pause,
): Promise<Gathered> {
  const states: ForeignState[] = [];
  const keys = new Set<string>();
  for (const file of files) {
    await rest(pause);
    account.read++;
    const text = decoder.decode(file.bytes);
    const state = stateOf(file, text, noteHead(file.name, text));
    if (!state) leaveOut(account, 'otherNotes');
    else if (keys.has(state.key)) states.push({ ...state, key: `${state.key} ${file.name}` });
    else states.push(state);
    if (!state) continue;
    keys.add(state.key);
    account.recognized++;
  }
  const [first] = states;
  const fields = {
    name: 'Basic Memory',
    description: 'What was noted with Basic Memory',
    rootFolder: '/',
    purpose: 'Find the notes of Basic Memory by what was observed in them',
  };
  const at = Math.min(...states.map((state) => state.at ?? Infinity));
  return {
    workspaces: first
      ? [
          {
            key: WORKSPACE,
            at: Number.isFinite(at) ? at : undefined,
            place: first.place,
            fields,
            changes: [],
            isGuessed: true,
          },
        ]
      : [],
    states,
    traces: [],
    conversations: [],
    messages: [],
  };
}

/** Whether a note is one of Basic Memory: it has a permalink, or something in it is marked as observed. */
export function isBasicMemoryNote(file: ForeignFile, noteHead: Readers['noteHead']): boolean {
  const text = decoder.decode(file.bytes);
  return isKnown(noteHead(file.name, text), text);
}

function isKnown(head: NoteHead, text: string): boolean {
  return (
    head.properties.has('permalink') ||
    readMarks(text.slice(head.bodyStart)).observations.length > 0
  );
}

function stateOf(file: ForeignFile, text: string, head: NoteHead): ForeignState | undefined {
  if (!isKnown(head, text)) return undefined;
  const property = (name: string) => head.properties.get(name)?.[0];
  const body = text.slice(head.bodyStart);
  const { observations, relations } = readMarks(body);
  const type = property('type');
  const about = [...head.properties]
    .filter(([name]) => !['title', 'type', 'tags'].includes(name))
    .map(([name, values]) => `${name}: ${values.join(', ')}`);
  const isHere = file.vaultPath !== undefined;
  const content = {
    name: property('title') ?? head.title,
    conversationContext: isHere
      ? sections([
          ['Observed', observations],
          ['Related', relations],
        ])
      : [body.trim(), sections([['Properties', about]])].filter((part) => part !== '').join('\n\n'),
    activeTask: KNOWLEDGE,
    activeFiles: file.vaultPath === undefined ? [] : [file.vaultPath],
    nextSteps: [],
    ...(type !== undefined && { description: type }),
    ...(head.tags.length > 0 && { tags: head.tags }),
  };
  const at = [
    ...['created', 'created_at', 'date'].map((name) => timeOf(property(name))),
    file.modified,
  ].find((time) => time !== undefined);
  const place = { file: file.name, line: 1 };
  // A note that lies in the vault goes on changing: it is the one that tells, and its state points to it.
  return {
    key: property('permalink') ?? file.name,
    at,
    place,
    workspace: WORKSPACE,
    content,
    isVersioned: !isHere,
    archived: [],
  };
}

function timeOf(text: string | undefined): number | undefined {
  const time = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `- [decision] Tokens are short #auth (since May)`; neither a task nor a link. */
const OBSERVATION = /^\s*[-*]\s+\[(?![\s[]|[xX/>?!-]\])([^\][()]{1,100})\]\s+(?=\S)(.*)$/;
/** `- depends_on [[Schema]] (for now)`. */
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
