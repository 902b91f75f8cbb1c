import { BriefCache, logStamps, type StoredBrief } from '../../node/capture/brief-cache.js';
import { DeviceSessions } from '../../node/capture/device-sessions.js';
import { openPluginSettings } from '../../node/ports/plugin-settings.js';
import { vaultStateFolder } from '../../node/ports/state-folder.js';
import type { ProgramHost } from '../program.js';
import type { LinkedProject } from './linked-session.js';

/**
 * Returns the brief with which a session in the project starts now: that of the tool `brief`. Reads
 * the log only if something has changed since this device last did.
 */
export async function readSessionBrief(
  program: ProgramHost,
  linked: LinkedProject,
): Promise<StoredBrief> {
  const { node, version } = program;
  const { link, stateFolder, project } = linked;
  const { vault, workspaceId } = link;
  const dataFolder = await openPluginSettings(node, vault).dataFolder();
  const sessions = new DeviceSessions(node, stateFolder, vault);
  const key = [workspaceId, project.key, project.folder ?? ''];
  const cache = new BriefCache(node, vaultStateFolder(node, stateFolder, vault), key);
  // Taken before anything is read, so that what changes meanwhile is read next time.
  const log = await logStamps(node, node.path.join(vault, dataFolder));
  const stamp = [version, ...log, ...(await sessions.stamps(workspaceId))].join('\n');
  const stored = await cache.read(stamp, Date.now());
  if (stored) return stored;
  const { composeBrief } = await import('./compose-brief.js');
  const { brief, sources } = await composeBrief(program, linked, sessions);
  // the disk may be full
  if (log.length > 0) await cache.write(stamp, brief, sources).catch(() => undefined);
  return brief;
}
