import { withCheckpoint } from '../../agents/memory-manager/shared/last-checkpoint.js';
import { isNameTaken, lookupState, type Named } from '../../model/lookup.js';
import { Refusal } from '../../model/refusal.js';
import type { State, StateContent } from '../../model/state.js';
import { taskOf } from '../../model/text/checkpoint.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { capturedApp, checkpointTitle, type CapturedTrace } from './captured-trace.js';

/**
 * Saves a checkpoint as a state of its workspace, named after its task. The state belongs to the
 * checkpoint's session, so the checkpoint is no longer offered.
 */
export async function saveCheckpoint(
  savepoint: Savepoint,
  trace: CapturedTrace,
): Promise<Named<State>> {
  const { workspaceId, sessionId } = trace;
  const isTaken = (name: string) => isNameTaken(savepoint.memory.get(), workspaceId, name);
  const content = checkpointContent(trace, isTaken);
  const { name, activeTask, conversationContext, activeFiles, nextSteps } = content;
  const params = {
    name,
    activeTask,
    conversationContext,
    activeFiles: [...activeFiles],
    nextSteps: [...nextSteps],
  };
  const answer = await savepoint.call('createState', params, workspaceId, sessionId);
  if (!answer.success) throw new Refusal(answer.error ?? text.general.fault);
  const saved = lookupState(savepoint.memory.get(), workspaceId, name);
  if (!('item' in saved)) throw new Error('The state that was saved is not in the memory');
  return saved.item;
}

/** Returns a checkpoint as the content of a state. */
function checkpointContent(trace: CapturedTrace, isTaken: (name: string) => boolean): StateContent {
  const { checkpoint, createdAt } = trace;
  const title = checkpointTitle(trace);
  const content = {
    name: freeName(title, isTaken),
    activeTask: taskOf(checkpoint) || title,
    conversationContext: text.capture.savedFrom(capturedApp(trace), createdAt.slice(0, 10)),
    activeFiles: [],
    nextSteps: [],
  };
  return withCheckpoint(content, checkpoint);
}

function freeName(title: string, isTaken: (name: string) => boolean): string {
  let name = title;
  for (let count = 2; isTaken(name); count++) name = `${title} ${count}`;
  return name;
}
