import { CALL_KEY, SESSION_TYPE, type Draft } from '../model/event.js';
import { checkpointData, type Checkpoint } from '../model/text/checkpoint.js';
import type { Trace } from '../model/trace.js';

/** Between two versions of a session that are written because a turn has ended. */
export const CHECKPOINT_INTERVAL_MS = 30 * 60 * 1000;

interface CheckpointOrigin {
  readonly workspaceId: string;
  readonly sessionId: string;
  /** The AI app; absent for a conversation in the app itself. */
  readonly client?: string | undefined;
}

/** Returns the event that stores a version of a session. `key` makes its write idempotent. */
export function sessionDraft(
  entity: string,
  { workspaceId, sessionId, client }: CheckpointOrigin,
  checkpoint: Checkpoint,
  key: string,
): Draft {
  const d = {
    [CALL_KEY]: key,
    ws: workspaceId,
    ...(client && { client }),
    session: sessionId,
    checkpoint: checkpointData(checkpoint),
  };
  return { t: SESSION_TYPE, e: entity, d };
}

/** Returns the checkpoint of a session that is not in the log as the trace it would be there. */
export function checkpointTrace(
  { workspaceId, sessionId, client }: CheckpointOrigin,
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
  };
}
