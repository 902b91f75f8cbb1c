import { checkpointText, type Checkpoint } from '../../../model/text/checkpoint.js';
import type { StateContent } from '../../../model/state.js';
import type { Log } from '../../../storage/log.js';

/** Traces among which the last checkpoint is searched for. */
const MAX_TRACES = 500;

/**
 * Returns the newest checkpoint among the recent traces of a workspace; undefined if there is none.
 */
export async function lastCheckpoint(
  log: Pick<Log, 'recentTraces'>,
  workspaceId: string,
): Promise<Checkpoint | undefined> {
  const traces = await log.recentTraces(workspaceId, MAX_TRACES);
  return traces.find(({ checkpoint }) => checkpoint)?.checkpoint;
}

/** Returns the content of a state with the checkpoint's files, open to-dos and text added. */
export function withCheckpoint(content: StateContent, checkpoint: Checkpoint): StateContent {
  const { activeFiles, nextSteps, conversationContext } = content;
  const open = checkpoint.todos.filter(({ isDone }) => !isDone).map(({ text }) => text);
  return {
    ...content,
    activeFiles: [...new Set([...activeFiles, ...checkpoint.written, ...checkpoint.read])],
    nextSteps: [...new Set([...nextSteps, ...open])],
    conversationContext: `${conversationContext}\n\nFrom the last checkpoint:\n${checkpointText(checkpoint)}`,
  };
}
