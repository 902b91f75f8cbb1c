import type { HoverParent } from 'obsidian';
import { useEffect, useMemo } from 'preact/hooks';
import type { Savepoint } from '../../savepoint.js';
import type { Store, WritableStore } from '../../store.js';
import { WhenReady } from '../../ui/components.js';
import { useStore } from '../../ui/use-store.js';
import { act } from '../../actions.js';
import type { ChatService } from '../chat-service.js';
import type { ConversationController } from '../conversation-controller.js';
import { ConversationPage } from './conversation-page.js';
import { ConversationsPage } from './conversations-page.js';
import type { ChatActions, ChatLocation } from './host.js';

interface PaneProps {
  readonly savepoint: Store<Savepoint | undefined>;
  readonly chat: Store<ChatService | undefined>;
  readonly location: WritableStore<ChatLocation>;
  /** Set to the workspace of the conversation that is shown. */
  readonly shownWorkspaceId: WritableStore<string | undefined>;
  /** True until the composer has taken the focus. */
  readonly wantsFocus: WritableStore<boolean>;
  readonly hoverParent: HoverParent;
  readonly actions: ChatActions;
}

/** The chat panel's content. Shows a loading or error state until the memory has been read. */
export function ChatPane({ savepoint, chat, ...props }: PaneProps) {
  const opened = useStore(chat);
  return (
    <WhenReady savepoint={savepoint}>
      {() => opened && <Pages key={opened.key} chat={opened} {...props} />}
    </WhenReady>
  );
}

interface PagesProps extends Omit<PaneProps, 'savepoint' | 'chat'> {
  readonly chat: ChatService;
}

function Pages({ chat, location, shownWorkspaceId, wantsFocus, ...host }: PagesProps) {
  const shown = useStore(location);
  const { page, conversation, message, newCount } = shown;
  const isFocusWanted = useStore(wantsFocus);
  const newController = useMemo(() => chat.openNew(), [chat, newCount]);
  const newId = useStore(newController.id);
  useStore(chat.conversations);
  const isDeleted = conversation !== undefined && chat.isDeleted(conversation);
  const isNew = conversation === undefined || conversation === newId || isDeleted;
  const controller = isNew ? newController : chat.open(conversation);
  const go = (to: Partial<ChatLocation>) => {
    const now = location.get();
    const isStart = 'conversation' in to && to.conversation === undefined;
    location.set({
      ...now,
      message: undefined,
      ...to,
      newCount: isStart ? now.newCount + 1 : now.newCount,
    });
  };

  // A conversation created here becomes the panel's conversation.
  useEffect(() => {
    if (newId !== undefined && location.get().conversation === undefined)
      location.set({ ...location.get(), conversation: newId });
  }, [newId]);

  useEffect(() => {
    if (isDeleted) go({ conversation: undefined });
  }, [isDeleted]);

  useEffect(() => () => act(() => chat.leave(controller)), [chat, controller]);
  useShownWorkspace(page === 'list' ? undefined : controller, shownWorkspaceId);
  useFollowedPlace(newController, chat.savepoint);

  if (page === 'list')
    return <ConversationsPage host={{ chat, savepoint: chat.savepoint, go, ...host }} />;
  return (
    <ConversationPage
      key={controller.key}
      chat={chat}
      controller={controller}
      {...host}
      go={go}
      wanted={message}
      takesFocus={isFocusWanted && location.get() === shown}
      onFocused={() => wantsFocus.set(false)}
    />
  );
}

/** Keeps a store set to the workspace of a conversation; undefined without a conversation. */
function useShownWorkspace(
  controller: ConversationController | undefined,
  shownWorkspaceId: WritableStore<string | undefined>,
): void {
  useEffect(() => {
    const show = () => shownWorkspaceId.set(controller?.workspaceId.get());
    show();
    return controller?.workspaceId.subscribe(show);
  }, [controller, shownWorkspaceId]);
  useEffect(() => () => shownWorkspaceId.set(undefined), [shownWorkspaceId]);
}

/** Moves a conversation without messages to the workspace of a note or that the user switches to. */
function useFollowedPlace(controller: ConversationController, savepoint: Savepoint): void {
  useEffect(() => {
    const { deviceWorkspaceId, app } = savepoint;
    const { workspace } = app;
    const follow = (id: string) => {
      if (controller.id.get() === undefined && !controller.isBusy())
        act(() => controller.enterWorkspace(id));
    };
    let path = workspace.getActiveFile()?.path;
    const opened = workspace.on('file-open', () => {
      const before = path; // the event also comes when the focus moves
      path = workspace.getActiveFile()?.path;
      if (path !== before) follow(savepoint.workspaceOfOpenNote().id);
    });
    const unsubscribe = deviceWorkspaceId.subscribe(() => follow(deviceWorkspaceId.get()));
    return () => {
      unsubscribe();
      workspace.offref(opened);
    };
  }, [controller, savepoint]);
}
