import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences, until, type KeptVersion, type SyncedPair } from './pair.js';
import {
  createPeer,
  FOLDER_ID,
  startSyncthing,
  writeConfig,
  type Peer,
  type Syncthing,
} from './syncthing.js';

const VERSIONS = '.stversions';

/** Two Syncthing instances that share one vault folder over loopback. */
export async function createSyncthingPair(): Promise<SyncedPair> {
  const [a, b] = [await createPeer('a'), await createPeer('b')];
  for (const own of [a, b]) writeConfig(own, [a, b]);
  const near = await startSyncthing(a);
  let far = await startSyncthing(b);
  let isStopped = false;
  let carriedBefore = 0;

  const isConnected = async () => {
    const { connections } = await near.get<{ connections: Record<string, { connected: boolean }> }>(
      'system/connections',
    );
    return connections[b.id]?.connected === true;
  };
  const waitForConnection = () =>
    until(isConnected, 60, () => 'the two instances are not connected');

  async function isComplete(): Promise<boolean> {
    await Promise.all([near, far].map((side) => side.post(`db/scan?folder=${FOLDER_ID}`)));
    const [toB, toA] = await Promise.all([
      near.get<{ completion: number }>(`db/completion?folder=${FOLDER_ID}&device=${b.id}`),
      far.get<{ completion: number }>(`db/completion?folder=${FOLDER_ID}&device=${a.id}`),
    ]);
    return toB.completion === 100 && toA.completion === 100;
  }

  /** Syncthing counts from the first request. */
  const lastItem = async (side: Syncthing) =>
    (await side.get<{ id: number }[]>('events?events=ItemFinished&limit=1&timeout=0')).at(-1)?.id ??
    0;
  const itemsAtBoth = async () => (await lastItem(near)) + (await lastItem(far));

  await waitForConnection();
  await itemsAtBoth();
  return {
    vaults: [a.vault, b.vault],
    exchangeDuring: async (work) => void (await work),
    async part(how) {
      isStopped = how === 'stopped';
      if (isStopped) carriedBefore += await lastItem(far);
      await (isStopped ? far.stop() : near.post(`system/pause?device=${b.id}`));
    },
    async rejoin() {
      if (isStopped) {
        far = await startSyncthing(b);
        await lastItem(far);
      } else await near.post(`system/resume?device=${b.id}`);
      await waitForConnection();
    },
    async settle() {
      // Completion alone is not enough: it is also 100 % before the other side announces its
      // changes.
      const isSettled = async () =>
        (await isComplete()) && differences([a.vault, b.vault]).length === 0;
      await until(
        isSettled,
        90,
        () => `these files differ: ${differences([a.vault, b.vault]).join(', ')}`,
      );
    },
    carried: async () => carriedBefore + (await itemsAtBoth()),
    keptVersions: () => Promise.resolve([a, b].flatMap(versionsAt)),
  };
}

/**
 * `.stversions` contains the files that Syncthing has replaced or deleted, as
 * `name~20261120-120000.jsonl`.
 */
function versionsAt({ vault }: Peer): KeptVersion[] {
  const folder = join(vault, VERSIONS);
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.map((entry) => {
    const inVersions = join(entry.parentPath, entry.name);
    return {
      path: inVersions.slice(folder.length + 1).replace(/~\d{8}-\d{6}(?=\.[^.]*$)/, ''),
      bytes: readFileSync(inVersions),
    };
  });
}
