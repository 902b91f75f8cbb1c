import { lastAnswerOf, taskOf, type Checkpoint } from '../../model/text/checkpoint.js';
import { cutText } from '../../model/text/truncate.js';
import type { Trace } from '../../model/trace.js';
import { displayName } from '../../apps/index.js';
import { toVisibleLine } from '../../model/states/provenance.js';
import { conversationNames, type ConversationNames } from '../conversation-names.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';

export type CapturedTrace = Trace & { readonly checkpoint: Checkpoint };

const MAX_TITLE_CHARS = 60;

export function isCaptured(trace: Trace): trace is CapturedTrace {
  return trace.checkpoint !== undefined;
}

export async function checkpointName(savepoint: Savepoint, trace: CapturedTrace): Promise<string> {
  return checkpointTitle(trace, await conversationNames(savepoint));
}

/** Names a checkpoint by its conversation, else by its task, its last answer or newest file. */
export function checkpointTitle(trace: CapturedTrace, names: ConversationNames): string {
  const { checkpoint, sessionId } = trace;
  const name = names.get(sessionId);
  if (name !== undefined) return name;
  const { written, read } = checkpoint;
  const line =
    [taskOf(checkpoint), lastAnswerOf(checkpoint), ...written, ...read]
      .map(toVisibleLine)
      .find((each) => each !== '') ?? text.memoryView.traceKinds.checkpoint;
  const cut = cutText(line, MAX_TITLE_CHARS);
  if (cut === line) return line;
  return cut.replace(/\s+\S*$/u, '') || cut;
}

/** Returns the app in which the session took place. */
export function capturedApp({ client }: CapturedTrace): string {
  return client === undefined ? text.chat.title : displayName(client);
}
