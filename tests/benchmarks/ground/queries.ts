import { perForm } from '../lib.js';
import { createRandom, type NoteFile } from '../search-data.js';
import { isMadeFromTitle, typedQueries, type TypedQuery } from '../typed-queries/kinds.js';
import { MAX_ANSWERS, type Kind } from '../typed-queries/sources.js';
import { flatText, type Corpus } from './corpus.js';
import { LANGUAGES, type GroundLanguage, type LanguageFacts } from './languages.js';
import { linkedIn, linkSources } from './links.js';
import { pick, REAL, rememberedKinds, WITH_NEGATION, type Maker } from './remembered.js';
import { formKinds } from './written-forms.js';

const PER_KIND = perForm(40, 2);
/** More are drawn than asked, because some have other answers as well. */
const DRAWN = perForm(70, 4);
/** Kinds of which more are asked. */
const COUNTS: Readonly<Record<string, number>> = {
  [WITH_NEGATION]: perForm(Infinity, 2),
  [REAL]: perForm(50, 2),
};
const NONSENSE = perForm(20, 2);
export const MADE_UP = 'nonsense: words made up';
export const OTHER_FIELD = 'nonsense: words of another field';
const WORDS_OF_NONSENSE = 3;
const CHARACTERS_OF_NONSENSE = 5;

/** Returns the queries of all kinds, the same for the same notes. */
export function groundQueries(corpus: Corpus, language: GroundLanguage): TypedQuery[] {
  const facts = LANGUAGES[language];
  const typed = typedQueries(corpus.notes.map(withPlainHeadings), DRAWN, {
    titleOf: ({ path }) => corpus.titles.get(path)!,
    links: linkSources(corpus),
    titleKinds: titleKinds(facts),
    isAnsweredAnywhere: true,
  });
  const own = Object.entries({ ...rememberedKinds(facts), ...formKinds(facts) }).flatMap(
    ([kind, maker], at) => drawn(kind, maker, corpus, createRandom(100 + at)),
  );
  return [...firstOfEach(typed, corpus), ...own, ...nonsense(corpus, facts)];
}

/** Kinds after which less of a title is left, which may be that of another note. */
const REDUCING: ReadonlySet<string> = new Set([
  'title without a word',
  'title without small words',
  'title typed so far',
  'last word cut short',
  'all words cut short',
  'half a word with an asterisk',
]);

function firstOfEach(queries: readonly TypedQuery[], corpus: Corpus): TypedQuery[] {
  const counts = new Map<string, number>();
  return queries.flatMap((query) => {
    const count = counts.get(query.kind) ?? 0;
    const clear = count === PER_KIND ? undefined : answeredByAll(query, corpus);
    if (clear === undefined) return [];
    counts.set(query.kind, count + 1);
    return [clear];
  });
}

/**
 * Adds the notes that answer a query, too: all that have its words in sequence, and those that it
 * links to. Returns undefined if these are too many, if the query is rather the title of another
 * note, or if there are no words.
 */
function answeredByAll(query: TypedQuery, corpus: Corpus): TypedQuery | undefined {
  const { kind, text, answers } = query;
  const flat = flatText(text);
  if (flat.length < 2) return undefined;
  const title = corpus.titles.get([...answers][0]!)!;
  if (REDUCING.has(kind) && corpus.isOfOtherTitle(text, title)) return undefined;
  if (isMadeFromTitle(kind) || kind.startsWith('link ')) return query;
  const holders = corpus.holders(flat);
  if (holders.length > MAX_ANSWERS) return undefined;
  const all = [...answers, ...holders.map(({ path }) => path), ...linkedIn(text, answers, corpus)];
  return { ...query, answers: new Set(all) };
}

/** Leaves out the places of links and the marks of versions in headings. */
function withPlainHeadings({ path, text }: NoteFile): NoteFile {
  const plain = text.replace(/^#{1,6} .*$/gm, (line) =>
    line.replace(/<(a|span)\b[^<>\n]*>[^<>\n]*<\/\1>/g, '').replace(/ +/g, ' '),
  );
  return { path, text: plain };
}

function titleKinds({ frames }: LanguageFacts): Record<string, Kind> {
  const framed =
    ([before, after]: readonly [string, string], isLower = false): Kind =>
    ({ text }) =>
      `${before}${isLower ? text.toLowerCase() : text}${after}`;
  return {
    'title as a question': framed(frames.question, true),
    'title in a request': framed(frames.request),
    'title in a question': framed(frames.use),
    'title compared with another': framed(frames.compared),
    'title and a date': framed(frames.date),
    'title of a browser tab': framed(frames.tab),
    'address in Obsidian': ({ paths }) => {
      const [path = ''] = paths;
      return `obsidian://open?vault=Notes&file=${encodeURIComponent(path.replace(/\.md$/, ''))}`;
    },
  };
}

function drawn(
  kind: string,
  { sources, make }: Maker<unknown>,
  corpus: Corpus,
  random: () => number,
): TypedQuery[] {
  const queries = new Map<string, TypedQuery>();
  const rest = [...sources(corpus)];
  while (rest.length > 0 && queries.size < (COUNTS[kind] ?? PER_KIND)) {
    const at = Math.floor(random() * rest.length);
    const source = rest[at]!;
    rest[at] = rest.at(-1)!;
    rest.pop();
    const draft = make(source, corpus, random);
    if (draft) queries.set(draft.text, { kind, ...draft });
  }
  return [...queries.values()];
}

/** Returns queries that nothing answers. */
function nonsense(corpus: Corpus, { syllables, otherField }: LanguageFacts): TypedQuery[] {
  const random = createRandom(5);
  const madeUp = (): string => {
    const word = [1, 2, 3].map(() => pick(syllables, random)!).join('');
    return corpus.hasWord(word) ? madeUp() : word;
  };
  const repeated = (make: () => string) => Array.from({ length: WORDS_OF_NONSENSE }, make);
  const isChinese = syllables.length === 0;
  return Array.from({ length: NONSENSE }, () => [
    {
      kind: MADE_UP,
      text: isChinese ? shuffledCharacters(corpus, random) : repeated(madeUp).join(' '),
      answers: new Set<string>(),
    },
    {
      kind: OTHER_FIELD,
      text: repeated(() => pick(otherField, random)!).join(' '),
      answers: new Set<string>(),
    },
  ]).flat();
}

/** Returns characters of the notes in an order in which no two of them occur there. */
function shuffledCharacters({ notes }: Corpus, random: () => number): string {
  const letters: string[] = [];
  while (letters.length < CHARACTERS_OF_NONSENSE) {
    const next = pick(pick(notes, random)!.flat.match(/\p{Script=Han}/gu) ?? [], random);
    const pair = `${letters.at(-1) ?? ''}${next ?? ''}`;
    if (next && (letters.length === 0 || notes.every(({ flat }) => !flat.includes(pair))))
      letters.push(next);
  }
  return letters.join('');
}
