import type { ChatAgentService } from '../obsidian/chat-agents/chat-agent-service.js';
import { createStore } from '../obsidian/store.js';
import type { ChatAgentHost, ChatAgentHostOptions } from './chat-agent-host.js';

/** Returns the agents of a desktop. Their code is evaluated when the first one is used. */
export function createDesktopChatAgents(
  options: ChatAgentHostOptions,
): ChatAgentService & { close(): Promise<void> } {
  const revision = createStore(0);
  let opening: Promise<ChatAgentHost> | undefined;
  let host: ChatAgentHost | undefined;

  const load = async () => {
    const { ChatAgentHost: Host } = await import('./chat-agent-host.js');
    const loaded = new Host(options);
    loaded.revision.subscribe(() => revision.set(loaded.revision.get()));
    host = loaded;
    return loaded;
  };
  const open = () => (opening ??= load());

  return {
    revision,
    find: async () => (await open()).find(),
    verify: async (agent) => (await open()).verify(agent),
    async *run(request) {
      yield* (await open()).run(request);
    },
    running: (id) => host?.running(id),
    changeSetting: async (...setting) => host?.changeSetting(...setting),
    loadChanges: async (id) => (await open()).loadChanges(id),
    changes: (id) => host?.changes(id) ?? [],
    diff: async (change) => (await open()).diff(change),
    undo: async (...changes) => (await open()).undo(...changes),
    close: async () => (await opening)?.close(),
  };
}
