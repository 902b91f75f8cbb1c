import { newestLeaf } from '../../../../chat/thread.js';
import { textOfMessage, type Message } from '../../../../model/message.js';
import { act, copyText, notify } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import { IconButton } from '../../../ui/components.js';
import type { ConversationHost } from '../host.js';
import { insertAnswer } from './insert-answer.js';

interface ActionsProps {
  readonly host: ConversationHost;
  readonly message: Message;
  /** The message and its siblings, oldest first. */
  readonly siblings: readonly Message[];
  readonly isLast: boolean;
  readonly isBusy: boolean;
  readonly onEdit: () => void;
}

export function MessageActions({ host, message, siblings, isLast, isBusy, onEdit }: ActionsProps) {
  const { edit, another, answerThis, branch } = text.chat;
  const { controller, isReadOnly, focusComposer } = host;
  const words = textOfMessage(message);
  const isOwn = message.role === 'user';
  if (message.end === 'tools' && siblings.length === 1 && words === '') return null;
  return (
    <div class="savepoint-actions">
      {siblings.length > 1 && (
        <BranchSwitcher host={host} message={message} siblings={siblings} isBusy={isBusy} />
      )}
      <span class="savepoint-action-buttons">
        {words !== '' && <CopyButton words={words} />}
        {!isOwn && words !== '' && <InsertButtons host={host} words={words} />}
        {isOwn && words !== '' && !isReadOnly && (
          <IconButton icon="pencil" label={edit} isDisabled={isBusy} onClick={onEdit} />
        )}
        {canRegenerate(message, words, isLast) && !isReadOnly && (
          <IconButton
            icon="refresh-cw"
            label={isOwn ? answerThis : another}
            isDisabled={isBusy}
            onClick={() => controller.retry(message)}
          />
        )}
        {!isLast && message.end !== 'tools' && !isReadOnly && (
          <IconButton
            icon="git-branch"
            label={branch}
            isDisabled={isBusy}
            onClick={() => {
              controller.showBranch(message.id);
              focusComposer();
            }}
          />
        )}
      </span>
    </div>
  );
}

/** Returns true for a model's answer and the last message. Failed answers have their own button. */
function canRegenerate({ role, model, end }: Message, words: string, isLast: boolean): boolean {
  if (role === 'user') return isLast && words !== '' && !words.startsWith('/');
  return model !== undefined && end !== 'tools' && end !== 'failed';
}

function CopyButton({ words }: { words: string }) {
  const { copy, copied } = text.chat;
  const onClick = () =>
    act(async () => {
      await copyText(words);
      notify(copied);
    });
  return <IconButton icon="copy" label={copy} onClick={onClick} />;
}

function InsertButtons({ host: { savepoint }, words }: { host: ConversationHost; words: string }) {
  const { atCursor, replace } = text.chat.insert;
  return (
    <>
      <IconButton
        icon="text-cursor-input"
        label={atCursor}
        onClick={() => insertAnswer(savepoint, words, false)}
      />
      <IconButton
        icon="replace"
        label={replace}
        onClick={() => insertAnswer(savepoint, words, true)}
      />
    </>
  );
}

/** Switches between the siblings of a message, each with the branch below it. */
function BranchSwitcher({
  host,
  message,
  siblings,
  isBusy,
}: Pick<ActionsProps, 'host' | 'message' | 'siblings' | 'isBusy'>) {
  const { alternative, previous, next } = text.chat;
  const { controller, announce } = host;
  const at = siblings.findIndex(({ id }) => id === message.id);
  const show = (index: number) => {
    const sibling = siblings[index];
    const thread = controller.thread.get();
    if (!sibling || !thread) return;
    controller.showBranch(newestLeaf(thread, sibling.id));
    announce(alternative(index + 1, siblings.length));
  };
  return (
    <span class="savepoint-versions">
      <IconButton
        icon="chevron-left"
        label={previous}
        isDisabled={isBusy || at <= 0}
        onClick={() => show(at - 1)}
      />
      <span>{alternative(at + 1, siblings.length)}</span>
      <IconButton
        icon="chevron-right"
        label={next}
        isDisabled={isBusy || at >= siblings.length - 1}
        onClick={() => show(at + 1)}
      />
    </span>
  );
}
