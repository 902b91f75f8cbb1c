import type { Thread } from '../../../chat/thread.js';
import type { Conversation } from '../../../model/conversation.js';
import { workspaceById } from '../../../model/lookup.js';
import { act, noticeWithUndo } from '../../actions.js';
import type { Chat } from '../chat-service.js';
import { refText } from '../../models/models.js';
import { text } from '../../i18n/index.js';
import { Icon, IconButton } from '../../ui/components.js';
import type { Deed } from '../../memory/menus.js';
import { Header, MoreButton } from '../../memory/page-parts.js';
import { workspaceCandidates } from '../../pickers/candidates.js';
import { Picker } from '../../pickers/picker.js';
import { useStore } from '../../ui/use-store.js';
import { exportTalk } from './export-conversation.js';
import { shortCount, useContext } from './use-context.js';
import type { ChatHost, TalkHost } from './host.js';
import { PickModel } from './pick-model.js';
import { RenameForm } from './rename-form.js';
import { openModal } from '../../ui/modals.js';

/** What conversation this is, where it takes place, with whom, and how long it has become. */
export function TalkHeader({ host, titleId }: { host: TalkHost; titleId: string }) {
  const { chat, talk, go } = host;
  const id = useStore(talk.id);
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const thread = useStore(talk.thread);
  const labels = text.chat;
  const chips = (
    <div class="savepoint-places">
      <WorkspaceChip host={host} />
      {!host.isReadOnly && <ModelChip host={host} />}
      {!host.isReadOnly && thread && <Meter host={host} thread={thread} />}
    </div>
  );
  return (
    <Header
      title={<bdi>{conversation?.title ?? labels.untitled}</bdi>}
      titleId={titleId}
      below={chips}
    >
      <IconButton icon="list" label={labels.all} onClick={() => go({ page: 'list' })} />
      <IconButton icon="bookmark-plus" label={labels.saveState} onClick={() => host.saveState()} />
      <IconButton icon="square-pen" label={labels.fresh} onClick={() => startNew(host)} />
      {conversation && <MoreButton deeds={deedsOf(host, conversation)} />}
    </Header>
  );
}

function startNew({ go, focusComposer }: TalkHost): void {
  go({ page: 'talk', conversation: undefined });
  focusComposer();
}

/** What can be done with a conversation. */
export function deedsOf({ chat }: Pick<ChatHost, 'chat'>, conversation: Conversation): Deed[] {
  const { rename, pin, unpin, archive, restore, export: exportNote } = text.chat;
  const { id, isPinned, isArchived } = conversation;
  return [
    { icon: 'pencil', label: rename, run: () => openModal(new RenameForm(chat, conversation)) },
    {
      icon: isPinned ? 'pin-off' : 'pin',
      label: isPinned ? unpin : pin,
      run: () => act(() => chat.change(id, { isPinned: !isPinned })),
    },
    {
      icon: 'file-output',
      label: exportNote,
      run: () => act(() => exportTalk(chat, conversation)),
    },
    {
      icon: isArchived ? 'archive-restore' : 'archive',
      label: isArchived ? restore : archive,
      run: () => act(() => setArchived(chat, conversation, !isArchived)),
    },
  ];
}

/** Archives a conversation or brings it back, and offers to undo that. */
export async function setArchived(
  chat: Chat,
  { id, title }: Conversation,
  isArchived: boolean,
): Promise<void> {
  const { archived, restored } = text.chat;
  await chat.change(id, { isArchived });
  noticeWithUndo(chat.savepoint, isArchived ? archived(title) : restored(title), () =>
    chat.change(id, { isArchived: !isArchived }),
  );
}

function WorkspaceChip({ host: { savepoint, talk, focusComposer } }: { host: TalkHost }) {
  const memory = useStore(savepoint.memory);
  const { id, name } = workspaceById(memory, useStore(talk.workspaceId));
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
      choose: ({ item }) => act(() => talk.enterWorkspace(item.id)),
    });
    picker.setCloseCallback(focusComposer);
    openModal(picker);
  };
  return (
    <button
      type="button"
      class="savepoint-place"
      aria-label={text.chat.workspaceIs(name)}
      onClick={pick}
    >
      <Icon name="folder" />
      <bdi class="savepoint-cut">{name}</bdi>
    </button>
  );
}

function ModelChip({ host }: { host: TalkHost }) {
  const { chat, talk, savepoint, setUpModel, focusComposer } = host;
  useStore(chat.models.settings);
  const current = useStore(talk.model) ?? chat.models.preferred();
  const name = current?.model ?? text.chat.noModel;
  const pick = () => {
    if (chat.models.ready().length === 0) return setUpModel();
    const picker = new PickModel({
      app: savepoint.app,
      models: chat.models,
      current,
      setUp: setUpModel,
      choose(ref) {
        talk.useModel(ref);
        act(() => chat.changeSettings((settings) => ({ ...settings, chatProvider: ref.provider })));
      },
    });
    picker.setCloseCallback(focusComposer);
    openModal(picker);
  };
  return (
    <button
      type="button"
      class="savepoint-place"
      aria-label={text.chat.modelIs(name)}
      title={current && refText(current)}
      onClick={pick}
    >
      <Icon name="sparkles" />
      <bdi class="savepoint-cut">{name}</bdi>
    </button>
  );
}

/** How full the context is, and what this branch has used and cost so far. */
function Meter({ host, thread }: { host: TalkHost; thread: Thread }) {
  const { tokens, limit, isNear, isReported, spent } = useContext(host, thread);
  const { meter, meterOf, meterHint } = text.chat;
  if (tokens === 0) return null;
  const shown =
    limit === undefined
      ? meter(shortCount(tokens))
      : meterOf(shortCount(tokens), shortCount(limit), tokens / limit);
  return (
    <span
      class={`savepoint-meter${isNear ? ' mod-warning' : ''}`}
      title={meterHint({ tokens, limit, isReported, ...spent })}
    >
      {isReported ? shown : text.chat.about(shown)}
    </span>
  );
}
