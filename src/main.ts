import { getLanguage, Platform, Plugin } from 'obsidian';
import { withClientAccess } from './toolkit/client-policy.js';
import { Approvals } from './obsidian/clients/approvals/approvals.js';
import { createClientNotices } from './obsidian/clients/client-notices.js';
import type { ClientActivity } from './obsidian/clients/clients.js';
import { showClients, showStatus } from './obsidian/clients/status-bar.js';
import { addApprovals } from './obsidian/clients/approvals/approval-ui.js';
import { ChatAgentList } from './obsidian/chat-agents/chat-agent-list.js';
import { addCommands } from './obsidian/commands/index.js';
import {
  createWindowClock,
  createWindowRandom,
  yieldToHost,
} from './obsidian/host/browser-ports.js';
import { readDevice } from './obsidian/host/device.js';
import { showCapture } from './obsidian/checkpoints/capture-status.js';
import { report } from './obsidian/host/logger.js';
import { chooseLanguage } from './obsidian/i18n/index.js';
import { addLinks } from './obsidian/links/index.js';
import { NoteMirror } from './obsidian/memory/mirror/note-mirror.js';
import { ModelRegistry } from './obsidian/models/model-registry.js';
import { createRemoteEmbedderConfig } from './obsidian/models/remote-embedder.js';
import { readSettings } from './obsidian/settings-schema.js';
import { SavepointSettingTab } from './obsidian/settings/settings-tab.js';
import { createStore } from './obsidian/store.js';
import { addViews, openDue } from './obsidian/views.js';
import { createDeviceNameSetting } from './plugin/device-name.js';
import { createModelFetch } from './plugin/model-fetch.js';
import { createToolCosts } from './plugin/tool-costs.js';
import { SessionManager } from './plugin/session-manager.js';

/** The plugin. `onload` only registers; the vault is read once the layout is ready. */
export default class SavepointPlugin extends Plugin {
  readonly #clock = createWindowClock();
  readonly #pluginSettings = createStore(readSettings(undefined));
  readonly #activity = createStore<readonly ClientActivity[]>([]);
  readonly #approvals = new Approvals(this.#clock, this.#pluginSettings);
  readonly #notices = createClientNotices(
    this.#clock,
    () => this.#pluginSettings.get().clientNotices,
  );
  readonly #fetchLike = createModelFetch();
  readonly chatAgents = new ChatAgentList(this.app);
  readonly #models = new ModelRegistry({
    settings: this.#pluginSettings,
    secrets: this.app.secretStorage,
    now: () => this.#clock.now(),
    fetchLike: this.#fetchLike,
    chatAgents: this.chatAgents,
  });
  readonly sessions = new SessionManager({
    app: this.app,
    manifest: this.manifest,
    clock: this.#clock,
    settings: this.#pluginSettings,
    models: this.#models,
    approvals: this.#approvals,
    notices: this.#notices,
    chatAgents: this.chatAgents,
    activity: this.#activity,
    loadSettings: async () => readSettings(await this.loadData()),
    saveSettings: ({ unclear: _, ...settings }) => this.saveData(settings),
  });
  readonly #mirror = new NoteMirror({
    app: this.app,
    savepoint: this.sessions.savepoint,
    clock: this.#clock,
    yieldToHost,
    report,
  });
  readonly #embedder = createRemoteEmbedderConfig({
    app: this.app,
    savepoint: this.sessions.savepoint,
    report,
    clock: this.#clock,
    fetchLike: this.#fetchLike,
  });

  override onload(): void {
    chooseLanguage(getLanguage());
    const { app, sessions } = this;
    const { savepoint, chat, connections, http, restApi } = sessions;
    const rebuildCache = () => sessions.rebuildCache();
    addViews(this, savepoint, chat, connections);
    addCommands(this, { savepoint, chat, connections, rebuildCache });
    const settingTab = new SavepointSettingTab(this, {
      app,
      savepoint,
      settings: this.#pluginSettings,
      mirror: this.#mirror,
      models: this.#models,
      chatAgents: this.chatAgents,
      chat,
      ownModel: this.#embedder,
      connections,
      toolTokens: createToolCosts(savepoint),
      activity: this.#activity,
      http,
      restApi,
      deviceName: () => readDevice(app, createWindowRandom()).name,
      customDeviceName: createDeviceNameSetting(app),
      pluginFolder: this.manifest.dir ?? '',
      change: (settings, whileClosed) => sessions.changeSettings(settings, whileClosed),
      rebuildCache,
    });
    this.addSettingTab(settingTab);
    this.register(settingTab.start());
    this.register(this.#mirror.start());
    this.register(this.#embedder.start());
    const allowAlways = (client: string) =>
      sessions.changeSettings(withClientAccess(this.#pluginSettings.get(), client, 'write'));
    addApprovals(this, { approvals: this.#approvals, clock: this.#clock, allowAlways });
    this.register(showClients(this.addStatusBarItem(), this.#activity, this.#clock));
    this.register(
      showStatus(this.addStatusBarItem(), savepoint, (due) =>
        openDue(app, due, savepoint.get()?.workspaceId.get()),
      ),
    );
    this.register(showCapture(this.addStatusBarItem(), chat, this.#clock));
    addLinks(this, { savepoint, chat });
    this.register(() => this.#notices.close());
    this.registerEvent(
      app.workspace.on('obsidian-local-rest-api:loaded', () => sessions.onRestApiLoaded()),
    );
    this.registerEvent(app.workspace.on('quit', (tasks) => tasks.add(() => sessions.close())));
    // a phone may end the app from now on without a word
    this.registerDomEvent(document, 'visibilitychange', () => {
      if (Platform.isMobile && document.hidden) savepoint.get()?.releaseWriters().catch(report);
    });
    app.workspace.onLayoutReady(() => void sessions.open().catch(report));
  }

  override onunload(): void {
    this.#approvals.close();
    this.sessions.unload().catch(report);
  }

  override onExternalSettingsChange(): void {
    const { sessions, app } = this;
    app.workspace.onLayoutReady(() => void sessions.open().catch(report));
  }
}
