import type { VaultPath } from '../../model/paths.js';
import type { SeenWriter } from '../format/watermark.js';
import type { LogSegmentWriter } from './segment-writer.js';

/** Seals a segment. Returns false if no stored writer of this device could still append to it. */
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
