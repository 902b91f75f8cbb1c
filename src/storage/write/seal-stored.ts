import type { VaultPath } from '../../model/paths.js';
import type { SeenWriter } from '../integrity/watermark.js';
import type { LogSegmentWriter } from './segment-writer.js';

/**
 * Seals the segment at `path` if a stored writer of this device could still append to it. Returns
 * false if there is none. `onAbandoned` receives stored writers that cannot be continued.
 */
export async function sealStored(
  path: VaultPath,
  createWriter: () => LogSegmentWriter,
  onAbandoned: (last: Omit<SeenWriter, 'lane'>) => void,
): Promise<boolean> {
  const acquired: LogSegmentWriter[] = [];
  let isFound = false;
  try {
    while (!isFound) {
      const writer = createWriter();
      const { abandoned, sealed } = await writer.prepare();
      if (abandoned) onAbandoned(abandoned);
      else if (writer.lastNumber === 0) break; // a new one, since no other is stored
      acquired.push(writer);
      isFound = sealed?.path === path || writer.openPath === path;
      if (writer.openPath === path) await writer.seal();
    }
  } finally {
    await Promise.all(acquired.map((writer) => writer.release()));
  }
  return isFound;
}
