import { checkpointText, type Checkpoint } from '../../../model/text/checkpoint.js';
import type { StateContent } from '../../../model/state.js';
import type { Log } from '../../../storage/index.js';

/** Number of recent traces to search. */
const MAX_TRACES = 500;

export async function lastCheckpoint(
  log: Pick<Log, 'recentTraces'>,
  workspaceId: string,
): Promise<Checkpoint | undefined> {
  const traces = await log.recentTraces(workspaceId, MAX_TRACES);
  return traces.find(({ checkpoint }) => checkpoint)?.checkpoint;
}

/** Adds the checkpoint's files, open to-dos and text to a state's content. */
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
