import type { App } from 'obsidian';
import type { ClientActivity } from '../clients/clients.js';
import type { Connections } from '../clients/connections.js';
import type { HttpAccess } from '../clients/http-access.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { NoteMirror } from '../memory/note-mirror.js';
import type { RemoteEmbedderConfig } from '../models/remote-embedder.js';
import type { RestApiDoor } from '../clients/rest-api-server.js';
import type { Savepoint } from '../savepoint.js';
import type { Settings } from '../settings-schema.js';
import type { Store } from '../store.js';

/** The key of the switch that belongs to this device, and so is not among the settings. */
export const MIRROR = 'mirror';

/** What the settings work with. */
export interface SettingsHost {
  readonly app: App;
  readonly savepoint: Store<Savepoint | undefined>;
  /** The settings that hold now. */
  readonly chosen: Store<Settings>;
  readonly mirror: NoteMirror;
  readonly models: ModelRegistry;
  readonly ownModel: RemoteEmbedderConfig;
  /** Undefined where no other app can reach the vault: on a phone, or until the memory is open. */
  readonly connections: Store<Connections | undefined>;
  /** The programs that have called since the plugin was started. */
  readonly activity: Store<readonly ClientActivity[]>;
  /** Undefined where this device has no folder of its own: on a phone, or until the memory is open. */
  readonly http: Store<HttpAccess | undefined>;
  readonly restApi: Store<RestApiDoor | undefined>;
  /** What this device is called in the memory. */
  readonly deviceName: () => string;
  /** The folder that holds the plugin and its settings, below the vault. */
  readonly pluginFolder: string;
  /**
   * Saves the settings and lets them take effect. `whileClosed` runs before, while nothing is open; where it fails, nothing is saved,
   * and what was open is opened again.
   */
  readonly change: (settings: Settings, whileClosed?: () => Promise<void>) => Promise<void>;
  /** Forgets what this device has kept of its readings and reads everything anew; answers how many milliseconds that took. */
  readonly rebuildCache: () => Promise<number>;
}
