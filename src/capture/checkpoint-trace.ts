import type { Checkpoint } from '../model/text/checkpoint.js';
import type { Trace } from '../model/trace.js';

/** Between two checkpoints that are written because a turn has ended. */
export const CHECKPOINT_INTERVAL_MS = 10 * 60 * 1000;

interface CheckpointOrigin {
  readonly workspaceId: string;
  readonly sessionId: string;
  /** The AI app; absent for a conversation in the app itself. */
  readonly client?: string | undefined;
  /** Idempotency key of the write. */
  readonly key?: string | undefined;
}

export function checkpointTrace(
  { workspaceId, sessionId, client, key }: CheckpointOrigin,
  checkpoint: Checkpoint,
): Omit<Trace, 'createdAt'> {
  return {
    workspaceId,
    sessionId,
    client,
    toolset: 'capture',
    tool: 'checkpoint',
    kind: 'checkpoint',
    input: '',
    outcome: '',
    isSuccess: true,
    checkpoint,
    key,
  };
}
