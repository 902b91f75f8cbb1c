import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { LANES, type LaneName } from '../format/lanes.js';
import { segmentsBelow } from '../read/segment-list.js';

export interface LaneUsage {
  readonly lane: LaneName;
  readonly segments: number;
  readonly bytes: number;
}

/** Measures each lane without reading any segment. */
export async function readUsage(files: Files, root: VaultPath): Promise<LaneUsage[]> {
  const usage: LaneUsage[] = [];
  for (const lane of LANES) {
    let segments = 0;
    let bytes = 0;
    for await (const path of segmentsBelow(files, `${root}/${lane}`)) {
      segments++;
      bytes += (await files.stat(path))?.size ?? 0;
    }
    usage.push({ lane, segments, bytes });
  }
  return usage;
}
