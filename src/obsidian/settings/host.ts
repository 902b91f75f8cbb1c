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

/** Key of the mirror switch, which belongs to the device and not to the settings. */
export const MIRROR = 'mirror';

/** Dependencies of the settings. */
export interface SettingsHost {
  readonly app: App;
  readonly savepoint: Store<Savepoint | undefined>;
  /** The current settings. */
  readonly chosen: Store<Settings>;
  readonly mirror: NoteMirror;
  readonly models: ModelRegistry;
  readonly ownModel: RemoteEmbedderConfig;
  /** Undefined if no other app can reach the vault: on mobile, or until the memory is open. */
  readonly connections: Store<Connections | undefined>;
  /** The clients that have called since the plugin started. */
  readonly activity: Store<readonly ClientActivity[]>;
  /** Undefined without a state folder: on mobile, or until the memory is open. */
  readonly http: Store<HttpAccess | undefined>;
  readonly restApi: Store<RestApiDoor | undefined>;
  /** Returns this device's name in the memory. */
  readonly deviceName: () => string;
  /** The plugin's folder, relative to the vault. */
  readonly pluginFolder: string;
  /**
   * Saves the settings and lets them take effect. `whileClosed` runs before, while nothing is open; where it fails, nothing is saved,
   * and what was open is opened again.
   */
  readonly change: (settings: Settings, whileClosed?: () => Promise<void>) => Promise<void>;
  /** Rebuilds this device's caches; returns the duration in milliseconds. */
  readonly rebuildCache: () => Promise<number>;
}
