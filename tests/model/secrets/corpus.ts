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

/** Interrupts invented credentials in the files, so that no scanner takes them for real ones. */
const MARK = /¦/g;

function read(name: string): Corpus {
  const file = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8').replace(MARK, '');
  const { secrets, lookalikes } = JSON.parse(file) as Record<
    'secrets' | 'lookalikes',
    { form: string; text: string; secret: string; keep: string }[]
  >;
  return {
    secrets: secrets.map(({ form, text, secret }) => ({ form, text, part: secret })),
    lookAlikes: lookalikes.map(({ form, text, keep }) => ({ form, text, part: keep })),
  };
}

/**
 * Corpora of invented credentials and of texts that look like them: `own` by the author of the
 * rules, `outside` and `fifth` to `ninth` by six who had not seen them, `third` of further
 * kinds, `fourth` of phrases in prompts and commands.
 */
export const CORPORA = {
  own: read('own'),
  outside: read('outside'),
  third: read('third'),
  fourth: read('fourth'),
  fifth: read('fifth'),
  sixth: read('sixth'),
  seventh: read('seventh'),
  eighth: read('eighth'),
  ninth: read('ninth'),
};

/** The corpora that the limits apply to. */
export const ENTRIES: Corpus = {
  secrets: [...CORPORA.own.secrets, ...CORPORA.outside.secrets],
  lookAlikes: [...CORPORA.own.lookAlikes, ...CORPORA.outside.lookAlikes],
};

export const MAX_LEAKS = 2;
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
