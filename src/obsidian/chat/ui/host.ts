import type { HoverParent } from 'obsidian';
import type { Named } from '../../../model/lookup.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import type { State } from '../../../model/state.js';
import type { CapturedTrace } from '../../checkpoints/captured-trace.js';
import type { Savepoint } from '../../savepoint.js';
import type { ChatService } from '../chat-service.js';
import type { ConversationController } from '../conversation-controller.js';

export const CHAT_VIEW = 'savepoint-chat';

/** Page and conversation that a chat panel shows. */
export interface ChatLocation {
  readonly page: 'conversation' | 'list';
  /** Undefined for a conversation without messages. */
  readonly conversation: string | undefined;
  /** Id of the message to scroll to. */
  readonly message?: string | undefined;
  /** Number of new conversations begun in this panel, so that each starts empty. */
  readonly newCount: number;
}

export const initialLocation: ChatLocation = {
  page: 'conversation',
  conversation: undefined,
  newCount: 0,
};

/** Parses the view state that the app stores in the workspace layout. */
export function parseLocation(state: unknown): ChatLocation {
  const id =
    typeof state === 'object' && state !== null && 'conversation' in state
      ? state.conversation
      : undefined;
  return { ...initialLocation, conversation: typeof id === 'string' ? id : undefined };
}

/** Actions of the chat panel that other parts of the plugin provide. */
export interface ChatActions {
  readonly openState: (state: Named<State>) => Promise<void>;
  readonly openRecord: (record: ProjectRecord) => Promise<void>;
  /** Resumes a state in a new conversation. */
  readonly resume: (state: Named<State>) => Promise<void>;
  /** Opens the conversation of a checkpoint, or a new one that starts from it. */
  readonly resumeCheckpoint: (trace: CapturedTrace) => Promise<void>;
  /** Opens the form that saves a checkpoint as a state. */
  readonly saveCheckpoint: (trace: CapturedTrace, saved: () => void) => void;
  /** Lets the user choose a state to resume, optionally among those that match a query. */
  readonly pickStateToResume: (query?: string) => void;
  /** Opens the search over the memory and the notes, optionally for a query. */
  readonly search: (query?: string) => void;
  /** Lets the user choose an AI app and connects it. */
  readonly connectApp: () => void;
}

/** Dependencies of the chat panel's components. */
export interface ChatHost {
  readonly savepoint: Savepoint;
  readonly chat: ChatService;
  /** The view, which the app's page preview needs. */
  readonly hoverParent: HoverParent;
  readonly go: (location: Partial<ChatLocation>) => void;
  readonly actions: ChatActions;
}

export interface SaveStateOptions {
  /** True to resume in a new conversation. By default, only if this one is too long. */
  readonly continues?: boolean;
  /** True to show the call in the conversation. */
  readonly isShown?: boolean;
  readonly name?: string;
}

/** Dependencies of the conversation page's components. */
export interface ConversationHost extends ChatHost {
  readonly controller: ConversationController;
  /** Announces a text to screen readers. */
  readonly announce: (message: string) => void;
  readonly focusComposer: () => void;
  readonly openToolForm: (tool: string, params?: unknown) => void;
  readonly openSaveState: (options?: SaveStateOptions) => void;
  readonly openProviderSetup: () => void;
  /** Undefined where agents cannot run. */
  readonly openChatAgentSetup: (() => void) | undefined;
  /** True for an imported conversation. */
  readonly isReadOnly: boolean;
}
