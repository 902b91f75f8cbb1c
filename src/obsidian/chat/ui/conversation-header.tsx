import type { Thread } from '../../../chat/thread.js';
import type { Conversation } from '../../../model/conversation.js';
import { workspaceById } from '../../../model/lookup.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { act, noticeWithUndo } from '../../actions.js';
import type { ChatService } from '../chat-service.js';
import { formatModelRef } from '../../models/model-ref.js';
import { text } from '../../i18n/index.js';
import { Icon, IconButton } from '../../ui/components.js';
import type { ChatAgentService } from '../../chat-agents/chat-agent-service.js';
import { forgetAction, type Action } from '../../memory/menus.js';
import { Header, MoreButton } from '../../memory/page-parts.js';
import { workspaceCandidates } from '../../pickers/candidates.js';
import { Picker } from '../../pickers/picker.js';
import { useStore } from '../../ui/use-store.js';
import { exportConversation } from './export-conversation.js';
import { shortCount, useBranchContext } from './use-context.js';
import type { ChatHost, ConversationHost } from './host.js';
import { PickModel } from './pick-model.js';
import { RenameForm } from './rename-form.js';
import { openModal } from '../../ui/modals.js';

/** The conversation's title, workspace, model, token meter and actions. */
export function ConversationHeader({ host, titleId }: { host: ConversationHost; titleId: string }) {
  const { chat, controller, go } = host;
  const id = useStore(controller.id);
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const thread = useStore(controller.thread);
  const chips = (
    <div class="savepoint-places">
      <WorkspaceChip host={host} />
      {!host.isReadOnly && <ModelChip host={host} />}
      {!host.isReadOnly && <ChatAgentSettings host={host} />}
      {!host.isReadOnly && thread && <Meter host={host} thread={thread} />}
      {!host.isReadOnly && <CaptureChip host={host} conversation={conversation} />}
    </div>
  );
  return (
    <Header
      title={<bdi>{conversation?.title ?? text.chat.untitled}</bdi>}
      titleId={titleId}
      below={chips}
    >
      <IconButton icon="list" label={text.chat.all} onClick={() => go({ page: 'list' })} />
      <IconButton
        icon="bookmark-plus"
        label={text.chat.saveState}
        onClick={() => host.openSaveState()}
      />
      <IconButton icon="square-pen" label={text.chat.fresh} onClick={() => startNew(host)} />
      {conversation && <MoreButton actions={conversationActions(host, conversation)} />}
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

interface PlaceChipProps {
  icon: string;
  name: string;
  label: string;
  title?: string | undefined;
  pick: () => void;
}

/** Shows what is picked, and lets the user pick another. */
function PlaceChip({ icon, name, label, title, pick }: PlaceChipProps) {
  return (
    <button type="button" class="savepoint-place" aria-label={label} title={title} onClick={pick}>
      <Icon name={icon} />
      <bdi class="savepoint-cut">{name}</bdi>
    </button>
  );
}

function WorkspaceChip({ host }: { host: ConversationHost }) {
  const { savepoint, controller, focusComposer } = host;
  const memory = useStore(savepoint.memory);
  const { id, name } = workspaceById(memory, useStore(controller.workspaceId));
  const pick = () => {
    const { app, clock } = savepoint;
    const candidates = () =>
      Promise.resolve(
        workspaceCandidates(savepoint.memory.get(), id, ({ isArchived }) => !isArchived),
      );
    const picker = new Picker({
      app,
      clock,
      candidates,
      texts: text.chat.pickWorkspace,
      choose({ item }) {
        if (controller.id.get() === undefined) savepoint.enterWorkspace(item.id);
        act(() => controller.enterWorkspace(item.id));
      },
    });
    picker.setCloseCallback(focusComposer);
    openModal(picker);
  };
  return <PlaceChip icon="box" name={name} label={text.chat.workspaceIs(name)} pick={pick} />;
}

function ModelChip({ host }: { host: ConversationHost }) {
  const { chat, controller, savepoint, openProviderSetup, focusComposer } = host;
  useStore(chat.models.settings);
  const current = useStore(controller.model) ?? chat.models.preferred();
  useStore(chat.models.chatAgents);
  const name = current ? chat.models.nameOf(current) : text.chat.noModel;
  const pick = () => {
    if (chat.models.preferred() === undefined) return openProviderSetup();
    const picker = new PickModel({
      app: savepoint.app,
      models: chat.models,
      current,
      setUp: openProviderSetup,
      choose(ref) {
        controller.useModel(ref);
        chat.models.preferChatAgent(ref);
        act(() => chat.changeSettings((settings) => ({ ...settings, chatProvider: ref.provider })));
      },
    });
    picker.setCloseCallback(focusComposer);
    openModal(picker);
  };
  return (
    <PlaceChip
      icon="sparkles"
      name={name}
      label={text.chat.modelIs(name)}
      title={current && formatModelRef(current)}
      pick={pick}
    />
  );
}

/** Says that a conversation leaves no checkpoints, and why. */
function CaptureChip({
  host: { chat, controller },
  conversation,
}: {
  host: ConversationHost;
  conversation: Conversation | undefined;
}) {
  useStore(chat.capture.settings);
  const workspaceId = useStore(controller.workspaceId);
  const { id = '', isPrivate = false } = conversation ?? {};
  const obstacle = chat.checkpoints.obstacle({ id, workspaceId, isPrivate });
  if (!obstacle) return null;
  const { chips, hints } = text.capture;
  return (
    <span class="savepoint-meter savepoint-uncaptured" title={hints[obstacle]}>
      <Icon name="eye-off" />
      {chips[obstacle]}
    </span>
  );
}

/** The mode and the other settings of the conversation's agent, while it runs. */
function ChatAgentSettings({ host }: { host: ConversationHost }) {
  const { chatAgents } = host.chat;
  const id = useStore(host.controller.id);
  return chatAgents && id !== undefined ? (
    <RunningSettings chatAgents={chatAgents} id={id} />
  ) : null;
}

function RunningSettings({ chatAgents, id }: { chatAgents: ChatAgentService; id: string }) {
  useStore(chatAgents.revision);
  const { settings = [], mode } = chatAgents.running(id) ?? {};
  if (settings.length === 0) return null;
  const actions = settings.flatMap(({ id: setting, name, value, options }) =>
    options.map((option) => ({
      icon: option.value === value ? 'check' : 'circle',
      label: visibleText(`${name}: ${option.name}`),
      run: () => act(() => chatAgents.changeSetting(id, setting, option.value)),
    })),
  );
  const modes = settings.find(({ value }) => value === mode)?.options;
  const named = modes?.find(({ value }) => value === mode);
  return (
    <>
      {mode !== undefined && (
        <span class="savepoint-meter">
          {text.chatAgents.mode(visibleText(named?.name ?? mode))}
        </span>
      )}
      <MoreButton label={text.chatAgents.settingsOf} actions={actions} />
    </>
  );
}

/** Token meter, which shows this branch's share of the context window, and its tokens and cost. */
function Meter({ host, thread }: { host: ConversationHost; thread: Thread }) {
  const { tokens, limit, isNear, isReported, spent } = useBranchContext(host, thread);
  const { meter, meterOf, meterHint } = text.chat;
  if (tokens === 0) return null;
  const shown =
    limit === undefined
      ? meter(shortCount(tokens))
      : meterOf(shortCount(tokens), shortCount(limit), tokens / limit);
  return (
    <span
      class={`savepoint-meter${isNear ? ' mod-warning' : ''}`}
      dir="auto"
      title={meterHint({ tokens, limit, isReported, ...spent })}
    >
      {isReported ? shown : text.chat.about(shown)}
    </span>
  );
}
