import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MessagePart } from '../../../../model/message.js';
import { faultText } from '../../../host/logger.js';
import { text } from '../../../i18n/index.js';
import { useSelected, useStore } from '../../../ui/use-store.js';
import { readAttachment } from '../../attachments.js';
import type { Attachment } from '../../../host/composer-drafts.js';
import { findOpenNote, readOpenNote } from '../../open-note.js';
import { composerAction } from './composer-keys.js';
import { isEmptyDraft, type ComposerDraft } from '../../../host/composer-drafts.js';
import type { ConversationHost } from '../host.js';
import { runTool } from './run-tool.js';
import { slashCommands } from './slash-words.js';
import type { Picked } from './suggestions.js';
import { useAttaching, type Attaching } from './use-attaching.js';
import { useOpenNote, type OpenNoteState } from './use-open-note.js';
import { withCommand, withoutTrigger, type Trigger } from './triggers.js';
import { useDraft } from './use-draft.js';
import { useRecall, type RecallState } from './use-recall.js';
import { useSuggestions, type Suggestions } from './use-suggestions.js';

const MAX_HEIGHT_PX = 240;
/** Longer texts get the maximum height without being measured, because their layout takes long. */
const MAX_MEASURED_CHARS = 5000;

export interface ComposerState extends Attaching {
  readonly draft: ComposerDraft;
  /** Reason why the message was not sent; `''` if there is no problem. */
  readonly problem: string;
  /** True while a message is being sent or answered. */
  readonly isBusy: boolean;
  readonly suggestions: Suggestions;
  /** Undefined if there is no note to send along. */
  readonly openNote: OpenNoteState | undefined;
  readonly recalled: RecallState;
  readonly setText: (typed: string) => void;
  readonly remove: (attachment: Attachment) => void;
  readonly submit: () => void;
  readonly stop: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Connects the text area to the draft, the suggestions and the conversation. */
export function useComposer(
  host: ConversationHost,
  textarea: RefObject<HTMLTextAreaElement | null>,
): ComposerState {
  const { controller } = host;
  const drafting = useDraft(host);
  const { draft, problem, setText, attach, remove, clear, restore } = drafting;
  const attaching = useAttaching(host, drafting);
  const suggestions = useSuggestions(host, textarea, pick);
  const openNote = useOpenNote(host, textarea);
  const commands = slashCommands(host, textarea, setText);
  const [isSending, setSending] = useState(false);
  const isBusy = useIsBusy(host) || isSending;
  const recalled = useRecall(host, textarea, draft, isSending);
  useAutoHeight(textarea, draft.text);

  function pick(picked: Picked, trigger: Trigger): void {
    const box = textarea.current;
    if (!box) return;
    const rest =
      'command' in picked
        ? withCommand(box.value, box.selectionStart, picked.command)
        : withoutTrigger(box.value, box.selectionStart, trigger);
    if ('word' in picked) return commands.runWord(picked.word, rest.text.trim());
    if ('prompt' in picked) return commands.putPrompt(picked.prompt, rest.text.trim());
    setText(rest.text);
    box.value = rest.text;
    box.setSelectionRange(rest.caret, rest.caret);
    if ('tool' in picked) return runTool(host, picked.tool);
    if ('attach' in picked) attach([picked.attach]);
    box.focus();
  }

  function submit(): void {
    const sent = { ...draft, text: draft.text.trim() };
    if (isBusy || attaching.isAttaching || isEmptyDraft(sent) || commands.run(sent.text)) return;
    clear();
    setSending(true);
    sendDraft(host, sent, openNote?.isOn === true, recalled.partsFor(sent))
      .catch((error: unknown) => restore(draft, text.chat.composer.notSent(faultText(error))))
      .finally(() => setSending(false));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || suggestions.onKeyDown(event)) return;
    const action = composerAction(event, isBusy);
    if (!action) return;
    if (action === 'submit') submit();
    else controller.stop();
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    draft,
    problem,
    isBusy,
    suggestions,
    openNote,
    recalled,
    setText,
    submit,
    ...attaching,
    onKeyDown,
    drop(dragged) {
      attaching.drop(dragged);
      textarea.current?.focus();
    },
    remove(attachment) {
      remove(attachment);
      textarea.current?.focus();
    },
    stop() {
      controller.stop();
      textarea.current?.focus();
    },
  };
}

/** Sends a draft with what is attached or recalled, and the open note unless it is attached. */
async function sendDraft(
  { savepoint, controller }: ConversationHost,
  { text: words, attachments }: ComposerDraft,
  isNoteSent: boolean,
  recalled: Promise<MessagePart[]>,
): Promise<void> {
  // the selection may have changed since the chip was drawn
  const note = isNoteSent ? findOpenNote(savepoint) : undefined;
  const isAttached = attachments.some((each) => each.kind === 'note' && each.path === note?.path);
  const read = await Promise.all([
    recalled,
    ...attachments.map((attachment) => readAttachment(savepoint, attachment)),
    ...(note && !isAttached ? [readOpenNote(savepoint, note, controller.path())] : []),
  ]);
  const said: MessagePart[] = words === '' ? [] : [{ type: 'text', text: words }];
  await controller.send([...said, ...read.flat()]);
}

function useIsBusy({ controller }: ConversationHost): boolean {
  const phase = useSelected(controller.panel, (panel) => panel.phase);
  const pending = useStore(controller.pending);
  return phase !== 'idle' || pending !== undefined;
}

/** Grows the text area with its text. */
function useAutoHeight(textarea: RefObject<HTMLTextAreaElement | null>, typed: string): void {
  useLayoutEffect(() => {
    const box = textarea.current;
    if (!box) return;
    if (typed.length > MAX_MEASURED_CHARS) {
      box.setCssStyles({ blockSize: `${MAX_HEIGHT_PX}px` });
      return;
    }
    box.setCssStyles({ blockSize: 'auto' });
    box.setCssStyles({ blockSize: `${Math.min(MAX_HEIGHT_PX, box.scrollHeight)}px` });
  }, [typed]);
}
