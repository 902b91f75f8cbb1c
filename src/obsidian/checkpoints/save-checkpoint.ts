import { withCheckpoint } from '../../agents/memory-manager/shared/last-checkpoint.js';
import { isNameTaken } from '../../model/lookup.js';
import type { StateContent } from '../../model/state.js';
import { taskOf } from '../../model/text/checkpoint.js';
import type { StateOrigin } from '../memory/forms/save-state.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { capturedApp, checkpointTitle, type CapturedTrace } from './captured-trace.js';

/**
 * Returns what fills in the form that saves a checkpoint as a state of its workspace, named after
 * its task. The state belongs to the checkpoint's session, so the checkpoint is no longer offered.
 */
export function checkpointOrigin(savepoint: Savepoint, trace: CapturedTrace): StateOrigin {
  const { workspaceId, sessionId } = trace;
  const isTaken = (name: string) => isNameTaken(savepoint.memory.get(), workspaceId, name);
  const { name, activeTask, conversationContext, activeFiles, nextSteps } = checkpointContent(
    trace,
    isTaken,
  );
  return {
    workspaceId,
    typed: { name, activeTask, conversationContext, nextSteps: nextSteps.join('\n') },
    activeFiles,
    call: (tool, params, id) => savepoint.call(tool, params, id, sessionId),
  };
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
