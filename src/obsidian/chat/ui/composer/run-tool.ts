import { CreateWorkspaceForm } from '../../../memory/forms/create-workspace.js';
import { openModal } from '../../../ui/modals.js';
import type { ConversationHost } from '../host.js';

/** Lets the user run a tool in the app's own form or picker for it, else in a generated form. */
export function runTool(host: ConversationHost, tool: string): void {
  const { savepoint, actions, openSaveState, openToolForm } = host;
  switch (tool) {
    case 'createState':
      return openSaveState({ isShown: true });
    case 'loadState':
      return actions.pickStateToResume();
    case 'createWorkspace':
      return openModal(new CreateWorkspaceForm(savepoint));
    case 'searchMemory':
      return actions.search();
    default:
      return openToolForm(tool);
  }
}
