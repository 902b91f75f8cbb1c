import type { DataPart } from '../../../../model/message.js';
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RECALL_SOURCE } from '../../../../chat/data-source.js';
import type { ComposerDraft } from '../../../host/composer-drafts.js';
import { report } from '../../../host/logger.js';
import { text } from '../../../i18n/index.js';
import { useStore } from '../../../ui/use-store.js';
import type { ConversationHost } from '../host.js';

/** Time without typing before the memory is asked. */
const TYPING_DELAY_MS = 300;
/** A message that is sent at once waits no longer for what the memory says about it. */
const MAX_SENDING_MS = 300;

/** Lines of the memory that fit the message in the composer. */
export interface RecallState {
  /** Empty if there is nothing. */
  readonly lines: readonly string[];
  /** Leaves it out until another message is begun. */
  readonly remove: () => void;
  /** Returns what is sent with a message. */
  readonly partsFor: (message: ComposerDraft) => Promise<DataPart[]>;
}

const NOTHING: readonly string[] = [];

/** Asks the memory about the draft shortly after it has changed. */
export function useRecall(
  host: ConversationHost,
  textarea: RefObject<HTMLTextAreaElement | null>,
  draft: ComposerDraft,
  isSending: boolean,
): RecallState {
  const { savepoint, chat, controller, announce } = host;
  const { clock } = savepoint;
  const [found, setFound] = useState(NOTHING);
  const [isRemoved, setRemoved] = useState(false);
  const ref = useStore(controller.model) ?? chat.models.preferred();
  const id = useStore(controller.id) ?? '';
  const workspaceId = useStore(controller.workspaceId);
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const isPrivate = conversation?.isPrivate ?? false;
  const isOff = isRemoved || ref === undefined;
  const message = draft.text.trim();

  const ask = async ({ text: words, attachments }: ComposerDraft): Promise<readonly string[]> => {
    if (isOff || words === '' || words.startsWith('/')) return NOTHING;
    const asking = { conversation: { id, workspaceId, isPrivate }, path: controller.path() };
    const attached = attachments.flatMap((each) => (each.kind === 'state' ? [each.id] : []));
    return chat.recall.linesFor(words, asking, attached);
  };
  const changes = [useStore(savepoint.memory), useStore(chat.capture.settings)];
  useEffect(() => {
    let isCurrent = true;
    const show = (lines: readonly string[]) => isCurrent && setFound(lines);
    const update = () => ask({ ...draft, text: message }).then(show, report);
    const cancel = clock.after(message === '' ? 0 : TYPING_DELAY_MS, () => void update());
    return () => {
      isCurrent = false;
      cancel();
    };
  }, [message, draft.attachments, isOff, isPrivate, workspaceId, ...changes]);

  useEffect(() => {
    // a message that could not be sent comes back
    if (message === '' && !isSending) setRemoved(false);
  }, [message, isSending]);

  const lines = isOff || message === '' ? NOTHING : found;
  useEffect(() => {
    if (lines.length > 0) announce(text.capture.recalled.found(lines.length));
  }, [lines.length]);

  return {
    lines,
    remove() {
      setRemoved(true);
      textarea.current?.focus();
    },
    async partsFor(sent) {
      const late = new Promise<readonly string[]>((resolve) =>
        clock.after(MAX_SENDING_MS, () => resolve(NOTHING)),
      );
      const told = await Promise.race([ask(sent), late]);
      if (told.length === 0) return [];
      return [{ type: 'data', source: RECALL_SOURCE, text: told.join('\n') }];
    },
  };
}
