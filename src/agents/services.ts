import type { VaultPath } from '../model/paths.js';
import type { Clock } from '../platform/clock.js';
import type { Files } from '../platform/files.js';
import type { Random } from '../platform/random.js';
import type { Log } from '../storage/log.js';
import { toolDefiner } from '../toolkit/define-tool.js';
import type { SearchService } from '../indexing/search-service.js';

/** The services that the tools use. */
export interface Services {
  readonly log: Log;
  readonly files: Files;
  /** The vault folder that contains the log. */
  readonly dataFolder: VaultPath;
  readonly clock: Clock;
  readonly random: Random;
  readonly search: SearchService;
}

export const { defineTool, defineRelay } = toolDefiner<Services>();
