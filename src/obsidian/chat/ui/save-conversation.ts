import { workspaceById } from '../../../model/lookup.js';
import type { LanguageModel } from '../../../chat/language-model.js';
import { draftRequest, readStateDraft } from '../../../chat/state-draft.js';
import { contextUse } from '../../../chat/context.js';
import { wordsOfMessage, type Message } from '../../../model/message.js';
import { act } from '../../actions.js';
import type { Chat } from '../chat-service.js';
import type { Talk } from '../talk.js';
import { text } from '../../i18n/index.js';
import {
  SaveStateForm,
  type StateDrafts,
  type StateOrigin,
} from '../../memory/forms/save-state.js';
import { DraftedStateForm, type DraftedState, type Drafting } from './drafted-state-form.js';
import { resumeIn } from './resume.js';
import { openModal } from '../../ui/modals.js';

/** The last messages, so many letters of them, are the context that is proposed. */
const CONTEXT_ROOM = 4000;

const drafts = new WeakMap<Talk, StateDrafts>();

export interface SaveOptions {
  /** Whether to go on from the state in a new conversation once it is saved. */
  readonly goesOn: boolean;
  readonly go: (conversation: string | undefined) => void;
}

/** Opens the form that saves a state, filled in from the conversation: by its model where there is one, else with what was said last. */
export function saveStateOf(chat: Chat, talk: Talk, { goesOn, go }: SaveOptions): void {
  const { savepoint, models } = chat;
  const path = talk.path();
  const kept: StateDrafts = drafts.get(talk) ?? (new Map() as StateDrafts);
  drafts.set(talk, kept);
  const workspace = workspaceById(savepoint.memory.get(), talk.workspaceId.get());
  const ref = talk.model.get() ?? models.preferred();
  const origin: StateOrigin = {
    workspace,
    conversationContext: contextOf(path),
    activeFiles: attachedFiles(path),
    call: (tool, params) => talk.callQuietly(tool, params),
    saved: (state) => {
      if (!goesOn) return;
      act(async () => {
        const next = await resumeIn(chat, state);
        if (ref) next.useModel(ref);
        go(next.id.get());
      });
    },
  };
  const isReady =
    ref !== undefined && models.ready().some(({ provider }) => provider.id === ref.provider);
  if (!isReady || path.length === 0) return openModal(new SaveStateForm(savepoint, kept, origin));
  const model = models.open(ref);
  const drafting: Drafting = {
    modelName: model.name,
    startsAtOnce: !kept.has(workspace.id) && path.some((message) => message.model !== undefined),
    draft: (signal) => draftWith(model, path, talk.failureKind.get() === 'context', signal),
  };
  openModal(new DraftedStateForm(savepoint, kept, origin, drafting));
}

/** So much of what a model reads is given to the conversation that it sums up. */
const DRAFT_SHARE = 0.6;

/** Where a conversation was too long for a model of which no more is known, so much of the end is tried. */
const TOO_LONG_SHARE = 0.4;

async function draftWith(
  model: LanguageModel,
  path: readonly Message[],
  isTooLong: boolean,
  signal: AbortSignal,
): Promise<DraftedState> {
  const known = model.contextLimit === undefined ? Infinity : model.contextLimit * DRAFT_SHARE;
  const room = isTooLong ? Math.min(known, contextUse(path).tokens * TOO_LONG_SHARE) : known;
  const { request, read, of } = draftRequest(path, room);
  let said = '';
  let tokens: number | undefined;
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text') said += event.text;
    else if (event.type === 'end') tokens = event.usage && event.usage.input + event.usage.output;
  }
  return { fields: readStateDraft(said), tokens, read, of };
}

/** What was said last, by whom, in order. */
function contextOf(path: readonly Message[]): string {
  const lines: string[] = [];
  let room = CONTEXT_ROOM;
  for (const message of [...path].reverse()) {
    const words = wordsOfMessage(message).trim();
    if (words === '') continue;
    const line = `${message.role === 'user' ? text.chat.you : text.chat.assistant}: ${words}`;
    if (line.length > room && lines.length > 0) break;
    lines.unshift(Array.from(line).slice(0, room).join(''));
    room -= line.length;
    if (room <= 0) break;
  }
  return lines.join('\n\n');
}

function attachedFiles(path: readonly Message[]): string[] {
  const paths = path.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data' && part.path !== undefined ? [part.path] : [])),
  );
  return [...new Set(paths)];
}
