import type { Source } from '../typed-queries/sources.js';
import { withoutCode, type Corpus, type ReadNote } from './corpus.js';
import type { LanguageFacts } from './languages.js';
import { maker, pick, type Maker } from './remembered.js';

/** What is written in one of several ways, with the few notes that have it in any of them. */
interface Written extends Source {
  /** Ways in which the notes write it. */
  readonly forms: ReadonlySet<string>;
}

/** Collects what a note has, by what it stands for. */
function writtenIn(
  { notes }: Corpus,
  read: (note: ReadNote) => Iterable<readonly [meaning: string, form: string]>,
): Written[] {
  const found = new Map<string, { paths: Set<string>; forms: Set<string> }>();
  for (const note of notes)
    for (const [text, form] of read(note)) {
      const own = found.get(text) ?? { paths: new Set(), forms: new Set() };
      own.paths.add(note.path);
      own.forms.add(form);
      found.set(text, own);
    }
  return [...found].flatMap(([text, own]) => (own.paths.size > 3 ? [] : [{ text, ...own }]));
}

const NUMBER =
  /(?<![\p{L}\p{N}_.,:/#%-])(?:\d{5,12}|\d{1,3}(?:([,._'\u00A0\u202F])\d{3})(?:\1\d{3})*)(?![\p{L}\p{N}_:/%-]|[.,]\d)/gu;
const SEPARATORS: Readonly<Record<string, string>> = {
  'number in one piece': '',
  'number with commas': ',',
  'number with spaces': ' ',
  'number with full stops': '.',
};

function* numbersIn({ text }: ReadNote): Generator<[string, string]> {
  for (const [form, separator] of text.matchAll(NUMBER)) {
    const digits = form.replace(/\D/g, '');
    const isVersion = separator === '.' && (digits.length < 7 || form.split('.').length === 4);
    if (digits.length >= 5 && !/^(?:0|(?:19|20)\d{6}$)/.test(digits) && !isVersion)
      yield [digits, form];
  }
}

const grouped = (digits: string, separator: string) =>
  digits.replace(/\B(?=(?:\d{3})+$)/g, separator);

/** Numbers of five digits or more, with a separator that no note uses for them. */
const numberKinds = Object.fromEntries(
  Object.entries(SEPARATORS).map(([kind, separator]) => [
    kind,
    maker<Written>(
      (corpus) => writtenIn(corpus, numbersIn),
      ({ text, forms, paths }) => {
        const other = grouped(text, separator);
        return forms.has(other) ? undefined : { text: other, answers: paths };
      },
    ),
  ]),
);

const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}]`;
const HYPHENATED = new RegExp(
  String.raw`(?<![\p{L}\p{N}_/.-])(${LETTER}{1,12})-(${LETTER}{2,14})(?![\p{L}\p{N}_/-]|\.\w)`,
  'gu',
);
const JOINED = new RegExp(`^${LETTER}{8,20}$`, 'u');
/** A part of a joined word is a word of at least as many notes. */
const MIN_PART_NOTES = 10;
const MIN_PART = 4;

const proseOf = ({ text }: ReadNote) =>
  withoutCode(text).replace(/`[^`\n]*`|https?:\S+|\]\([^)]*\)|<[^>\n]*>/g, ' ');

/** Returns the few notes that have two words in one of three ways. */
function joinedInFew([one, other]: readonly string[], corpus: Corpus): Source | undefined {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${one!}[ -]?${other!}(?![\\p{L}\\p{N}])`, 'u');
  return corpus.few(`${one!}-${other!}`, ({ lower }) => pattern.test(lower));
}

const hyphenKind = (separator: string) =>
  maker<string>(
    ({ notes }) => [
      ...new Set(
        notes.flatMap((note) =>
          [...proseOf(note).matchAll(HYPHENATED)].map(([word]) => word.toLowerCase()),
        ),
      ),
    ],
    (word, corpus) => {
      const source = joinedInFew(word.split('-'), corpus);
      return source && { text: word.replace('-', separator), answers: source.paths };
    },
  );

/** Words that the notes join, of two words that the notes have. */
const joinedKind = maker<string>(
  (corpus) => [...corpus.words()].filter((word) => JOINED.test(word) && corpus.countOf(word) <= 3),
  (word, corpus) => {
    for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
      const parts = [word.slice(0, at), word.slice(at)];
      if (!parts.every((part) => corpus.countOf(part) >= MIN_PART_NOTES)) continue;
      const source = joinedInFew(parts, corpus);
      return source && { text: parts.join('-'), answers: source.paths };
    }
    return undefined;
  },
);

const two = (number: number) => String(number).padStart(2, '0');

/** Reads the dates of a note: `2020-11-19`, as the language writes them, or in digits. */
function* datesIn({ text }: ReadNote, { months }: LanguageFacts): Generator<[string, string]> {
  const iso = (year: string, month: number, day: string) =>
    `${year}-${two(month)}-${two(Number(day))}`;
  const month = `(${months.toReversed().join('|')})`;
  const numberOf = (name = '') => months.findIndex((each) => each === name) + 1;
  for (const [form, year = '', number = '', day = ''] of text.matchAll(
    /(?<![\d-])((?:19|20)\d\d)[-/.]([01]?\d)[-/.]([0-3]?\d)(?![\d-])/g,
  ))
    yield [iso(year, Number(number), day), form];
  for (const [, one = '', other = '', year = ''] of text.matchAll(
    /(?<!\d)([0-3]?\d)[./]([0-3]?\d)[./]((?:19|20)\d\d)(?!\d)/g,
  )) {
    yield [iso(year, Number(other), one), ''];
    yield [iso(year, Number(one), other), ''];
  }
  if (months[0] === '1') {
    for (const [form, year = '', number = '', day = ''] of text.matchAll(
      /((?:19|20)\d\d) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日/g,
    ))
      yield [iso(year, Number(number), day), form];
    return;
  }
  for (const [form, name, day = '', year = ''] of text.matchAll(
    new RegExp(`${month} (\\d{1,2}),? ((?:19|20)\\d\\d)`, 'g'),
  ))
    yield [iso(year, numberOf(name), day), form];
  for (const [form, day = '', name, year = ''] of text.matchAll(
    new RegExp(`(\\d{1,2})\\.? ${month} ((?:19|20)\\d\\d)`, 'g'),
  ))
    yield [iso(year, numberOf(name), day), form];
}

function dateKinds(facts: LanguageFacts): Record<string, Maker<unknown>> {
  const kind = (make: (iso: string, written: string | undefined) => string | undefined) =>
    maker<Written>(
      (corpus) => writtenIn(corpus, (note) => datesIn(note, facts)),
      ({ text, forms, paths }) => {
        const written = [...forms].find((form) => /[^\d./-]/.test(form));
        const own = make(text, written);
        return own === undefined ? undefined : { text: own, answers: paths };
      },
    );
  return {
    'date as it is written': kind((_, written) => written),
    'written date in digits': kind((iso, written) => written && iso),
    'date of digits in words': kind((iso, written) => {
      const [year, month, day] = iso.split('-').map(Number);
      const name = facts.months[month! - 1];
      return written === undefined && name !== undefined
        ? facts.writeDate(day!, name, year!)
        : undefined;
    }),
  };
}

const ADDRESS = /https?:\/\/[^\s)>\]"'`<#|，。（）*\\]{18,150}/g;
const addressKind = maker<string>(
  ({ notes }) => [
    ...new Set(
      notes.flatMap(({ text }) =>
        (text.match(ADDRESS) ?? []).map((address) => address.replace(/[.,;:!?]+$/, '')),
      ),
    ),
  ],
  (address, corpus) => {
    const source = corpus.few(address, ({ lower }) => hasAddress(lower, address.toLowerCase()));
    const joint = address.includes('?') ? '&' : '?';
    const text = `${address}${joint}utm_source=x&utm_medium=y#top`;
    return source && { text, answers: source.paths };
  },
);

/** Returns true unless all that a text has are longer addresses with the same beginning. */
function hasAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1))
    if (!/[\w-]/.test(text.charAt(at + address.length))) return true;
  return false;
}

const fileOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** Notes whose file has a name that says nothing, or that another note has, too. */
function commonlyNamed({ notes }: Corpus): string[] {
  const counts = new Map<string, number>();
  for (const { path } of notes) counts.set(fileOf(path), (counts.get(fileOf(path)) ?? 0) + 1);
  return notes
    .map(({ path }) => path)
    .filter(
      (path) => /^_?(?:index|readme)\.md$/.test(fileOf(path)) || counts.get(fileOf(path))! > 1,
    )
    .filter((path) => path.includes('/'));
}

const pathKinds = {
  'address of a commonly named note': maker<string>(commonlyNamed, (path) => ({
    text: `obsidian://open?vault=x&file=${encodeURIComponent(path.replace(/\.md$/, ''))}`,
    answers: new Set([path]),
  })),
  'relative path of a commonly named note': maker<string>(commonlyNamed, (path, corpus, random) => {
    const end = path.split('/').slice(-2).join('/');
    const source = corpus.few(end, (note) => `/${note.path}`.endsWith(`/${end}`));
    return (
      source && { text: `${pick(['../', './', '../../'], random)!}${end}`, answers: source.paths }
    );
  }),
};

/** Kinds that ask for what a note has in another form than it is written there. */
export function formKinds(facts: LanguageFacts): Readonly<Record<string, Maker<unknown>>> {
  return {
    ...numberKinds,
    'hyphenated words in one': hyphenKind(''),
    'hyphenated words apart': hyphenKind(' '),
    'one word with a hyphen': joinedKind,
    ...dateKinds(facts),
    'address with what trackers add': addressKind,
    ...pathKinds,
  };
}
