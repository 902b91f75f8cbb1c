import { isStop } from '../search-data.js';
import {
  fences,
  linesOf,
  sentences,
  titleOf,
  tokens,
  wordsOf,
  type Kind,
  type Read,
} from './sources.js';

const headings: Read = (note) => linesOf(note, /^#{2,4} +(.{8,80})$/gm);
const commands: Read = (note) =>
  fences(note).filter((line) => /^[A-Z]\w+-\w+ .*-[A-Za-z]{3,}/.test(line));
const errors: Read = ({ text }) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\b(?:error|cannot|exception|failed|denied|not found)\b/i.test(line))
    .filter((line) => /^[\w"'].{30,140}$/.test(line));
const markedLines: Read = (note) =>
  linesOf(note, /^((?=.*(?:\*\*|`|\]\())[A-Z>*-].{40,160})$/gm).filter((line) =>
    /\w{5}/.test(line),
  );

const rareWords = (text: string) => [
  ...new Set(wordsOf(text).filter((word) => word.length > 5 && !isStop(word.toLowerCase()))),
];
const lettersSwapped = (word: string) => {
  const at = Math.floor(word.length / 2);
  return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
};
/** Uses titles of several words. */
const ofSeveral =
  (make: (text: string, words: readonly string[]) => string): Kind =>
  ({ text }) => {
    const words = wordsOf(text);
    return words.length < 2 ? undefined : make(text, words);
  };
/** Uses texts of at least `least` long words. */
const ofRare =
  (least: number, make: (words: readonly string[]) => string): Kind =>
  ({ text }) => {
    const words = rareWords(text);
    return words.length < least ? undefined : make(words);
  };
const around =
  (before: string, after = ''): Kind =>
  ({ text }) =>
    `${before}${text}${after}`;
const slugOf = (text: string) => wordsOf(text).join('-').toLowerCase();
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/*
 * These kinds of queries were written by somebody who had not read the parser of queries, but knew
 * how text is tokenized and the kinds that were there: what people type into a search box, or
 * paste into it from elsewhere.
 */

/** Kinds that are made from a title. */
export const INDEPENDENT_TITLE_KINDS: Readonly<Record<string, Kind>> = {
  'half a word with an asterisk': ofSeveral(
    (_, words) => `${words.slice(0, -1).join(' ')} ${words.at(-1)!.slice(0, 4)}*`,
  ),
  'title typed so far': ({ text }, random) =>
    text.length < 12
      ? undefined
      : text.slice(0, Math.ceil(text.length * (0.6 + 0.3 * random()))).toLowerCase(),
  'title with caps lock': ({ text }) =>
    [...text]
      .map((letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
      .join(''),
  'title with a trailing comma': around('', ','),
  'title with trailing marks': around('', ' ...?!'),
  'title in parentheses': around('(', ')'),
  'title with spaces that do not break': ofSeveral((text) => text.replaceAll(/[ _]/g, '\u00A0')),
  'title with typographic dashes': ({ text }) =>
    text.includes('-') ? text.replaceAll('-', '–') : undefined,
  'title of a browser tab': around('', ' - PowerShell | Microsoft Learn'),
  'title as a tag': ofSeveral((text) => `#${slugOf(text)}`),
  'title as a heading in HTML': around('<h1>', '</h1>'),
  'title in a request': around('please find my note about '),
  'title in a question': ofSeveral((text) => `how do I use ${text} in a script?`),
  'title and a date': around('', ' March 2025'),
  'title after a field name': around('title: '),
  'file with a line number': around('./docs/', '.md:12:5'),
  'path on Windows': around('C:\\Users\\me\\Documents\\vault\\', '.md'),
  'address of a file': ({ text }) => `file:///home/me/vault/${encodeURIComponent(text)}.md`,
  'address in Obsidian': ({ text }) =>
    `obsidian://open?vault=Docs&file=${encodeURIComponent(`reference/${text}`)}`,
  'title compared with another': around('difference between ', ' and Python'),
};

/** Kinds that are made from what is read in few notes. */
export const INDEPENDENT_COPIED_KINDS: Readonly<Record<string, readonly [Read, Kind]>> = {
  'sentence in curly quotes': [
    sentences,
    ({ text }) => `“${text.split(' ').slice(0, 8).join(' ')}”`,
  ],
  'sentence in German quotes': [
    sentences,
    ({ text }) => `„${text.split(' ').slice(-7).join(' ')}“`,
  ],
  'sentence with ligatures': [
    sentences,
    ({ text }) =>
      /f[il]/.test(text) ? text.replaceAll('fi', 'ﬁ').replaceAll('fl', 'ﬂ') : undefined,
  ],
  'sentence broken at a hyphen': [
    sentences,
    ({ text }) => {
      const long = wordsOf(text).find((word) => word.length > 8);
      return long && text.replace(long, `${long.slice(0, 5)}-\n${long.slice(5)}`);
    },
  ],
  'sentence quoted in a mail': [
    sentences,
    ({ text }) =>
      `> ${text.slice(0, text.indexOf(' ', 30))}\n> ${text.slice(text.indexOf(' ', 30))}`,
  ],
  'sentence in bold': [sentences, around('**', '**')],
  'half a sentence with an ellipsis': [
    sentences,
    ({ text }) => `…${text.slice(text.indexOf(' ', 15) + 1)}`,
  ],
  'line with its marks': [markedLines, ({ text }) => text],
  'line of code in backticks': [commands, around('`', '`')],
  'two rare words, one misspelt': [
    sentences,
    ofRare(4, (words) => `${words[0]!} ${words[1]!} ${lettersSwapped(words[2]!)}`.toLowerCase()),
  ],
  'rare words, the last half typed': [
    sentences,
    ofRare(4, ([first, second, third]) =>
      `${first!} ${second!} ${third!.slice(0, Math.ceil(third!.length / 2))}`.toLowerCase(),
    ),
  ],
  'rare words in another order': [
    sentences,
    ofRare(5, (words) => words.slice(0, 4).reverse().join(', ')),
  ],
  'words joined with and': [sentences, ofRare(4, (words) => words.slice(0, 4).join(' AND '))],
  'words with plus signs': [
    sentences,
    ofRare(4, (words) =>
      words
        .slice(0, 4)
        .map((word) => `+${word}`)
        .join(' '),
    ),
  ],
  'address of a page with a section': [
    headings,
    ({ text, paths }) =>
      `https://learn.microsoft.com/powershell/${titleOf([...paths][0]!)
        .toLowerCase()
        .replaceAll(' ', '-')}?view=powershell-7.6#${slugOf(text)}`,
  ],
  'title and heading': [headings, ({ text, paths }) => `${titleOf([...paths][0]!)} > ${text}`],
  'heading with its number': [headings, around('3.2 ')],
  'heading in one piece': [headings, ({ text }) => `#${slugOf(text)}`],
  'command with dashes from a word processor': [
    commands,
    ({ text }) => text.replaceAll(' -', ' –').replaceAll('"', '”'),
  ],
  'command with administrator rights': [commands, around('$ sudo ')],
  'option alone': [tokens(/(?<=\s)-[A-Z]\w{5,}/g), ({ text }) => text],
  'option with two dashes': [
    tokens(/(?<=\s)-[A-Z]\w{5,}/g),
    ({ text }) => `-${text.toLowerCase()}`,
  ],
  variable: [tokens(/\$[A-Za-z]\w{5,}/g), ({ text }) => text],
  'variable and its value': [
    (note) => fences(note).filter((line) => /^\$\w+ *= *.{10,80}$/.test(line)),
    ({ text }) => text,
  ],
  'line of a log': [errors, around('2026-03-04T12:31:07Z [ERROR] ')],
  'error and its place': [errors, around('At line:1 char:1 + ', ' FullyQualifiedErrorId')],
  'error cut short': [errors, ({ text }) => `${text.slice(0, text.lastIndexOf(' ', 60))}...`],
  'element of XML': [tokens(/<(\w{3,})>[^<\n]{3,60}<\/\1>/g), ({ text }) => text],
  'property of JSON': [tokens(/"\w+": ?"[^"\n]{6,60}",?/g), ({ text }) => text],
  'path in a note': [tokens(/\b[A-Z]:\\[\w\\.]{8,}/g), ({ text }) => text],
  'path with slashes': [
    tokens(/\b[A-Z]:\\[\w\\.]{8,}/g),
    ({ text }) => text.replaceAll('\\', '/').slice(2),
  ],
  'words of an identifier': [
    tokens(/\b[A-Z][a-z]{2,}(?:[A-Z][a-z]{2,}){2,}\b/g),
    ({ text }) => text.replace(/(?!^)(?=[A-Z])/g, ' ').toLowerCase(),
  ],
  'identifier in snake case': [
    tokens(/\b[A-Z][a-z]{2,}(?:[A-Z][a-z]{2,}){2,}\b/g),
    ({ text }) => text.replace(/(?!^)(?=[A-Z])/g, '_').toLowerCase(),
  ],
  'start of a hash': [
    tokens(/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/gi),
    ({ text }) => text.slice(0, 8).toLowerCase(),
  ],
  'identity in braces': [
    tokens(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/gi),
    ({ text }) => `{${text.toUpperCase()}}`,
  ],
  'number with its unit': [
    (note) => sentences(note).filter((text) => /\b\d+ ?[KMG]B\b|\b\d+ [a-z]{4,}/.test(text)),
    ({ text }) => {
      const [number, unit] = /\b\d+ ?[KMG]B\b|\b\d+ [a-z]{4,}/
        .exec(text)![0]
        .split(/ ?(?=[A-Za-z])/);
      const [first, second] = rareWords(text);
      return second && `${first!} ${second} ${number!}${unit!}`.toLowerCase();
    },
  ],
  'date in another form': [
    tokens(/\b\d\d\/\d\d\/20\d\d\b/g),
    ({ text, paths }) => {
      const [month, day, year] = text.split('/').map(Number);
      return `${titleOf([...paths][0]!).split(/[-_ ]/)[0]!} ${day!} ${MONTHS[month! - 1]!} ${year!}`;
    },
  ],
  'words with an email address': [
    sentences,
    ofRare(3, (words) => `${words.slice(0, 3).join(' ')} <me@example.org>`),
  ],
};
