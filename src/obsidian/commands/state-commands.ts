import type { Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import { act, archiveState, restoreState } from '../actions.js';
import { openedChat } from '../chat/chat-service.js';
import { pickOtherState, pickState, pickStateToForget } from '../pickers/pick-state.js';
import { openMemory, openSaveState, pickStateToResume } from '../views.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { Scheduler } from '../../platform/scheduler.js';
import { yieldToHost } from '../host/browser-ports.js';
import { readStates } from '../library/library.js';
import type { PickerTexts } from '../pickers/picker.js';
import { memoryCommands, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addStateCommands(host: CommandHost): void {
  const { names, pick: pickTexts } = text.commands;
  const add = memoryCommands(host);
  const hasState = (memory: Memory) => contentsOf(memory).hasState;
  const hasArchived = (memory: Memory) => contentsOf(memory).hasArchivedState;
  const pick =
    (
      pickTexts: PickerTexts,
      isArchived: boolean,
      choose: (savepoint: Savepoint, state: Named<State>) => unknown,
    ) =>
    (savepoint: Savepoint) =>
      pickState(savepoint, {
        texts: pickTexts,
        isArchived,
        choose: (state) => act(() => choose(savepoint, state)),
      });

  add('saveState', 'bookmark-plus', (savepoint) => openSaveState(savepoint, host.chat));
  add('resumeState', 'play', () => pickStateToResume(openedChat(host.chat)), hasState);
  const archive = { placeholder: `${names.archiveState}…`, enter: pickTexts.archive };
  add('archiveState', 'archive', pick(archive, false, archiveState), hasState);
  const other = { ...text.memoryView.pickOther, placeholder: `${names.compareStates}…` };
  add('compareStates', 'git-compare', pick(other, false, compareWith), hasState);
  const restore = { placeholder: `${names.restoreState}…`, enter: pickTexts.restore };
  add('restoreState', 'archive-restore', pick(restore, true, restoreState), hasArchived);
  add(
    'forgetState',
    'trash',
    pickStateToForget,
    (memory) => hasState(memory) || hasArchived(memory),
  );
}

/** Lets the user choose another state of the workspace, and shows how they differ. */
async function compareWith(savepoint: Savepoint, { item }: Named<State>): Promise<void> {
  const { workspaceId: workspace, id: state } = item;
  const scheduler = new Scheduler(savepoint.clock, yieldToHost);
  const states = await readStates(savepoint.memory.get(), workspace, scheduler);
  const others = states.filter((other) => other.item.id !== state);
  pickOtherState(savepoint, others, ({ item: { id: other } }) =>
    act(() => openMemory(savepoint.app, { workspace, state, other })),
  );
}
