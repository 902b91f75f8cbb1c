import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { report } from '../../../host/logger.js';
import { suggestionAction } from './composer-keys.js';
import type { ConversationHost } from '../host.js';
import { chatAgentCommands } from './slash-words.js';
import { findSuggestions, type Picked, type Suggestion } from './suggestions.js';
import { triggerAt, type Trigger } from './triggers.js';

/** State of the list that a trigger opens while the user types. */
export interface Suggestions {
  /** Undefined if the list is closed. */
  readonly list: readonly Suggestion[] | undefined;
  readonly kind: Trigger['kind'];
  /** Index of the selected suggestion. */
  readonly current: number;
  /** Opens, updates or closes the list for the text at the caret. */
  readonly update: () => void;
  readonly close: () => void;
  readonly pick: (suggestion: Suggestion) => void;
  /** Returns true if the list has handled the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

interface OpenList {
  readonly trigger: Trigger;
  readonly list: readonly Suggestion[];
}

export function useSuggestions(
  host: ConversationHost,
  textarea: RefObject<HTMLTextAreaElement | null>,
  onPick: (picked: Picked, trigger: Trigger) => void,
): Suggestions {
  const [open, setOpen] = useState<OpenList | undefined>(undefined);
  const [current, setCurrent] = useState(0);
  /** Start of the trigger whose list the user dismissed. The list stays closed while it exists. */
  const dismissedAt = useRef<number | undefined>(undefined);

  function update(): void {
    const trigger = triggerIn(textarea.current);
    if (!trigger) dismissedAt.current = undefined;
    if (!trigger || dismissedAt.current === trigger.from) {
      setOpen(undefined);
      return;
    }
    find(trigger, false);
  }

  function find(trigger: Trigger, more: boolean): void {
    const { savepoint, controller } = host;
    findSuggestions(savepoint, controller.workspaceId.get(), trigger, chatAgentCommands(host), more)
      .then((list) => {
        const now = triggerIn(textarea.current);
        if (now?.kind !== trigger.kind || now.query !== trigger.query) return;
        setOpen({ trigger, list });
        setCurrent(0);
      })
      .catch(report);
  }

  function pick(suggestion: Suggestion): void {
    if (!open) return;
    if (suggestion.pick === 'more') return find(open.trigger, true);
    setOpen(undefined);
    onPick(suggestion.pick, open.trigger);
  }

  function onKeyDown(event: KeyboardEvent): boolean {
    if (!open) return false;
    const action = suggestionAction(event.key, current, open.list.length);
    if (!action) return false;
    if (action.type === 'select') {
      setCurrent(action.current);
    } else if (action.type === 'pick') {
      pick(open.list[current]!);
    } else {
      dismissedAt.current = open.trigger.from;
      setOpen(undefined);
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return {
    list: open?.list,
    kind: open?.trigger.kind ?? 'note',
    current,
    update,
    pick,
    onKeyDown,
    close: () => setOpen(undefined),
  };
}

function triggerIn(box: HTMLTextAreaElement | null): Trigger | undefined {
  return box ? triggerAt(box.value, box.selectionStart) : undefined;
}
