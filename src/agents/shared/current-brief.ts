import { brief, type BriefOptions } from '../../brief/brief.js';
import { compareText } from '../../model/event.js';
import { newestState } from '../../model/states/newest-state.js';
import type { Memory } from '../../model/memory.js';
import { recordedDigest } from '../../model/states/provenance.js';
import type { Trace } from '../../model/trace.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { Services } from '../services.js';
import { projectAccess } from './active-files.js';
import { compareFiles } from './file-changes.js';

/** Number of the newest traces from which a brief chooses. */
const TRACES_READ = 40;
/** Number of the newest traces that are searched for checkpoints. */
const CHECKPOINTS_AMONG = 200;

/** The parts of a request that depend on the reader of the brief. */
export type BriefRequest = Pick<BriefOptions, 'workspaceId' | 'budget' | 'about' | 'reader'>;

/** Returns a workspace's brief as of now, with changed files and newer traces than the log has. */
export async function currentBrief(
  services: Pick<Services, 'log' | 'clock' | 'files' | 'device'>,
  memory: Memory,
  request: BriefRequest,
  project?: ClientProject,
): Promise<string> {
  const { log, clock, device } = services;
  const { workspaceId, about } = request;
  const state = about?.selectState(memory, workspaceId) ?? newestState(memory, workspaceId);
  const [recent, sessions = [], comparison] = await Promise.all([
    log.recentTraces(workspaceId, CHECKPOINTS_AMONG),
    device.readSessions?.(workspaceId, (line) => log.forgetting.forgottenOf(line)),
    state && compareFiles(projectAccess(services, project, state.item), state.item),
  ]);
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const isEarlier = ({ kind, sessionId }: Trace) => kind === 'checkpoint' && known.has(sessionId);
  const stored = recent.filter(({ checkpoint }, at) => checkpoint || at < TRACES_READ);
  const traces = [...sessions, ...stored.filter((trace) => !isEarlier(trace))].sort((a, b) =>
    compareText(b.createdAt, a.createdAt),
  );
  const changedFiles = comparison?.changes.filter(
    ({ path, change }) =>
      change !== 'outside' && (change !== 'missing' || recordedDigest(state?.item.files, path)), // it may never have existed
  );
  const now = clock.now();
  const worktree = project?.worktree;
  return brief(memory, traces, { ...request, worktree, state, now, changedFiles });
}
