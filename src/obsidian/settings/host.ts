import type { App } from 'obsidian';
import type { ChatAgentList } from '../chat-agents/chat-agent-list.js';
import type { ChatService } from '../chat/chat-service.js';
import type { ClientActivity } from '../clients/clients.js';
import type { Connections, ConnectionWishes } from '../clients/connections.js';
import type { HttpAccess } from '../clients/http-access.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { NoteMirror } from '../memory/mirror/note-mirror.js';
import type { RemoteEmbedderConfig } from '../models/remote-embedder.js';
import type { RestApiTools } from '../clients/rest-api-server.js';
import type { Savepoint } from '../savepoint.js';
import type { Settings } from '../settings-schema.js';
import type { Store } from '../store.js';

export interface SettingsHost {
  readonly app: App;
  readonly savepoint: Store<Savepoint | undefined>;
  readonly settings: Store<Settings>;
  readonly mirror: NoteMirror;
  readonly models: ModelRegistry;
  readonly chatAgents: ChatAgentList;
  readonly chat: Store<ChatService | undefined>;
  readonly ownModel: RemoteEmbedderConfig;
  /** Undefined until the memory is open, and on mobile, where no other app can reach the vault. */
  readonly connections: Store<Connections | undefined>;
  /** Estimates the tokens of an app's tools; undefined while no memory is open. */
  readonly toolTokens: (
    wishes: Pick<ConnectionWishes, 'surface' | 'toolsets'>,
  ) => number | undefined;
  /** The clients that have called since the plugin started. */
  readonly activity: Store<readonly ClientActivity[]>;
  /** Undefined until the memory is open, and on mobile, which has no state folder. */
  readonly http: Store<HttpAccess | undefined>;
  readonly restApi: Store<RestApiTools | undefined>;
  readonly deviceName: () => string;
  readonly customDeviceName: {
    /** Returns an empty text if there is none. */
    get(): string;
    /** Undefined removes the name. */
    set(name: string | undefined): Promise<void>;
  };
  /** The plugin's folder, relative to the vault. */
  readonly pluginFolder: string;
  /**
   * Saves and applies settings. `whileClosed` runs first, while the memory is closed; if it fails,
   * nothing is saved. The memory is then opened in either case.
   */
  readonly change: (settings: Settings, whileClosed?: () => Promise<void>) => Promise<void>;
  /** Rebuilds this device's caches; returns the duration in milliseconds. */
  readonly rebuildCache: () => Promise<number>;
}
