import type { Conversation } from '../../../model/conversation.js';
import { act, noticeWithUndo } from '../../actions.js';
import type { ChatService } from '../chat-service.js';
import { text } from '../../i18n/index.js';
import { forgetAction, type Action } from '../../memory/menus.js';
import { Header, MoreButton } from '../../memory/page-parts.js';
import { useStore } from '../../ui/use-store.js';
import { exportConversation } from './export-conversation.js';
import type { ChatHost, ConversationHost } from './host.js';
import { RenameForm } from './rename-form.js';
import { openModal } from '../../ui/modals.js';

/** The conversation's title, and a menu of what can be done with it and with others. */
export function ConversationHeader({ host, titleId }: { host: ConversationHost; titleId: string }) {
  const { chat, controller, go } = host;
  const id = useStore(controller.id);
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const { commands, all, saveState } = text.chat;
  return (
    <Header title={<bdi>{conversation?.title ?? commands.fresh}</bdi>} titleId={titleId}>
      <MoreButton
        actions={[
          { icon: 'square-pen', label: commands.fresh, run: () => startNew(host) },
          { icon: 'list', label: all, run: () => go({ page: 'list' }) },
          { icon: 'bookmark-plus', label: saveState, run: () => host.openSaveState() },
          ...(conversation ? conversationActions(host, conversation) : []),
        ]}
      />
    </Header>
  );
}

function startNew({ go, focusComposer }: ConversationHost): void {
  go({ page: 'conversation', conversation: undefined });
  focusComposer();
}

export function conversationActions(
  { chat }: Pick<ChatHost, 'chat'>,
  conversation: Conversation,
): Action[] {
  const { rename, pin, unpin, archive, restore, export: exportNote } = text.chat;
  const { id, title: name, workspaceId, isPinned, isArchived, isPrivate } = conversation;
  const prepare = () => chat.settle(id);
  const target = { kind: 'conversation', id, name, workspaceId, prepare } as const;
  return [
    { icon: 'pencil', label: rename, run: () => openModal(new RenameForm(chat, conversation)) },
    {
      icon: isPinned ? 'pin-off' : 'pin',
      label: isPinned ? unpin : pin,
      run: () => act(() => chat.change(id, { isPinned: !isPinned })),
    },
    {
      icon: isPrivate ? 'eye' : 'eye-off',
      label: isPrivate ? text.capture.makePublic : text.capture.makePrivate,
      run: () => act(() => chat.change(id, { isPrivate: !isPrivate })),
    },
    {
      icon: 'file-output',
      label: exportNote,
      run: () => act(() => exportConversation(chat, conversation)),
    },
    {
      icon: isArchived ? 'archive-restore' : 'archive',
      label: isArchived ? restore : archive,
      run: () => act(() => setArchived(chat, conversation, !isArchived)),
    },
    forgetAction(chat.savepoint, target, text.forget.deleteConversation),
  ];
}

/** Archives or restores a conversation, and offers to undo it. */
export async function setArchived(
  chat: ChatService,
  { id, title }: Conversation,
  isArchived: boolean,
): Promise<void> {
  const { archived, restored } = text.chat;
  await chat.change(id, { isArchived });
  noticeWithUndo(chat.savepoint, isArchived ? archived(title) : restored(title), () =>
    chat.change(id, { isArchived: !isArchived }),
  );
}
