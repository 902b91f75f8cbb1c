import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { inFolder, perForm, type Figure } from '../lib.js';
import { ourCommand, serverMemoryCommand, withServer, type Connected } from '../peers.js';
import { notesOf, type Note } from './grep.js';
import {
  contains,
  entitiesOf,
  Meter,
  readMaterial,
  tokensIn,
  type Save,
  type WorkspaceParams,
} from './material.js';

/** A save with its session, the state that the session loads first, and what it supersedes. */
interface SessionSave extends Save {
  readonly session: string;
  readonly loads?: string;
  readonly supersedes?: readonly { readonly title: string; readonly by: string }[];
}

interface Question {
  readonly question: string;
  readonly kind: string;
  /** Missing for a question that nothing answers. */
  readonly piece?: string | null;
  readonly answer?: string | null;
  /** Texts of superseded decisions. */
  readonly not?: readonly string[];
}

interface Material {
  readonly workspaces: readonly WorkspaceParams[];
  readonly saves: readonly SessionSave[];
  readonly questions: readonly Question[];
}

/** What one memory showed for a question. */
interface Shown {
  /** The answer of the search alone, and with what was loaded. */
  readonly searched: string;
  readonly all: string;
  readonly calls: number;
  readonly tokens: number;
  /** Name of the state that the search offers first. */
  readonly offered?: string | undefined;
}

type Ask = (question: Question) => Promise<Shown>;

/** Search was tuned on the first questions; the others were only asked. */
const TUNED_QUESTIONS = 30;
const MAX_AVERAGE_TOKENS = 1000;
const WHERE_WERE_WE = 'where were we';

/** Saves many similar pieces of work, and asks by one search and one `loadState`. */
export async function measureAtSize(): Promise<Figure[]> {
  const { workspaces, saves: all, questions } = await readMaterial<Material>('size.json');
  const saves = all.slice(0, perForm(all.length, 5));
  const ours = await inFolder(async (folder) => {
    await fs.mkdir(path.join(folder, 'vault'));
    const command = ourCommand(folder, '--toolsets', 'records');
    await withServer(command, (server) => savePieces(server, workspaces, saves));
    return withServer(command, (server) => askEach(questions, askOurs(server)));
  });
  const theirs = await inFolder((folder) =>
    withServer(serverMemoryCommand(folder), async (server) => {
      await server.call('create_entities', { entities: entitiesOf(saves) });
      return askEach(questions, askServerMemory(server));
    }),
  );
  const notes = notesOf(saves.map(({ state }) => state));
  const grep = await askEach(questions, askNotes(notes));
  const newest = new Map(saves.map(({ piece, state }) => [piece, state.name]));
  const pieceOf = new Map(saves.map(({ piece, state }) => [state.name, piece]));
  if (process.env['RESUME_DETAIL']) await explain(ours, newest, pieceOf);
  const split = (from: number, to?: number) => ours.slice(from, to);
  return [
    ...oursFigures('first 30 questions', split(0, TUNED_QUESTIONS), newest, pieceOf),
    ...oursFigures('30 questions held out', split(TUNED_QUESTIONS), newest, pieceOf),
    ...peerFigures('server-memory', theirs),
    ...peerFigures('grep and the top note', grep),
  ];
}

interface Asked {
  readonly question: Question;
  readonly shown: Shown;
}

async function askEach(questions: readonly Question[], ask: Ask): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const question of questions) asked.push({ question, shown: await ask(question) });
  return asked;
}

function oursFigures(
  among: string,
  asked: readonly Asked[],
  newest: ReadonlyMap<string, string>,
  pieceOf: ReadonlyMap<string, string>,
): Figure[] {
  const answerable = asked.filter(isAnswerable);
  const unanswerable = asked.filter((each) => !isAnswerable(each));
  const resumed = answerable.filter(({ question }) => question.kind === WHERE_WERE_WE);
  const bySearch = answerable.filter(isAnsweredBySearch).length;
  const what = (text: string) => `${among}: ${text}`;
  return [
    {
      what: what(`answered, of ${answerable.length}`),
      value: answerable.filter(isAnswered).length,
      least: answerable.length,
      isHighlighted: true,
    },
    {
      what: what('answered by the search alone'),
      value: bySearch,
      least: Math.ceil((answerable.length * 2) / 3),
    },
    {
      what: what('tokens read, on average'),
      value: averageTokens(asked),
      unit: ' tokens',
      limit: MAX_AVERAGE_TOKENS,
      isHighlighted: true,
    },
    {
      what: what(`newest state offered, of ${resumed.length} "${WHERE_WERE_WE}"`),
      value: resumed.filter(
        ({ question, shown }) => shown.offered === newest.get(question.piece ?? ''),
      ).length,
      least: resumed.length,
    },
    {
      what: what('superseded decisions shown as standing'),
      value: asked.filter((each) => showsSuperseded(each, pieceOf)).length,
      limit: 0,
    },
    {
      what: what(`says that nothing matches well, of ${unanswerable.length} without an answer`),
      value: unanswerable.filter(saysSo).length,
      least: unanswerable.length,
    },
    {
      what: what('says so although there is an answer'),
      value: answerable.filter(saysSo).length,
    },
  ];
}

function peerFigures(name: string, asked: readonly Asked[]): Figure[] {
  const answerable = asked.filter(isAnswerable);
  return [
    {
      what: `${name}: answered, of ${answerable.length}`,
      value: answerable.filter(isAnswered).length,
    },
    {
      what: `${name}: answered by the search alone`,
      value: answerable.filter(isAnsweredBySearch).length,
    },
    {
      what: `${name}: calls, on average`,
      value: asked.reduce((sum, { shown }) => sum + shown.calls, 0) / asked.length,
    },
    { what: `${name}: tokens read, on average`, value: averageTokens(asked), unit: ' tokens' },
  ];
}

function averageTokens(asked: readonly Asked[]): number {
  return Math.round(asked.reduce((sum, { shown }) => sum + shown.tokens, 0) / asked.length);
}

function isAnswerable({ question }: Asked): boolean {
  return typeof question.answer === 'string';
}

function isAnswered({ question, shown }: Asked): boolean {
  return contains(shown.all, question.answer ?? '');
}

function isAnsweredBySearch({ question, shown }: Asked): boolean {
  return contains(shown.searched, question.answer ?? '');
}

function saysSo({ shown }: Asked): boolean {
  return /nothing matches|no hit contains|"data":\[\]/i.test(shown.searched);
}

/**
 * Returns true if an answer shows the text of a superseded decision without saying so. A row of
 * another piece of work may have the same words, such as a date.
 */
function showsSuperseded(
  { question, shown }: Asked,
  pieceOf: ReadonlyMap<string, string>,
): boolean {
  const isElsewhere = ({ type, name, state }: Row) => {
    const piece = pieceOf.get((type === 'state' ? name : state) ?? '');
    return piece !== undefined && piece !== question.piece;
  };
  const isMarked = (text: string) => /superseded|instead of/i.test(text);
  const showsIn = (value: unknown, isMarkedAbove: boolean): boolean => {
    if (typeof value === 'string')
      return (
        !isMarkedAbove &&
        !isMarked(value) &&
        (question.not ?? []).some((literal) => contains(value, literal))
      );
    if (Array.isArray(value)) return value.some((each) => showsIn(each, isMarkedAbove));
    if (typeof value !== 'object' || value === null || isElsewhere(value)) return false;
    const texts = Object.entries(value).flatMap(([key, each]) =>
      typeof each === 'string' && key !== 'conversationContext' ? [key, each] : [key],
    );
    const isRow = isMarkedAbove || texts.some(isMarked);
    return Object.values(value).some((each) => showsIn(each, isRow));
  };
  return shown.all
    .split('\n')
    .some((answer) => showsIn((JSON.parse(answer) as { data: unknown }).data, false));
}

async function savePieces(
  { call }: Connected,
  workspaces: readonly WorkspaceParams[],
  saves: readonly SessionSave[],
): Promise<void> {
  for (const workspace of workspaces) await call('createWorkspace', { ...workspace });
  for (const { workspace, session, state, loads, supersedes = [] } of saves) {
    const context = { workspaceId: workspace, sessionId: session };
    if (loads !== undefined) await call('loadState', { name: loads, context });
    await call('createState', { ...state, context });
    for (const { title, by } of supersedes)
      await call('updateRecord', { title, supersededBy: by, context });
  }
}

interface Row {
  readonly type?: string;
  readonly name?: string;
  readonly state?: string;
  readonly workspace?: string;
}

/** Searches all workspaces, then loads the best state unless the answer is shown already. */
function askOurs(server: Connected): Ask {
  return async ({ question, answer }) => {
    const meter = new Meter(server);
    const searched = await meter.call('searchMemory', { query: question, workspaceId: 'all' });
    const { data } = JSON.parse(searched) as { data: readonly Row[] };
    const best = data.find(({ type }) => type === 'state');
    const isShown = typeof answer === 'string' && contains(searched, answer);
    const loaded =
      best && !isShown
        ? await meter.call('loadState', {
            name: best.name,
            context: { workspaceId: best.workspace },
          })
        : undefined;
    return {
      searched,
      all: loaded === undefined ? searched : `${searched}\n${loaded}`,
      calls: meter.calls,
      tokens: meter.tokens,
      offered: best?.name,
    };
  };
}

/** Returns the words of a question that tell it from others, the longest first. */
function wordsOf(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}

/** Searches for the question, then for one word after another until something is found. */
function askServerMemory(server: Connected): Ask {
  return async ({ question }) => {
    const meter = new Meter(server);
    let searched = '';
    for (const query of [question, ...wordsOf(question)]) {
      searched = await meter.call('search_nodes', { query });
      if ((JSON.parse(searched) as { entities: unknown[] }).entities.length > 0) break;
    }
    const { calls, tokens } = meter;
    return { searched, all: searched, calls, tokens };
  };
}

/** Greps the notes for each word of the question, then reads the note that has most of them. */
function askNotes(notes: readonly Note[]): Ask {
  return ({ question }) => {
    const words = wordsOf(question);
    const hits = notes
      .map((note) => ({
        note,
        lines: note.lines.filter((line) => words.some((word) => contains(line, word))),
        count: words.filter((word) => contains(note.lines.join('\n'), word)).length,
      }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
    const [best] = hits;
    const searched = hits
      .slice(0, 5)
      .flatMap(({ note, lines }) => lines.slice(0, 2).map((line) => `${note.path}:${line}`))
      .join('\n');
    const all = `${searched}\n${best?.note.lines.join('\n') ?? ''}`;
    return Promise.resolve({ searched, all, calls: 2, tokens: tokensIn(all) });
  };
}

/** Writes what was shown for each question, to see what a change of search does. */
async function explain(
  asked: readonly Asked[],
  newest: ReadonlyMap<string, string>,
  pieceOf: ReadonlyMap<string, string>,
) {
  const lines = asked.map((each, at) => {
    const { question, shown } = each;
    const marks = [
      isAnswerable(each) ? '' : 'NONE ',
      isAnsweredBySearch(each) ? 'SEARCH' : isAnswered(each) ? 'LOAD' : 'MISS',
      saysSo(each) ? ' says-so' : '',
      showsSuperseded(each, pieceOf) ? ' STALE' : '',
      question.kind === WHERE_WERE_WE && shown.offered !== newest.get(question.piece ?? '')
        ? ' OLD'
        : '',
      ` ${shown.tokens}`,
    ].join('');
    return `${at} ${marks} | ${question.question} | ${question.answer ?? ''} | ${shown.offered ?? ''}\n${shown.searched}\n`;
  });
  await fs.writeFile(process.env['RESUME_DETAIL'] ?? '', lines.join('\n'));
}
