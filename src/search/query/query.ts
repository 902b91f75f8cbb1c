import { normalizeMark, propertyLabel, tagLabel } from '../documents/labels.js';

/** A condition on a whole document. */
export interface Condition {
  readonly kind: 'label' | 'path' | 'file';
  readonly value: string;
  readonly isWanted: boolean;
}

/** What stands between two `OR`s. */
export interface Branch {
  /** Ranked by: the more of these words the better, and one is enough. */
  readonly words: string;
  /** Each must occur, word after word. */
  readonly phrases: readonly string[];
  /** None may occur. */
  readonly unwanted: readonly string[];
  readonly conditions: readonly Condition[];
}

const LONGEST_QUERY = 10_000;
const MOST_BRANCHES = 8;
const MOST_CONDITIONS = 32;

/** A quoted phrase, `[property:value]`, `tag:`, `path:` or `file:` with its value, or anything up to the next space. */
const PART =
  /(-?)(?:"([^"]*)"|\[([^\]:"]+)(?::([^\]]*))?\]|(tag|path|file):(?:"([^"]*)"|(\S+))|(\S+))/giy;
const SPACE = /\s*/y;

/** Reads a query as people write it. Nothing is refused: what is no operator is words. */
export function parseQuery(given: string): Branch[] {
  const query = given.slice(0, LONGEST_QUERY);
  const branches: Branch[] = [];
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
      if (!isEmpty(branch) && branches.length + 1 < MOST_BRANCHES) {
        branches.push(branch);
        branch = emptyBranch();
      }
    } else take(branch, found);
  }
  if (!isEmpty(branch) || branches.length === 0) branches.push(branch);
  return branches.map(unquoteProse);
}

/** The branch with its phrases taken for words. */
export function unquote(branch: Branch): Branch {
  return { ...branch, words: [branch.words, ...branch.phrases].join(' '), phrases: [] };
}

/** With so many words beside it a quotation is part of a sentence, not a condition. */
const WORDS_OF_PROSE = 12;

function unquoteProse(branch: Branch): Branch {
  return branch.words.split(' ').length > WORDS_OF_PROSE ? unquote(branch) : branch;
}

interface OpenBranch extends Branch {
  words: string;
  phrases: string[];
  unwanted: string[];
  conditions: Condition[];
}

const emptyBranch = (): OpenBranch => ({ words: '', phrases: [], unwanted: [], conditions: [] });

function isEmpty({ words, phrases, unwanted, conditions }: Branch): boolean {
  return words === '' && phrases.length + unwanted.length + conditions.length === 0;
}

function take(branch: OpenBranch, found: RegExpExecArray): void {
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

function addCondition({ conditions }: OpenBranch, condition: Condition): void {
  if (condition.value !== '' && conditions.length < MOST_CONDITIONS) conditions.push(condition);
}

function operatorCondition(operator: string, operand: string): Pick<Condition, 'kind' | 'value'> {
  if (operator === 'tag') return { kind: 'label', value: tagLabel(operand) };
  return { kind: operator === 'path' ? 'path' : 'file', value: normalizeMark(operand) };
}
