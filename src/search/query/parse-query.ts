import { normalizeLabelText, propertyLabel, tagLabel } from '../documents/labels.js';
import { splitExclusions } from '../text/excluded-words.js';

/** A condition on a whole document. */
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

/** Number of characters of a query that are read. */
export const MAX_QUERY_LENGTH = 10_000;
const MAX_BRANCHES = 8;
const MAX_CONDITIONS = 32;

/**
 * A quoted phrase, `[property:value]`, `tag:`, `path:` or `file:` with its value, or anything up to
 * the next space. Two hyphens begin an option of a program.
 */
const PART =
  /(-(?!-)|)(?:"([^"]*)"|\[([^\]:"]+)(?::([^\]]*))?\]|(tag|path|file):(?:"([^"]*)"|(\S+))|(\S+))/giy;
const SPACE = /\s*/y;

/**
 * Parses a query as people write it. Rejects nothing: everything except operators is read as words.
 */
export function parseQuery(given: string): QueryBranch[] {
  const query = given.slice(0, MAX_QUERY_LENGTH);
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
    } else addPart(branch, found);
  }
  if (!isEmpty(branch) || branches.length === 0) branches.push(branch);
  return branches.map(unquoteProse);
}

/** Returns the branch with its phrases as words, still in quotation marks. */
export function unquote(branch: QueryBranch): QueryBranch {
  const quoted = branch.phrases.map((phrase) => `"${phrase}"`);
  return { ...branch, words: [branch.words, ...quoted].join(' '), phrases: [] };
}

/** Returns the words and phrases that a query asks for, without operators and what it excludes. */
export function wantedText(query: string, languages: readonly number[]): string {
  return parseQuery(query)
    .flatMap((branch) => [splitExclusions(branch, languages).wanted, ...branch.phrases])
    .join(' ');
}

/** In a query with more words than this, a quotation is part of a sentence and not a condition. */
const MAX_WORDS_WITH_PHRASE = 12;

function unquoteProse(branch: QueryBranch): QueryBranch {
  return branch.words.split(' ').length > MAX_WORDS_WITH_PHRASE ? unquote(branch) : branch;
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

function addPart(branch: MutableBranch, found: RegExpExecArray): void {
  const [all, minus, phrase, property, value, operator, quoted, bare, word] = found;
  const isWanted = minus === '';
  const operand = quoted ?? bare;
  if (phrase !== undefined) {
    if (phrase.trim() !== '') (isWanted ? branch.phrases : branch.unwanted).push(phrase);
  } else if (property !== undefined) {
    addCondition(branch, { kind: 'label', value: propertyLabel(property, value), isWanted });
  } else if (operator !== undefined && operand !== undefined) {
    addCondition(branch, { ...operatorCondition(operator.toLowerCase(), operand), isWanted });
  } else if (!isWanted && word !== undefined) branch.unwanted.push(word);
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
