import packedMeaning from '../../../assets/meaning.txt';
import { encodeRecallSteps } from '../../brief/recall/recall-index.js';
import { recallSourceSteps } from '../../brief/recall/sources.js';
import type { Trace } from '../../model/trace.js';
import { createDeviceStoreFile } from '../../node/device-store-file.js';
import { createFolderBlobs } from '../../node/ports/folder-blobs.js';
import { runToEnd } from '../../platform/run-sliced.js';
import { createEmbedderSource } from '../../search/index.js';
import { trustOf } from '../../storage/index.js';
import type { ProgramHost } from '../program.js';
import type { OpenVaultLog } from '../vault-log.js';

const MAX_SESSIONS = 2000;

/**
 * Returns the text of an index of what the sessions of a workspace's projects can be told: of what
 * this device, or one that the user has confirmed, has written. `own` are this device's sessions.
 */
export async function composeRecall(
  { node }: ProgramHost,
  { log, places }: Pick<OpenVaultLog, 'log' | 'places'>,
  workspaceId: string,
  own: readonly Trace[],
): Promise<string> {
  const known = await createDeviceStoreFile(node, places).load();
  const isTrusted = (writer: string) => trustOf(known, writer) !== 'unknown';
  const newer = new Set(own.map(({ client, sessionId }) => `${client} ${sessionId}`));
  const kept = (await log.recentCheckpoints(MAX_SESSIONS, isTrusted)).filter(
    ({ client, sessionId }) => !newer.has(`${client} ${sessionId}`),
  );
  const traces = [...own, ...kept];
  const sources = runToEnd(recallSourceSteps(await log.memory(), workspaceId, traces, isTrusted));
  const embedder = createEmbedderSource(packedMeaning);
  await embedder.restore(createFolderBlobs(node, node.path.join(places.deviceFolder, 'search')));
  const { rarityOf } = runToEnd(embedder.openSteps());
  return runToEnd(encodeRecallSteps(sources, rarityOf));
}
