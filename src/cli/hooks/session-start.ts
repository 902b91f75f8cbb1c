import { checkpointTrace } from '../../capture/checkpoint-trace.js';
import { sessionBrief } from '../../capture/session-brief.js';
import type { CapturedClient } from '../../capture/transcript.js';
import { stateHeads } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { Trace } from '../../model/trace.js';
import { createReport, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { openVaultLog } from '../vault-log.js';
import type { HookInput } from './hook-input.js';
import { registerSession } from './record-session.js';
import { catchUp, checkpointOf, type LinkedSession } from './session-context.js';

/** Maximum number of tokens of a session's brief. */
export const BRIEF_TOKENS = 800;
/** Sessions of this device whose transcripts are looked at. */
const MAX_SESSIONS = 5;
/** Traces of the log among which the last checkpoint of another device is searched for. */
const MAX_TRACES = 20;

/**
 * Prints the brief of the project's workspace in the form that the client adds to its conversation. A resumed session gets none,
 * because clients keep the earlier one.
 */
export async function startSession(
  program: ProgramHost,
  linked: LinkedSession,
  client: CapturedClient,
  input: HookInput,
): Promise<void> {
  if (linked.isCaptured && input.session !== '') await registerSession(linked, client, input);
  if (input.source === 'resume') return;
  const { brief, memory } = await readSessionBrief(program, linked);
  if (brief !== '')
    printJson(program, {
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: brief },
    });
  const newest = stateHeads(memory, linked.link.workspaceId).find((head) => !head.isArchived);
  if (linked.isCaptured && input.session !== '' && newest)
    await registerSession(linked, client, input, newest.id);
}

/** Returns the brief with which a session in the project starts now, and the memory. Writes nothing. */
export async function readSessionBrief(
  program: ProgramHost,
  linked: LinkedSession,
): Promise<{ readonly brief: string; readonly memory: Memory }> {
  const { link, stateFolder } = linked;
  const { log } = await openVaultLog(program, {
    vault: link.vault,
    state: stateFolder,
    isReadOnly: true,
    create: undefined,
    report: createReport(program),
  });
  const { workspaceId } = link;
  const memory = await log.memory();
  const local = await localCheckpoints(program, linked);
  const known = new Set(local.map(({ sessionId }) => sessionId)); // the log may have them from an earlier moment
  const stored = (await log.recentTraces(workspaceId, MAX_TRACES)).filter(
    ({ checkpoint, sessionId }) => checkpoint && !known.has(sessionId),
  );
  const traces = [...local, ...stored].sort((a, b) => (b.createdAt < a.createdAt ? -1 : 1));
  return { brief: sessionBrief(memory, traces, { workspaceId, budget: BRIEF_TOKENS }), memory };
}

/** Returns the checkpoints of the sessions on this device as traces, as if they had been written at their last change. */
async function localCheckpoints(program: ProgramHost, linked: LinkedSession): Promise<Trace[]> {
  if (!linked.isCaptured) return [];
  const sessions = (await linked.files.newest(MAX_SESSIONS)).map(async (known): Promise<Trace> => {
    const session = await catchUp(program, known);
    const { id: sessionId, client, changedAt } = session;
    const { workspaceId } = linked.link;
    const checkpoint = await checkpointOf(program, linked, session);
    return {
      ...checkpointTrace({ workspaceId, sessionId, client }, checkpoint),
      createdAt: new Date(changedAt).toISOString(),
    };
  });
  return Promise.all(sessions);
}
