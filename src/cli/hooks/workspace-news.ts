import { summarizeWorkspace } from '../../capture/session-brief.js';
import {
  logFingerprint,
  SummaryCache,
  type WorkspaceNews,
} from '../../node/capture/summary-cache.js';
import { openPluginSettings } from '../../node/ports/plugin-settings.js';
import type { Log } from '../../storage/log.js';
import { createReport } from '../output.js';
import type { ProgramHost } from '../program.js';
import { openVaultLog, placesOf } from '../vault-log.js';
import type { LinkedSession } from './session-context.js';

/** Traces of the log among which checkpoints are searched for. */
const MAX_TRACES = 20;

/**
 * Returns what the log says about the project's workspace. Reads the log only if it has changed
 * since this device last read it.
 */
export async function readNews(
  program: ProgramHost,
  { link, stateFolder }: Pick<LinkedSession, 'link' | 'stateFolder'>,
): Promise<WorkspaceNews> {
  const { node, version } = program;
  const { workspaceId } = link;
  const places = await placesOf(program, { vault: link.vault, state: stateFolder });
  const cache = new SummaryCache(node, places.deviceFolder, workspaceId);
  const dataFolder = await openPluginSettings(node, places.vault).dataFolder();
  // Taken before the log is read, so that what is written meanwhile is read next time.
  const fingerprint = await logFingerprint(node, node.path.join(places.vault, dataFolder), version);
  const cached = fingerprint === undefined ? undefined : await cache.read(fingerprint);
  if (cached) return cached;
  const { log } = await openVaultLog(program, {
    vault: link.vault,
    state: stateFolder,
    isReadOnly: true,
    create: undefined,
    report: createReport(program),
  });
  const news = await readLog(log, workspaceId).finally(() => log.close());
  // the disk may be full
  if (fingerprint !== undefined) await cache.write(fingerprint, news).catch(() => undefined);
  return news;
}

async function readLog(log: Log, workspaceId: string): Promise<WorkspaceNews> {
  const summary = summarizeWorkspace(await log.memory(), workspaceId);
  const traces = await log.recentTraces(workspaceId, MAX_TRACES);
  return { summary, checkpoints: traces.filter(({ checkpoint }) => checkpoint) };
}
