import type { Thread } from '../../../../chat/thread.js';
import { workspaceById } from '../../../../model/lookup.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import { act } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import { MoreButton } from '../../../memory/page-parts.js';
import { formatModelRef } from '../../../models/model-ref.js';
import { workspaceCandidates } from '../../../pickers/candidates.js';
import { Picker } from '../../../pickers/picker.js';
import { Icon } from '../../../ui/components.js';
import { openModal } from '../../../ui/modals.js';
import { useStore } from '../../../ui/use-store.js';
import type { ConversationHost } from '../host.js';
import { PickModel } from '../pick-model.js';
import { shortCount, useBranchContext, useChatAgent } from '../use-context.js';
import { OpenNoteChip } from './open-note-chip.js';
import type { OpenNoteState } from './use-open-note.js';

interface EdgeProps {
  readonly host: ConversationHost;
  readonly openNote: OpenNoteState | undefined;
}

/** The model, workspace and open note of the next message; more only if it matters now. */
export function ComposerEdge({ host, openNote }: EdgeProps) {
  const thread = useStore(host.controller.thread);
  return (
    <div class="savepoint-places">
      <ModelChip host={host} />
      <WorkspaceChip host={host} />
      {openNote && <OpenNoteChip open={openNote} />}
      <ChatAgentSettings host={host} />
      {thread && <Meter host={host} thread={thread} />}
      <CaptureChip host={host} />
    </div>
  );
}

interface PlaceChipProps {
  name: string;
  label: string;
  title?: string | undefined;
  pick: () => void;
}

/** Shows what is picked, and lets the user pick another. */
function PlaceChip({ name, label, title, pick }: PlaceChipProps) {
  return (
    <button
      type="button"
      class="clickable-icon savepoint-place"
      aria-label={label}
      title={title}
      onClick={pick}
    >
      <bdi class="savepoint-cut">{name}</bdi>
    </button>
  );
}

export function WorkspaceChip({ host }: { host: ConversationHost }) {
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
  return <PlaceChip name={name} label={text.chat.workspaceIs(name)} pick={pick} />;
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
      name={name}
      label={text.chat.modelIs(name)}
      title={current && formatModelRef(current)}
      pick={pick}
    />
  );
}

/** Says that a conversation leaves no checkpoints, and why. */
function CaptureChip({ host: { chat, controller } }: Pick<EdgeProps, 'host'>) {
  useStore(chat.capture.settings);
  const workspaceId = useStore(controller.workspaceId);
  const id = useStore(controller.id) ?? '';
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const isPrivate = conversation?.isPrivate ?? false;
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
function ChatAgentSettings({ host: { chat, controller } }: Pick<EdgeProps, 'host'>) {
  const { settings = [], mode } = useChatAgent(chat.chatAgents, controller.id) ?? {};
  if (settings.length === 0) return null;
  const change = (setting: string, value: string) => {
    const id = controller.id.get();
    if (id !== undefined) act(async () => chat.chatAgents?.changeSetting(id, setting, value));
  };
  const actions = settings.flatMap(({ id: setting, name, value, options }) =>
    options.map((option) => ({
      icon: option.value === value ? 'check' : 'circle',
      label: visibleText(`${name}: ${option.name}`),
      run: () => change(setting, option.value),
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

/** Share of the context window from which on the meter is shown. */
const SHOWN_SHARE = 0.7;

/** This branch's share of the context window, and its tokens and cost, once it fills up. */
function Meter({ host, thread }: Pick<EdgeProps, 'host'> & { thread: Thread }) {
  const { tokens, limit, isNear, spent } = useBranchContext(host, thread);
  if (limit === undefined || tokens <= limit * SHOWN_SHARE) return null;
  return (
    <span
      class={`savepoint-meter${isNear ? ' mod-warning' : ''}`}
      dir="auto"
      title={spent.used === 0 ? undefined : text.chat.spent(spent.used, spent.cost)}
    >
      {text.chat.meterOf(shortCount(tokens), shortCount(limit), tokens / limit)}
    </span>
  );
}
