import { Platform } from 'obsidian';
import { newestLeaf } from '../../../../chat/thread.js';
import { textOfMessage, type Message } from '../../../../model/message.js';
import { act, copyText, notify } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import type { Action } from '../../../memory/menus.js';
import { MoreButton } from '../../../memory/page-parts.js';
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

/** Actions for a message: icons on hover or focus, and a menu on phones. */
export function MessageActions(props: ActionsProps) {
  const { message, siblings } = props;
  if (message.end === 'tools' && siblings.length === 1) return null; // its turn goes on
  const actions = actionsOf(props);
  return (
    <div class="savepoint-actions">
      {siblings.length > 1 && <BranchSwitcher {...props} />}
      <span class="savepoint-action-buttons">
        {Platform.isMobile && actions.length > 0 ? (
          <MoreButton actions={actions} />
        ) : (
          actions.map(({ icon, label, run }) => (
            <IconButton key={icon} icon={icon} label={label} onClick={run} />
          ))
        )}
      </span>
    </div>
  );
}

function actionsOf({ host, message, isLast, isBusy, onEdit }: ActionsProps): Action[] {
  const { copy, copied, edit, another, answerThis, branch, insert } = text.chat;
  const { controller, savepoint, isReadOnly, focusComposer } = host;
  const words = textOfMessage(message);
  const hasWords = words !== '';
  const isOwn = message.role === 'user';
  const canChange = !isBusy && !isReadOnly;
  const copyWords = () => act(() => copyText(words).then(() => notify(copied)));
  const insertWords = (replaces: boolean) => () => insertAnswer(savepoint, words, replaces);
  const branchHere = () => {
    controller.showBranch(message.id);
    focusComposer();
  };
  const again = isOwn ? answerThis : another;
  const canRetry = canChange && canRegenerate(message, words, isLast);
  const canBranch = canChange && !isLast && message.end !== 'tools';
  const all: [boolean, Action][] = [
    [hasWords, { icon: 'copy', label: copy, run: copyWords }],
    [
      hasWords && !isOwn,
      { icon: 'text-cursor-input', label: insert.atCursor, run: insertWords(false) },
    ],
    [hasWords && !isOwn, { icon: 'replace', label: insert.replace, run: insertWords(true) }],
    [hasWords && isOwn && canChange, { icon: 'pencil', label: edit, run: onEdit }],
    [canRetry, { icon: 'refresh-cw', label: again, run: () => controller.retry(message) }],
    [canBranch, { icon: 'git-branch', label: branch, run: branchHere }],
  ];
  return all.flatMap(([isOffered, action]) => (isOffered ? [action] : []));
}

/** Returns true for a model's answer and the last message. Failed answers have their own button. */
function canRegenerate({ role, model, end }: Message, words: string, isLast: boolean): boolean {
  if (role === 'user') return isLast && words !== '' && !words.startsWith('/');
  return model !== undefined && end !== 'tools' && end !== 'failed';
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
