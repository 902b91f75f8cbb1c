import { withCheckpoint } from '../../agents/memory-manager/shared/last-checkpoint.js';
import { isNameTaken } from '../../model/lookup.js';
import type { StateContent } from '../../model/state.js';
import { taskOf } from '../../model/text/checkpoint.js';
import { cutText } from '../../model/text/truncate.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { freeName } from '../ui/forms/values.js';
import { capturedApp, checkpointName, type CapturedTrace } from './captured-trace.js';
import { localDay } from '../../model/text/local-minute.js';

/** Leaves room for the number of a name that is taken. */
const MAX_NAME_CHARS = 150;

/** Returns a checkpoint as the content of a state of its workspace, with its name. */
export async function checkpointContent(
  savepoint: Savepoint,
  trace: CapturedTrace,
): Promise<StateContent> {
  const { checkpoint, createdAt, workspaceId } = trace;
  const isTaken = (name: string) => isNameTaken(savepoint.memory.get(), workspaceId, name);
  const title = cutText(await checkpointName(savepoint, trace), MAX_NAME_CHARS);
  const content = {
    name: freeName(title, isTaken),
    activeTask: taskOf(checkpoint) || title,
    conversationContext: text.capture.savedFrom(capturedApp(trace), localDay(createdAt)),
    activeFiles: [],
    nextSteps: [],
  };
  return withCheckpoint(content, checkpoint);
}
