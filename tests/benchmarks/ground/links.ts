import { MAX_ANSWERS, type Source } from '../typed-queries/sources.js';
import { shownText, type Corpus } from './corpus.js';

const MIN_LENGTH = 4;
const LINK = /(?<!!)\[([^\][]{4,80})\]\(<?([^)\s#?>]+)(?:#[^)\s]*)?>?(?: "[^"]*")?\)/g;

/** Returns the texts of links with the notes that they lead to, by path or by folder. */
export function linkSources({ notes }: Corpus): Source[] {
  const known = new Map(notes.map(({ path }) => [path.toLowerCase(), path]));
  const byText = new Map<string, Set<string>>();
  for (const { path, text } of notes)
    for (const [, shown = '', target = ''] of text.matchAll(LINK)) {
      const own = shownText(shown);
      const found = /^\w+:/.test(target) ? undefined : resolved(path, target, known);
      if (found === undefined || own.length < MIN_LENGTH || found === path) continue;
      byText.set(own, (byText.get(own) ?? new Set()).add(found));
    }
  return [...byText].flatMap(([text, paths]) =>
    paths.size > MAX_ANSWERS ? [] : [{ text, paths }],
  );
}

/** Returns the notes that a text from some notes links to. */
export function linkedIn(text: string, from: Iterable<string>, { notes }: Corpus): string[] {
  const known = new Map(notes.map(({ path }) => [path.toLowerCase(), path]));
  const targets = [...text.matchAll(LINK)].map(([, , target = '']) => target);
  return [...from].flatMap((path) =>
    targets.flatMap((target) => resolved(path, target, known) ?? []),
  );
}

function resolved(
  from: string,
  target: string,
  known: ReadonlyMap<string, string>,
): string | undefined {
  let decoded = target;
  try {
    decoded = decodeURI(target);
  } catch {
    // written as it is
  }
  const parts = decoded.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of decoded.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  const path = parts.join('/').toLowerCase();
  return known.get(path) ?? known.get(`${path}.md`) ?? known.get(`${path}/index.md`);
}
