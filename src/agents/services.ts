import type { VaultPath } from '../model/paths.js';
import type { Clock } from '../platform/clock.js';
import type { DeviceAccess } from '../platform/device-access.js';
import type { Files } from '../platform/files.js';
import type { Random } from '../platform/random.js';
import type { Copies, Log } from '../storage/index.js';
import { toolDefiner } from '../toolkit/define-tool.js';
import type { SearchService } from '../indexing/search-service.js';

export interface Services {
  readonly log: Log;
  readonly files: Files;
  /** The vault folder that contains the log. */
  readonly dataFolder: VaultPath;
  readonly clock: Clock;
  readonly random: Random;
  readonly search: SearchService;
  /** This device's copies of the core lane, if it keeps any. */
  readonly copies?: Copies | undefined;
  readonly device: DeviceAccess;
}

export const { defineTool, defineRelay } = toolDefiner<Services>();
