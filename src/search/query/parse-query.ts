import { normalizeLabelText, propertyLabel, tagLabel } from '../documents/labels.js';
import { splitExclusions, type IsWritten } from '../text/excluded-words.js';
import { decodeUtf8 } from '../text/utf8.js';

/** Applies to a whole document. */
export interface QueryCondition {
  readonly kind: 'label' | 'path' | 'file';
  readonly value: string;
  readonly isWanted: boolean;
}

/** The part of a query between two `OR`s. */
export interface QueryBranch {
  /** Words to rank by. One match is enough; more matches rank higher. */
  readonly words: string;
  /** Each must occur, with its words in sequence. */
  readonly phrases: readonly string[];
  /** None may occur. */
  readonly unwanted: readonly string[];
  readonly conditions: readonly QueryCondition[];
}

/** Only this much of a query is read. */
export const MAX_QUERY_LENGTH = 10_000;
const MAX_BRANCHES = 8;
const MAX_CONDITIONS = 32;

/**
 * A quoted phrase, `[property:value]`, `tag:`, `path:` or `file:` with its value, or anything up to
 * the next space. Brackets and hyphens count only as someone types them on purpose: around a name
 * that nothing follows, and before a word of three letters or a quoted phrase.
 */
const PART =
  /(-(?!-)|)(?:"([^"]*)"|\[([\p{L}_][^\][:"()`]*)(?::([^\][]*))?\](?!\S)|(tag|path|file):(?!\/\/)(?:"([^"]*)"|(\S+))|(\S+))/giuy;
const SPACE = /\s*/y;
/** Scripts without spaces write a word in one or two characters. */
const EXCLUDED_WORD =
  /^(?:\p{L}[\p{L}\p{M}'\u2019]{2,}(?:[\p{N}_-][\p{L}\p{M}\p{N}_-]*)?|[^\p{ASCII}]+)$/u;

/** Facts about the documents of an index that decide whether something is an operator. */
export interface KnownSyntax {
  /** Returns true for an option of a program, such as `-avz`. */
  readonly isOption: (option: string) => boolean;
  /** Returns true for the name of a property that some document has. */
  readonly isProperty: (name: string) => boolean;
  /** Returns true for a part of a document's path. */
  readonly isPath: (path: string) => boolean;
}

const ANY_SYNTAX: KnownSyntax = {
  isOption: () => false,
  isProperty: () => true,
  isPath: () => true,
};

/** The address of a file, or of a note in Obsidian, whose path begins in the vault. */
const FILE_ADDRESS = /^\s*(?:file:\/\/|obsidian:\/\/\S*?[?&](?:path|(file))=)([^\s&]+)\S*\s*$/i;
const WEB_ADDRESS = /https?:\/\/\S+/gi;
/** Parameters that do not say which page it is. */
const TRACKED = /[?&]utm_\w+=[^&#]*/gi;

/** Replaces the address of a file by its name, in the folder that an address of Obsidian names. */
function readQuery(given: string, isPath: KnownSyntax['isPath']): string {
  const query = given.slice(0, MAX_QUERY_LENGTH);
  const [, isInVault, address] = FILE_ADDRESS.exec(query) ?? [];
  if (address === undefined)
    return query.replaceAll(WEB_ADDRESS, (found) => found.replaceAll(TRACKED, ''));
  const path = address.replaceAll(/(?:%[\da-f]{2})+/gi, decoded).replace(/[?#].*$/, '');
  const [, folder, name = query] = /^(.*?)([^/\\]+?)(?:\.md)?[/\\]*$/.exec(path) ?? [];
  return isInVault && folder && isPath(folder + name) ? `${name} path:"${folder}${name}"` : name;
}

function decoded(escapes: string): string {
  const bytes = escapes.match(/[\da-f]{2}/gi) ?? [];
  return decodeUtf8(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

/** Reads every operator as words. */
export function parseAsWords(query: string): QueryBranch[] {
  const words = readQuery(query, () => false).trim();
  return [{ words, phrases: [], unwanted: [], conditions: [] }];
}

/** Returns the operators of a query, such as `-oak`, `"rose bed"` and `tag:bed`. */
export function operatorsIn(query: string, known?: KnownSyntax): string[] {
  const branches = parseQuery(query, known);
  const operators = branches.flatMap(({ phrases, unwanted, conditions }) => [
    ...phrases.map((phrase) => `"${phrase}"`),
    ...unwanted.map((word) => `-${word}`),
    ...conditions.map(({ kind, value, isWanted }) => {
      const name = kind === 'label' ? value.replace(/^property:(.*)$/, '[$1]') : `${kind}:${value}`;
      return `${isWanted ? '' : '-'}${name}`;
    }),
  ]);
  return branches.length > 1 ? [...operators, 'OR'] : operators;
}

/** Rejects nothing: everything that is not an operator is read as words. */
export function parseQuery(given: string, known = ANY_SYNTAX): QueryBranch[] {
  const query = readQuery(given, known.isPath);
  const branches: QueryBranch[] = [];
  let branch = emptyBranch();
  let at = 0;
  const part = new RegExp(PART);
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(query);
    part.lastIndex = SPACE.lastIndex;
    const found = part.exec(query);
    if (!found) break;
    at = part.lastIndex;
    if (found[0] === 'OR') {
      if (!isEmpty(branch) && branches.length + 1 < MAX_BRANCHES) {
        branches.push(branch);
        branch = emptyBranch();
      }
    } else addPart(branch, found, known);
  }
  if (!isEmpty(branch) || branches.length === 0) branches.push(branch);
  return branches.map(unquoteProse);
}

/** Turns the phrases into words, still in quotation marks. */
export function unquote(branch: QueryBranch): QueryBranch {
  const quoted = branch.phrases.map((phrase) => `"${phrase}"`);
  return { ...branch, words: [branch.words, ...quoted].join(' '), phrases: [] };
}

/** Returns the words and phrases that a query asks for, without operators and what it excludes. */
export function wantedText(
  query: string,
  languages: readonly number[],
  isWritten?: IsWritten,
): string {
  return parseQuery(query)
    .flatMap((branch) => [splitExclusions(branch, languages, isWritten).wanted, ...branch.phrases])
    .join(' ');
}

/** In a query with more words than this, a quotation is part of a sentence and not a condition. */
const MAX_WORDS_WITH_PHRASE = 12;
/** The same for a quoted word, such as the name in an error message. */
const MAX_WORDS_WITH_WORD = 3;

function unquoteProse(branch: QueryBranch): QueryBranch {
  const hasOnlyWords = branch.phrases.every((phrase) => !/\s/u.test(phrase.trim()));
  const most = hasOnlyWords ? MAX_WORDS_WITH_WORD : MAX_WORDS_WITH_PHRASE;
  return branch.words.split(' ').length > most ? unquote(branch) : branch;
}

interface MutableBranch extends QueryBranch {
  words: string;
  phrases: string[];
  unwanted: string[];
  conditions: QueryCondition[];
}

const emptyBranch = (): MutableBranch => ({ words: '', phrases: [], unwanted: [], conditions: [] });

function isEmpty({ words, phrases, unwanted, conditions }: QueryBranch): boolean {
  return words === '' && phrases.length + unwanted.length + conditions.length === 0;
}

function addPart(branch: MutableBranch, found: RegExpExecArray, known: KnownSyntax): void {
  const [all, minus, phrase, property, value, operator, quoted, bare, word] = found;
  const isWanted = minus === '';
  const operand = quoted ?? bare;
  if (phrase !== undefined) {
    if (phrase.trim() !== '') (isWanted ? branch.phrases : branch.unwanted).push(phrase);
  } else if (property !== undefined && known.isProperty(property)) {
    addCondition(branch, { kind: 'label', value: propertyLabel(property, value), isWanted });
  } else if (operator !== undefined && operand !== undefined) {
    addCondition(branch, { ...operatorCondition(operator.toLowerCase(), operand), isWanted });
  } else if (!isWanted && word !== undefined && EXCLUDED_WORD.test(word) && !known.isOption(all))
    branch.unwanted.push(word);
  else branch.words += `${branch.words && ' '}${all}`;
}

function addCondition({ conditions }: MutableBranch, condition: QueryCondition): void {
  if (condition.value !== '' && conditions.length < MAX_CONDITIONS) conditions.push(condition);
}

function operatorCondition(
  operator: string,
  operand: string,
): Pick<QueryCondition, 'kind' | 'value'> {
  if (operator === 'tag') return { kind: 'label', value: tagLabel(operand) };
  return { kind: operator === 'path' ? 'path' : 'file', value: normalizeLabelText(operand) };
}
