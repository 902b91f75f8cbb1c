import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { act, archiveState, restoreState } from '../actions.js';
import { openedChat } from '../chat/chat-service.js';
import { pickStateToForget } from '../pickers/pick-to-forget.js';
import { openMemory, openSaveState, pickStateToResume } from '../views.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { Scheduler } from '../../platform/scheduler.js';
import { yieldToHost } from '../host/browser-ports.js';
import { readStates } from '../memory/library.js';
import { pickOtherState } from '../pickers/pick-other-state.js';
import { stateCandidates } from '../pickers/candidates.js';
import { Picker, type PickerOptions } from '../pickers/picker.js';
import { openModal } from '../ui/modals.js';
import { addMemoryCommand, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addStateCommands(host: CommandHost): void {
  const { names, pick: texts } = text.commands;

  const pick =
    (
      pickTexts: PickerOptions<State>['texts'],
      isArchived: boolean,
      choose: (savepoint: Savepoint, state: Named<State>) => unknown,
    ) =>
    (savepoint: Savepoint) => {
      const { app, clock, memory } = savepoint;
      openModal(
        new Picker<State>({
          app,
          clock,
          texts: pickTexts,
          candidates: (scheduler) =>
            stateCandidates(memory.get(), savepoint.workspace().id, isArchived, scheduler),
          choose: (state) => act(() => choose(savepoint, state)),
        }),
      );
    };

  addMemoryCommand(host, {
    id: 'save-state',
    name: names.saveState,
    icon: 'bookmark-plus',
    applies: () => true,
    run: (savepoint) => openSaveState(savepoint, host.chat),
  });
  addMemoryCommand(host, {
    id: 'resume-state',
    name: names.resumeState,
    icon: 'play',
    applies: (memory) => contentsOf(memory).hasState,
    run: () => pickStateToResume(openedChat(host.chat)),
  });
  addMemoryCommand(host, {
    id: 'archive-state',
    name: names.archiveState,
    icon: 'archive',
    applies: (memory) => contentsOf(memory).hasState,
    run: pick(texts.archiveState, false, archiveState),
  });
  addMemoryCommand(host, {
    id: 'compare-states',
    name: names.compareStates,
    icon: 'git-compare',
    applies: (memory) => contentsOf(memory).hasState,
    run: pick(
      { ...text.memoryView.pickOther, placeholder: `${names.compareStates}…` },
      false,
      compareWith,
    ),
  });
  addMemoryCommand(host, {
    id: 'restore-state',
    name: names.restoreState,
    icon: 'archive-restore',
    applies: (memory) => contentsOf(memory).hasArchivedState,
    run: pick(texts.restoreState, true, restoreState),
  });
  addMemoryCommand(host, {
    id: 'forget-state',
    name: names.forgetState,
    icon: 'trash',
    applies: (memory) => contentsOf(memory).hasState || contentsOf(memory).hasArchivedState,
    run: pickStateToForget,
  });
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
