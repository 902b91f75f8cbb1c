/** A text in which the escapes of JSON and of strings in code are what they stand for. */
export interface PlainText {
  readonly text: string;
  /** Returns the index in the source at which a character, with its backslashes, begins. */
  readonly sourceIndex: (at: number) => number;
  /** Returns the number of characters in the source that escape a character. */
  readonly depthAt: (at: number) => number;
}

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Receives the part of a text that is a secret. */
export type AddSpan = (start: number, end: number) => void;

const BACKSLASH = 92;
/** Characters that escapes stand for, by the last character of the escape. */
const ESCAPED = new Map(Object.entries({ n: '\n', r: '\r', t: '\t' }));
for (const character of `"'\`/`) ESCAPED.set(character, character);
const UNICODE = /u([0-9A-Fa-f]{4})/y;

/** Returns a text without escapes of any depth. */
export function toPlainText(source: string): PlainText {
  if (!source.includes('\\')) return { text: source, sourceIndex: (at) => at, depthAt: () => 0 };
  const units = new Uint16Array(source.length);
  const starts = new Uint32Array(source.length + 1);
  let length = 0;
  for (let at = 0; at < source.length;) {
    let next = at;
    while (source.charCodeAt(next) === BACKSLASH) next++;
    const escape = next > at ? escapeAt(source, next) : undefined;
    starts[length] = at;
    units[length++] = escape?.code ?? source.charCodeAt(at);
    // backslashes that escape nothing stay
    while (!escape && ++at < next) {
      starts[length] = at;
      units[length++] = BACKSLASH;
    }
    if (escape) at = escape.end;
  }
  starts.fill(source.length, length);
  const text = new TextDecoder('utf-16le').decode(units.subarray(0, length));
  const sourceIndex = (at: number) => starts[at] ?? source.length;
  return { text, sourceIndex, depthAt: (at) => sourceIndex(at + 1) - sourceIndex(at) - 1 };
}

/** Returns the character that an escape stands for, after its backslashes. */
function escapeAt(source: string, at: number): { code: number; end: number } | undefined {
  const unicode = source[at] === 'u' ? matchAt(UNICODE, source, at)?.[1] : undefined;
  if (unicode !== undefined) return { code: Number.parseInt(unicode, 16), end: at + 5 };
  const character = ESCAPED.get(source[at] ?? '');
  return character === undefined ? undefined : { code: character.charCodeAt(0), end: at + 1 };
}

/** Returns the match of a sticky pattern here. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns how long the match of a sticky pattern is here; 0 if there is none. */
export function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

const FREE_READS = 1000;

/** Calls back with each first group of a global pattern, which ends its match. */
export function eachGroup(
  pattern: RegExp,
  text: string,
  use: (value: string, start: number, end: number) => void,
): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const value = match[1] ?? '';
    use(value, pattern.lastIndex - value.length, pattern.lastIndex);
  }
}

/** Limits how much is read in long texts that consist of nothing but beginnings of secrets. */
export function readBudget(charactersPerRead: number) {
  let spent = 0;
  return {
    /** True if something may be read here. */
    take: (at: number) => spent < FREE_READS + at / charactersPerRead && ++spent > 0,
    /** Takes a read back that has found something. */
    refund: () => void spent--,
  };
}
