import { diffArrays, diffLines, diffWordsWithSpace } from 'diff';
import type { State, StateContent } from '../../model/state.js';

/** Part of a text or list that both states contain, or only the earlier or the later one. */
export interface Piece<T> {
  readonly value: T;
  readonly change: 'none' | 'added' | 'removed';
}

type TextField = 'description' | 'conversationContext' | 'activeTask';
type ListField = 'nextSteps' | 'activeFiles' | 'tags';

/** The change of one field between two states. */
export type FieldChange =
  | {
      readonly kind: 'text';
      readonly field: TextField;
      readonly isChanged: boolean;
      readonly parts: readonly Piece<string>[];
    }
  | {
      readonly kind: 'list';
      readonly field: ListField;
      readonly isChanged: boolean;
      readonly parts: readonly Piece<readonly string[]>[];
    };

/** More differences count as a replaced text, because they are slow to find and hard to read. */
const MAX_EDITS = 500;

export function compareStates(earlier: StateContent, later: StateContent): FieldChange[] {
  const text = (field: TextField): FieldChange => {
    const parts = textParts(earlier[field] ?? '', later[field] ?? '');
    return { kind: 'text', field, parts, isChanged: parts.some(isChange) };
  };
  const list = (field: ListField): FieldChange => {
    const parts = listParts(earlier[field] ?? [], later[field] ?? []);
    return { kind: 'list', field, parts, isChanged: parts.some(isChange) };
  };
  return [
    text('description'),
    text('activeTask'),
    list('nextSteps'),
    text('conversationContext'),
    list('activeFiles'),
    list('tags'),
  ];
}

/** Returns two states, the earlier one first. */
export function inOrder<T extends { readonly item: Pick<State, 'createdAt'> }>(
  a: T,
  b: T,
): [earlier: T, later: T] {
  return a.item.createdAt <= b.item.createdAt ? [a, b] : [b, a];
}

function textParts(earlier: string, later: string): Piece<string>[] {
  const limit = { maxEditLength: MAX_EDITS };
  const changes = diffWordsWithSpace(earlier, later, limit) ?? diffLines(earlier, later, limit);
  const parts = changes && joinChanges(changes.map(partOf));
  return parts && isSimilar(parts) ? parts : replaced(earlier, later);
}

/** Joins changes that only white space separates into removed text followed by added text. */
function joinChanges(parts: readonly Piece<string>[]): Piece<string>[] {
  const joined: Piece<string>[] = [];
  let [removed, added] = ['', ''];
  const close = () => {
    if (removed !== '') joined.push({ value: removed, change: 'removed' });
    if (added !== '') joined.push({ value: added, change: 'added' });
    [removed, added] = ['', ''];
  };
  for (const [index, { value, change }] of parts.entries()) {
    const isBetween =
      change === 'none' &&
      value.trim() === '' &&
      removed + added !== '' &&
      index < parts.length - 1;
    if (change !== 'added' && (change === 'removed' || isBetween)) removed += value;
    if (change !== 'removed' && (change === 'added' || isBetween)) added += value;
    if (change !== 'none' || isBetween) continue;
    close();
    joined.push({ value, change });
  }
  close();
  return joined;
}

/** Returns true if enough is unchanged to show the rest as changes. */
function isSimilar(parts: readonly Piece<string>[]): boolean {
  const length = (wanted: Piece<string>['change']) =>
    parts.reduce((sum, { value, change }) => (change === wanted ? sum + value.length : sum), 0);
  return length('none') >= Math.min(length('removed'), length('added')) / 2;
}

function listParts(
  earlier: readonly string[],
  later: readonly string[],
): Piece<readonly string[]>[] {
  return (
    diffArrays([...earlier], [...later], { maxEditLength: MAX_EDITS })?.map(partOf) ??
    replaced(earlier, later)
  );
}

function partOf<T>({
  value,
  added,
  removed,
}: {
  value: T;
  added: boolean;
  removed: boolean;
}): Piece<T> {
  return { value, change: added ? 'added' : removed ? 'removed' : 'none' };
}

function replaced<T>(earlier: T, later: T): Piece<T>[] {
  return [
    { value: earlier, change: 'removed' },
    { value: later, change: 'added' },
  ];
}

function isChange({ change }: Piece<unknown>): boolean {
  return change !== 'none';
}
