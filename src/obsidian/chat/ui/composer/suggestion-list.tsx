import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../../../i18n/index.js';
import { Icon } from '../../../ui/components.js';
import type { Suggestion } from './suggestions.js';
import type { Trigger } from './triggers.js';
import { visibleText } from '../../../../model/text/visible-text.js';

interface ListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  /** Index of the selected suggestion. */
  readonly current: number;
  readonly kind: Trigger['kind'];
  readonly onPick: (suggestion: Suggestion) => void;
}

/** List of notes, states or tools that match the typed text. The focus stays in the composer. */
export function SuggestionList({ id, suggestions, current, kind, onPick }: ListProps) {
  const { notes, states, tools, nothing } = text.chat.composer;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('.is-selected')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div
      class="savepoint-offers"
      id={id}
      ref={list}
      role="listbox"
      tabIndex={0} // scrollable, so it must be focusable
      aria-labelledby={`${id}-label`}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span class="savepoint-unseen" id={`${id}-label`}>
        {{ note: notes, state: states, tool: tools }[kind]}
      </span>
      {suggestions.length === 0 && (
        <div class="suggestion-empty" role="option" aria-disabled="true" aria-selected="false">
          {nothing}
        </div>
      )}
      {suggestions.map((suggestion, at) => (
        <div
          key={suggestion.key}
          id={suggestionId(id, at)}
          role="option"
          aria-selected={at === current}
          class={`suggestion-item savepoint-offer${at === current ? ' is-selected' : ''}`}
          onMouseDown={(event) => {
            event.preventDefault(); // the focus stays in the composer
            onPick(suggestion);
          }}
        >
          <Icon name={suggestion.icon} />
          <bdi class="savepoint-cut">{visibleText(suggestion.title)}</bdi>
          <span class="savepoint-offer-note savepoint-cut">{visibleText(suggestion.note)}</span>
        </div>
      ))}
    </div>
  );
}

export function suggestionId(listId: string, at: number): string {
  return `${listId}-${at}`;
}
