import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { act, archiveState, restoreState } from '../actions.js';
import { openedChat } from '../chat/chat-service.js';
import { pickStateToForget } from '../pickers/pick-to-forget.js';
import { openSaveState, pickStateToResume } from '../views.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { stateCandidates } from '../pickers/candidates.js';
import { Picker, type PickerOptions } from '../pickers/picker.js';
import { addMemoryCommand, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addStateCommands(host: CommandHost): void {
  const { names, pick: texts } = text.commands;

  function pick(
    savepoint: Savepoint,
    pickTexts: PickerOptions<State>['texts'],
    isArchived: boolean,
    choose: (savepoint: Savepoint, state: Named<State>) => Promise<void>,
  ): void {
    const { app, clock, memory } = savepoint;
    host.open(
      new Picker<State>({
        app,
        clock,
        texts: pickTexts,
        candidates: (scheduler) =>
          stateCandidates(memory.get(), savepoint.workspace().id, isArchived, scheduler),
        choose: (state) => act(() => choose(savepoint, state)),
      }),
    );
  }

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
    run: (savepoint) => pick(savepoint, texts.archiveState, false, archiveState),
  });
  addMemoryCommand(host, {
    id: 'restore-state',
    name: names.restoreState,
    icon: 'archive-restore',
    applies: (memory) => contentsOf(memory).hasArchivedState,
    run: (savepoint) => pick(savepoint, texts.restoreState, true, restoreState),
  });
  addMemoryCommand(host, {
    id: 'forget-state',
    name: names.forgetState,
    icon: 'trash',
    applies: (memory) => contentsOf(memory).hasState || contentsOf(memory).hasArchivedState,
    run: pickStateToForget,
  });
}
