import type { HoverParent } from 'obsidian';
import type { Chat } from '../chat-service.js';
import type { Talk } from '../talk.js';
import type { Savepoint } from '../../savepoint.js';

export const CHAT_VIEW = 'savepoint-chat';

/** What a chat panel shows. */
export interface ChatPlace {
  readonly page: 'talk' | 'list';
  /** Undefined for one that nothing has been said in. */
  readonly conversation: string | undefined;
  /** A message to show first. */
  readonly message?: string | undefined;
  /** Counts the new conversations of this panel, so that each begins empty. */
  readonly fresh: number;
}

export const firstPlace: ChatPlace = { page: 'talk', conversation: undefined, fresh: 0 };

/** What is kept of a place in the workspace's layout. */
export function readPlace(state: unknown): ChatPlace {
  const id =
    typeof state === 'object' && state !== null && 'conversation' in state
      ? state.conversation
      : undefined;
  return { ...firstPlace, conversation: typeof id === 'string' ? id : undefined };
}

/** What the parts of a chat panel work with. */
export interface ChatHost {
  readonly savepoint: Savepoint;
  readonly chat: Chat;
  /** The view, as the app's page preview wants to know it. */
  readonly hoverParent: HoverParent;
  readonly go: (place: Partial<ChatPlace>) => void;
}

/** What the parts that show one conversation work with. */
export interface TalkHost extends ChatHost {
  readonly talk: Talk;
  /** Says something to those who do not see the panel. */
  readonly announce: (words: string) => void;
  readonly focusComposer: () => void;
  readonly openTool: (tool: string, params?: unknown) => void;
  /** With `goesOn`, the conversation goes on from the state in a new one. */
  readonly saveState: (goesOn?: boolean) => void;
  readonly setUpModel: () => void;
  /** Whether the conversation was led elsewhere: then nothing can be said in it. */
  readonly isReadOnly: boolean;
}
