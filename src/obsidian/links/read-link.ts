import { toVisibleLine } from '../../model/states/provenance.js';
import { withoutHidden } from '../../model/text/visible-text.js';
import { cutText } from '../../model/text/truncate.js';
import type { UnsavedState } from '../host/state-drafts.js';

/** The actions of links, in the order in which messages name them. */
export const LINK_ACTIONS = ['resume', 'save', 'brief'] as const;

export type LinkAction = (typeof LINK_ACTIONS)[number];

/** Fields of a state that a link fills in. */
export type LinkedState = Partial<UnsavedState['typed']> &
  Pick<UnsavedState, 'activeFiles' | 'tags'>;

export interface LinkRequest {
  readonly action: LinkAction;
  /** Name or id; undefined for the current workspace. */
  readonly workspace: string | undefined;
  /** Name of the state to resume; undefined for what is newest. */
  readonly state: string | undefined;
  /** The state to save. */
  readonly content: LinkedState;
}

export type LinkProblem =
  | { readonly kind: 'action'; readonly given: string }
  | { readonly kind: 'tooLong'; readonly field: string; readonly limit: number };

/** Parameters of a link, decoded. A parameter without a value is `true`. */
export type LinkParams = Readonly<Record<string, string | undefined>>;

const MAX_LINE_CHARS = 1000;
const MAX_TEXT_CHARS = 16_000;
const MAX_LIST_ENTRIES = 100;

/** Parses a link's parameters. Ignores unknown ones and leaves out invisible characters. */
export function readLink(
  action: string,
  params: LinkParams,
): { readonly request: LinkRequest } | { readonly problem: LinkProblem } {
  const known = LINK_ACTIONS.find((each) => each === action);
  if (!known) return { problem: { kind: 'action', given: cutText(toVisibleLine(action), 100) } };
  for (const [field, limit] of LIMITS)
    if ((params[field] ?? '').length > limit) return { problem: { kind: 'tooLong', field, limit } };
  const line = (field: string) => toVisibleLine(params[field] ?? '');
  const content = {
    ...filled('name', line('name')),
    ...filled('conversationContext', withoutHidden(params['context'] ?? '').trim()),
    ...filled('activeTask', line('task')),
    ...filled('nextSteps', linesIn(params['next']).join('\n')),
    ...filled('description', line('description')),
    activeFiles: linesIn(params['files']),
    tags: linesIn(params['tags']?.replaceAll(',', '\n')),
  };
  return {
    request: {
      action: known,
      workspace: line('workspace') || undefined,
      state: line('state') || undefined,
      content,
    },
  };
}

const LIMITS: readonly (readonly [field: string, limit: number])[] = [
  ['workspace', MAX_LINE_CHARS],
  ['state', MAX_LINE_CHARS],
  ['name', MAX_LINE_CHARS],
  ['task', MAX_TEXT_CHARS],
  ['context', MAX_TEXT_CHARS],
  ['next', MAX_TEXT_CHARS],
  ['files', MAX_TEXT_CHARS],
  ['description', MAX_LINE_CHARS],
  ['tags', MAX_LINE_CHARS],
];

function filled<K extends string>(key: K, value: string): Partial<Record<K, string>> {
  return value === '' ? {} : ({ [key]: value } as Record<K, string>);
}

function linesIn(given = ''): string[] {
  return given
    .split('\n')
    .map(toVisibleLine)
    .filter((line) => line !== '')
    .slice(0, MAX_LIST_ENTRIES);
}
