import { readFileSync } from 'node:fs';

/** A text with a part that must be redacted, or that must stay. */
export interface CorpusEntry {
  readonly form: string;
  readonly text: string;
  readonly part: string;
}

export interface Corpus {
  readonly secrets: readonly CorpusEntry[];
  readonly lookAlikes: readonly CorpusEntry[];
}

interface Line {
  readonly form: string;
  readonly text: string;
  /** The part that must be redacted. */
  readonly secret?: string;
  /** The part that must stay. */
  readonly keep?: string;
}

/** Interrupts invented credentials in the files, so that no scanner takes them for real ones. */
const MARK = /¦/g;

function read(name: string): Corpus {
  const file = readFileSync(new URL(`sets/${name}.jsonl`, import.meta.url), 'utf8');
  const lines = file.replace(MARK, '').trimEnd().split('\n');
  const secrets: CorpusEntry[] = [];
  const lookAlikes: CorpusEntry[] = [];
  for (const line of lines) {
    const { form, text, secret, keep = '' } = JSON.parse(line) as Line;
    if (secret === undefined) lookAlikes.push({ form, text, part: keep });
    else secrets.push({ form, text, part: secret });
  }
  return { secrets, lookAlikes };
}

/**
 * Sets of invented credentials and of texts that look like them: `own` by the author of the first
 * rules, `outside` and `fifth` to `ninth` by six who had not seen them, `third` of further kinds,
 * `fourth` of phrases in prompts and commands, `unseen` by one who had not seen the rules as they
 * were. Of those, the figures prove nothing, because the rules were written with the sets in
 * sight: they only show what a change makes worse. `unseen-2`, by another author who had seen
 * neither rules nor sets, was measured once, and nothing was changed after it.
 */
export const SETS = {
  own: { found: 97, damaged: 0 },
  outside: { found: 98, damaged: 0 },
  third: { found: 117, damaged: 1 },
  fourth: { found: 49, damaged: 0 },
  fifth: { found: 97, damaged: 0 },
  sixth: { found: 50, damaged: 0 },
  seventh: { found: 129, damaged: 0 },
  eighth: { found: 119, damaged: 0 },
  ninth: { found: 97, damaged: 1 },
  unseen: { found: 74, damaged: 0 },
  'unseen-2': { found: 83, damaged: 2 },
};

export const CORPORA = new Map(Object.keys(SETS).map((name) => [name, read(name)]));

/** The entries of two sets, which stand for all of them where each takes long. */
export const ENTRIES: Corpus = {
  secrets: ['own', 'outside'].flatMap((name) => CORPORA.get(name)?.secrets ?? []),
  lookAlikes: ['own', 'outside'].flatMap((name) => CORPORA.get(name)?.lookAlikes ?? []),
};

/** Secrets of `ENTRIES` that no surface may show more of. */
export const MAX_LEAKS = 7;
export const MAX_FALSE_ALARMS = 4;

/** Escapes of any depth do not count, and space is any space. */
const plain = (text: string) =>
  text
    .replace(/\\+[nrt]/g, ' ')
    .replace(/\\/g, '')
    .replace(/\s+/g, ' ');

/** True if an output contains the secret, or one half of a long one. */
export function isLeaked({ part }: CorpusEntry, output: string): boolean {
  const secret = plain(part);
  const half = Math.floor(secret.length / 2);
  const parts = half < 6 ? [secret] : [secret, secret.slice(0, half), secret.slice(half)];
  const shown = plain(output);
  return parts.some((each) => shown.includes(each));
}

/** True if something of an output was redacted, and the part is not in it any more. */
export function isFalseAlarm({ part }: CorpusEntry, output: string): boolean {
  return output.includes('[secret]') && !plain(output).includes(plain(part));
}
