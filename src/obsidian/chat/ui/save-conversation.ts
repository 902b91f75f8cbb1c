import type { LanguageModel } from '../../../chat/language-model.js';
import { draftRequest, parseStateDraft } from '../../../chat/state-draft.js';
import { contextUsage } from '../../../chat/context.js';
import { textOfMessage, type Message } from '../../../model/message.js';
import { cutText } from '../../../model/text/truncate.js';
import { act } from '../../actions.js';
import type { ChatService } from '../chat-service.js';
import type { ConversationController } from '../conversation-controller.js';
import { findOpenNote } from '../open-note.js';
import { text } from '../../i18n/index.js';
import { SaveStateForm, type StateOrigin } from '../../memory/forms/save-state.js';
import { storedStateDrafts } from '../../host/state-drafts.js';
import type { ChatActions, SaveStateOptions } from './host.js';
import { DraftedStateForm, type DraftedState, type ModelDrafting } from './drafted-state-form.js';
import { startFromState } from './resume.js';
import { openModal } from '../../ui/modals.js';

/** Maximum length of the context that the form proposes without a model. */
const MAX_CONTEXT_CHARS = 4000;

export interface SaveOptions extends SaveStateOptions {
  readonly actions: ChatActions;
  readonly show: (conversation: string | undefined) => void;
}

/** Opens the form that saves a state, with the last messages or, on demand, the model's draft. */
export function openSaveStateForm(
  chat: ChatService,
  controller: ConversationController,
  { continues = false, isShown = false, name, actions, show }: SaveOptions,
): void {
  const { savepoint, models } = chat;
  const path = controller.path();
  const drafts = storedStateDrafts(savepoint.app, controller.id.get() ?? 'new');
  const ref = controller.model.get() ?? models.preferred();
  const origin: StateOrigin = {
    workspaceId: controller.workspaceId.get(),
    note: sentNote(chat, controller),
    name,
    typed: { conversationContext: contextOf(path) },
    subject: chat.conversations.get()?.find(({ id }) => id === controller.id.get())?.title,
    activeFiles: attachedFiles(path),
    call: (tool, params, workspaceId) =>
      isShown
        ? controller.callTool(tool, params, workspaceId)
        : controller.callToolSilently(tool, params, workspaceId),
    saved: (state) => {
      if (!continues) return;
      act(async () => {
        const next = await startFromState(chat, state);
        if (ref) next.useModel(ref);
        show(next.id.get());
      });
    },
  };
  const isReady =
    ref !== undefined && models.configured().some(({ provider }) => provider.id === ref.provider);
  const offered = { open: actions.openState, resume: actions.resume };
  if (!isReady || path.length === 0)
    return openModal(new SaveStateForm(savepoint, drafts, offered, origin));
  const model = models.open(ref);
  const drafting: ModelDrafting = {
    modelName: model.name,
    draft: (signal) => draftWith(model, path, controller.failureKind.get() === 'context', signal),
  };
  openModal(new DraftedStateForm(savepoint, drafts, offered, origin, drafting));
}

/** Returns the path of the open note if it is sent with the conversation's messages. */
export function sentNote(
  { savepoint, models }: ChatService,
  { model }: ConversationController,
): string | undefined {
  const ref = model.get() ?? models.preferred();
  return ref && models.openNoteChoice(ref) === true ? findOpenNote(savepoint)?.path : undefined;
}

/** Share of the context window that the conversation to summarise may fill. */
const DRAFT_SHARE = 0.6;

/** Share of a conversation to summarise if the whole of it was too long for the model. */
const TOO_LONG_SHARE = 0.4;

async function draftWith(
  model: LanguageModel,
  path: readonly Message[],
  isTooLong: boolean,
  signal: AbortSignal,
): Promise<DraftedState> {
  const known = model.contextLimit === undefined ? Infinity : model.contextLimit * DRAFT_SHARE;
  const maxTokens = isTooLong ? Math.min(known, contextUsage(path).tokens * TOO_LONG_SHARE) : known;
  const { request, messagesRead, messagesTotal } = draftRequest(path, maxTokens);
  let answer = '';
  let tokens: number | undefined;
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text') answer += event.text;
    else if (event.type === 'end') tokens = event.usage && event.usage.input + event.usage.output;
  }
  return { fields: parseStateDraft(answer), tokens, messagesRead, messagesTotal };
}

/** Returns the last messages with their roles, up to `MAX_CONTEXT_CHARS`. */
function contextOf(path: readonly Message[]): string {
  const lines: string[] = [];
  let left = MAX_CONTEXT_CHARS;
  for (const message of [...path].reverse()) {
    const words = textOfMessage(message).trim();
    if (words === '') continue;
    const line = `${message.role === 'user' ? text.chat.you : text.chat.assistant}: ${words}`;
    if (line.length > left && lines.length > 0) break;
    lines.unshift(cutText(line, left));
    left -= line.length;
    if (left <= 0) break;
  }
  return lines.join('\n\n');
}

function attachedFiles(path: readonly Message[]): string[] {
  const paths = path.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data' && part.path !== undefined ? [part.path] : [])),
  );
  return [...new Set(paths)];
}
