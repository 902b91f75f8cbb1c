import { isOtherKey, mayBeSecret, nameKind, type NameKind } from './names.js';
import { readAfterName, readInPhrase, ValueReader, type Value } from './read-value.js';
import { lengthAt, type AddSpan } from './characters.js';

/** A run of letters of one kind of script, because Chinese has no spaces between words. */
const NAME =
  /[是为為]|[\u3400-\u9fff]+?(?=[是为為]|[^\u3400-\u9fff]|$)|[A-Za-z0-9_$\u00c0-\u1fff]+(?:[-.][A-Za-z0-9_$\u00c0-\u1fff]+)*/g;
/** Characters that end a phrase. */
const BREAKS = '.;!?。；！？,，\n(){}\ue000"';
const MAX_GAP = 3;
/** Words between a name and its value, as in "the password of the server is". */
const MAX_WORDS_BETWEEN = 6;
const MAX_NAME = 80;
/** A remark in brackets between a name, or a word of its phrase, and its sign or verb. */
const REMARK =
  /(?: [([]|（)(?:[^()[\]（）\n:=\ue000"]|:(?=[)\]])){1,40}[)\]）](?=[ \u00a0]?(?:[:：—–]|=(?!=)|[是为])| (?:is|ist|lautet|est|es|è|é|war|это)[ :])/y;
/** The name of a resource, whose parts are no names of values. */
const RESOURCE = /:aws[\w-]*:[\w+,.@:/*-]*/y;
/** Makes a key that of a network. */
const NETWORK = /^(?:wi-?fi|wlan)$/i;
/** Words after the name of a key that make it a public fact. */
const PRINT = /^(?:finger|thumb)print$/i;
/** Names without a secret that are read per window, which bounds the cost of any text. */
const MAX_READ = 5;
const READ_WINDOW = 64;
/** After as many names without a secret in a text, fewer are read. */
const MANY_READ = 16_000;
const MAX_READ_OF_MANY = 1;
/** What a word of a phrase costs, as a part of a name. */
const WORD_COST = 0.2;

/** Adds values that follow the name of a secret. */
export function findNamed(text: string, add: AddSpan): void {
  const reader = new ValueReader(text);
  const kinds = new NameKinds();
  let end = 0;
  let before = '';
  let pending: NameKind | undefined;
  let words = 0;
  let window = 0;
  let readCount = 0;
  let allRead = 0;
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const start = match.index;
    if (start >= window) {
      window = start + READ_WINDOW;
      readCount = 0;
    } else if (readCount > (allRead > MANY_READ ? MAX_READ_OF_MANY : MAX_READ)) {
      pending = undefined;
      end = NAME.lastIndex = Math.max(window, end);
      continue;
    }
    if (text.startsWith('[secret]', start - 1)) continue;
    const name = match[0].slice(-MAX_NAME);
    if (name === 'arn') {
      NAME.lastIndex += lengthAt(RESOURCE, text, NAME.lastIndex);
      continue;
    }
    if (endsPhrase(text, end, start)) {
      pending = undefined;
      before = '';
    } else if (start - end > 1 || text[end] === ':') before = '';
    end = start + match[0].length;
    const kind = kinds.of(name, before);
    before = name;
    if (kind !== undefined || pending !== undefined)
      NAME.lastIndex = end += lengthAt(REMARK, text, end);
    let value: Value | undefined;
    if (kind !== undefined) {
      pending = kind;
      words = 0;
      value = readAfterName(reader, { start, end, kind });
    } else if (pending !== undefined) {
      words++;
      if (pending === 'key' && NETWORK.test(name)) pending = 'secret';
      readCount += WORD_COST;
      const isOther = words === 1 && pending !== 'password' && isOtherKey(name);
      if (isOther || words > MAX_WORDS_BETWEEN || (name.endsWith('print') && PRINT.test(name)))
        pending = undefined;
      else value = readInPhrase(reader, { start, end, kind: pending }, name);
    }
    if (!value) {
      if (kind !== undefined) {
        readCount++;
        allRead++;
      }
      continue;
    }
    add(value.start, value.end);
    pending = undefined;
    end = NAME.lastIndex = Math.max(value.end, end);
  }
}

function endsPhrase(text: string, from: number, to: number): boolean {
  if (to - from > MAX_GAP) return true;
  for (let at = from; at < to; at++) if (BREAKS.includes(text.charAt(at))) return true;
  return false;
}

/** Remembers the kinds of names, because a text repeats them. */
class NameKinds {
  readonly #known = new Map<string, Map<string, NameKind | undefined> | null>();

  of(name: string, before: string): NameKind | undefined {
    let kinds = this.#known.get(name);
    if (kinds === undefined)
      this.#known.set(
        name,
        (kinds = mayBeSecret(name) ? new Map<string, NameKind | undefined>() : null),
      );
    if (kinds === null) return undefined;
    if (kinds.has(before)) return kinds.get(before);
    const kind = nameKind(name, before.toLowerCase());
    kinds.set(before, kind);
    return kind;
  }
}
