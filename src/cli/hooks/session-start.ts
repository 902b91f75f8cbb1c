import { checkpointTrace } from '../../capture/checkpoint-trace.js';
import { sessionBrief } from '../../capture/session-brief.js';
import type { Trace } from '../../model/trace.js';
import { printJson } from '../output.js';
import type { WorkspaceNews } from '../../node/capture/summary-cache.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';
import { registerSession } from './record-session.js';
import { catchUp, checkpointOf, type LinkedSession } from './session-context.js';
import { readNews } from './workspace-news.js';

/** Maximum number of tokens of a session's brief. */
export const BRIEF_TOKENS = 800;
/** Sessions of this device whose transcripts are looked at. */
const MAX_SESSIONS = 5;
/**
 * Another program that is writing the session's file, or was killed while it did, must not hold up
 * the brief for longer.
 */
const REGISTER_TIMEOUT_MS = 1000;

/**
 * Records where the session's transcript will be, then prints the brief of the project's workspace
 * in the form that the client adds to its conversation. A resumed session gets none, because
 * clients keep the earlier one.
 */
export async function startSession(
  program: ProgramHost,
  linked: LinkedSession,
  client: string,
  input: HookInput,
): Promise<void> {
  const register = async (fromState?: string) => {
    if (!linked.isCaptured || input.session === '') return;
    const timeout = new Promise<void>((resolve) => {
      program.node.timers.setTimeout(resolve, REGISTER_TIMEOUT_MS).unref();
    });
    await Promise.race([registerSession(linked, client, input, fromState), timeout]);
  };
  const [registered] = await Promise.allSettled([register()]);
  if (input.source !== 'resume') {
    const news = await readNews(program, linked);
    printBrief(program, await briefFrom(program, linked, news));
    if (registered.status === 'fulfilled') await register(news.summary.state?.id);
  }
  // only now, so that a brief is printed in any case
  if (registered.status === 'rejected') throw registered.reason;
}

function printBrief(program: ProgramHost, brief: string): void {
  if (brief !== '')
    printJson(program, {
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: brief },
    });
}

/**
 * Returns the brief with which a session in the project starts now; empty if there is nothing to
 * tell.
 */
export async function readSessionBrief(
  program: ProgramHost,
  linked: LinkedSession,
): Promise<string> {
  return briefFrom(program, linked, await readNews(program, linked));
}

async function briefFrom(
  program: ProgramHost,
  linked: LinkedSession,
  { summary, checkpoints }: WorkspaceNews,
): Promise<string> {
  const local = await localCheckpoints(program, linked);
  // the log may have them from an earlier moment
  const known = new Set(local.map(({ sessionId }) => sessionId));
  const stored = checkpoints.filter(({ sessionId }) => !known.has(sessionId));
  const traces = [...local, ...stored].sort((a, b) => (b.createdAt < a.createdAt ? -1 : 1));
  return sessionBrief(summary, traces, BRIEF_TOKENS);
}

/**
 * Returns the checkpoints of the sessions on this device as traces, as if they had been written at
 * their last change.
 */
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
