import type {
  CliFlags,
  CliHandler,
  HoverLinkSource,
  ObsidianProtocolHandler,
  UserEvent,
} from 'obsidian';
import { Commands } from './commands';
import { FileManager } from './file-manager';
import { Keymap, Scope } from './keymap';
import type { Medium } from './medium';
import { MetadataCache } from './metadata';
import { Plugins } from './plugins';
import { Platform } from './platform';
import { SecretStorage } from './secret-storage';
import { SettingWindow } from './setting-window';
import { Vault } from './vault';
import { ViewRegistry } from './view-registry';
import { RenderContext } from './hover';
import { Workspace } from './workspace';

export interface CliCommand {
  readonly description: string;
  readonly flags: CliFlags | null;
  readonly handler: CliHandler;
}

export class App {
  readonly vault: Vault;
  readonly workspace: Workspace;
  readonly metadataCache: MetadataCache;
  readonly fileManager = new FileManager(this);
  readonly secretStorage: SecretStorage;
  readonly scope = new Scope();
  readonly keymap = new Keymap();
  readonly renderContext = new RenderContext();
  lastEvent: UserEvent | null = null;

  // Undocumented parts of the app, only for the host.
  readonly commands = new Commands(this);
  readonly plugins = new Plugins(this);
  readonly setting: SettingWindow;
  readonly viewRegistry = new ViewRegistry();
  readonly hoverLinkSources = new Map<string, HoverLinkSource>();
  readonly protocolHandlers = new Map<string, ObsidianProtocolHandler>();
  readonly cliCommands = new Map<string, CliCommand>();
  readonly #vaultId: string;

  constructor(medium: Medium, vaultName: string) {
    this.#vaultId = vaultName;
    this.vault = new Vault(medium, vaultName, Platform.isMobile);
    this.metadataCache = new MetadataCache(this.vault);
    this.secretStorage = new SecretStorage(vaultName);
    this.keymap.pushScope(this.scope);
    this.workspace = new Workspace(this);
    this.setting = new SettingWindow(this);
  }

  isDarkMode(): boolean {
    return document.body.hasClass('theme-dark');
  }

  loadLocalStorage(key: string): unknown {
    const text = window.localStorage.getItem(`${this.#vaultId}-${key}`);
    return text === null ? null : JSON.parse(text);
  }

  saveLocalStorage(key: string, data: unknown): void {
    const name = `${this.#vaultId}-${key}`;
    if (data === null || data === undefined) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, JSON.stringify(data));
  }
}
