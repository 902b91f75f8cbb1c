import { CHECKPOINT_INTERVAL_MS, checkpointTrace } from '../../capture/checkpoint-trace.js';
import { checkpointData, isEmptyCheckpoint } from '../../model/text/checkpoint.js';
import { entityOf } from '../../model/memory.js';
import { traceData } from '../../model/trace.js';
import { workspaceOf } from '../../model/workspace.js';
import { catchUp, checkpointOf } from '../../node/capture/device-sessions.js';
import { newSession, type CapturedSession } from '../../node/capture/session-files.js';
import { createEntityId } from '../../platform/random.js';
import { createReport } from '../output.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';
import type { LinkedSession } from './linked-session.js';

/** When a checkpoint is written to the log. */
export type WriteReason = 'turn' | 'compaction' | 'end';

/** Sessions that changed before are not sealed any more, and their files are removed. */
const MAX_SESSION_AGE_MS = 14 * 24 * 60 * 60 * 1000;
const MAX_SEALED_AT_ONCE = 20;

/**
 * Stores where the transcript of a session is, so that the next session finds it even if this one
 * is killed in its first turn.
 */
export async function registerSession(
  { files }: LinkedSession,
  client: string,
  input: HookInput,
  fromState?: string,
): Promise<void> {
  await files.update(client, input.session, (known) => ({
    ...(known ?? newSession(client, input)),
    ...(input.transcript !== '' && { transcript: input.transcript }),
    ...(fromState !== undefined && !known?.fromState && { fromState }),
    process: input.process,
    isSealed: false,
    hasEnded: false,
  }));
}

/**
 * Reads what a session has done, stores it on this device, and writes its checkpoint to the log if
 * one is due.
 */
export async function recordSession(
  program: ProgramHost,
  linked: LinkedSession,
  client: string,
  input: HookInput,
  reason: WriteReason,
): Promise<void> {
  await linked.files.update(client, input.session, async (known) => {
    const start = known ?? newSession(client, input);
    const named = { ...start, ...(input.transcript !== '' && { transcript: input.transcript }) };
    const hasEnded = reason === 'end';
    const session = await catchUp(program.node, { ...named, process: input.process }, input);
    return writeIfDue(program, linked, { ...session, isSealed: hasEnded, hasEnded }, reason);
  });
}

/**
 * Seals the earlier sessions of the project that have never ended, and removes what is known about
 * old ones.
 */
export async function sealOtherSessions(
  program: ProgramHost,
  linked: LinkedSession,
  { session: current }: Pick<HookInput, 'session'>,
): Promise<void> {
  const { files } = linked;
  for (const { client, id, isSealed } of await files.newest(MAX_SEALED_AT_ONCE)) {
    if (isSealed || id === current) continue;
    await files.update(client, id, async (known) => {
      if (!known) throw new Error(`The session ${id} has been removed`);
      const session = await catchUp(program.node, known);
      return writeIfDue(program, linked, { ...session, isSealed: true }, 'end');
    });
  }
  await files.removeBefore(Date.now() - MAX_SESSION_AGE_MS);
}

/**
 * Returns the session, with its checkpoint written if it has changed and the last one is old
 * enough.
 */
async function writeIfDue(
  program: ProgramHost,
  linked: LinkedSession,
  session: CapturedSession,
  reason: WriteReason,
): Promise<CapturedSession> {
  const { settings, link } = linked;
  const checkpoint = await checkpointOf(program.node, settings, link, session);
  if (isEmptyCheckpoint(checkpoint)) return session;
  const hash = hashOf(program, JSON.stringify(checkpointData(checkpoint)));
  const { written, client, id } = session;
  const now = Date.now();
  const isEarly =
    reason === 'turn' && written !== undefined && now - written.at < CHECKPOINT_INTERVAL_MS;
  if (written?.hash === hash || isEarly) return session;
  const key = `checkpoint-${hashOf(program, `${client}\n${id}`)}-${hash}`;
  const trace = checkpointTrace(
    { workspaceId: linked.link.workspaceId, sessionId: id, client, key },
    checkpoint,
  );
  const { openVaultLog } = await import('../vault-log.js');
  const { log, random } = await openVaultLog(program, {
    vault: linked.link.vault,
    state: linked.stateFolder,
    isReadOnly: false,
    create: undefined,
    report: createReport(program),
  });
  try {
    const workspace = workspaceOf(entityOf(await log.memory(), trace.workspaceId));
    if (!workspace)
      throw new Error(
        `The workspace "${linked.link.workspaceName}" of ${linked.link.folder} is not in ${linked.link.vault}. Link the project again`,
      );
    await log.writeTrace({ t: 'trace.new', e: createEntityId(random), d: traceData(trace) });
  } finally {
    await log.close();
  }
  return { ...session, written: { hash, at: now } };
}

function hashOf({ node }: ProgramHost, text: string): string {
  return node.crypto.createHash('sha256').update(text).digest('hex').slice(0, 16);
}
