import { clientRefusal } from '../agents/client-policy.js';
import { openToolset } from '../agents/open.js';
import type { Services } from '../agents/services.js';
import type { Tool } from '../toolkit/define-tool.js';
import type { Toolset } from '../toolkit/toolset.js';
import { report } from './logger.js';
import type { Savepoint } from './savepoint.js';
import type { WritableStore } from './store.js';

/** A program that has called in this run of the app, by the name that it gave itself. */
export interface ClientActivity {
  readonly name: string;
  readonly calls: number;
  readonly lastTool: string;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** The programs outside the app that use the memory through it. */
export interface Clients {
  /** The toolset for a call of a client, which is taken note of; it lets the client do what the settings allow. */
  toolsetFor(client: string, tool: string): Toolset<Services>;
}

/** A client may give itself any name, and as many as it likes. */
const MOST_CLIENTS = 64;

/** Who calls is noted in `activity`, most recent first. */
export function createClients(savepoint: Savepoint, activity: WritableStore<readonly ClientActivity[]>): Clients {
  const toolsets = new Map<string, Toolset<Services>>();

  function note(name: string, lastTool: string): void {
    const others = activity.get().filter((other) => other.name !== name);
    const calls = (activity.get().find((other) => other.name === name)?.calls ?? 0) + 1;
    activity.set([{ name, calls, lastTool, lastAt: savepoint.clock.now() }, ...others.slice(0, MOST_CLIENTS - 1)]);
  }

  return {
    toolsetFor(client, tool) {
      note(client, tool);
      const held = toolsets.get(client);
      if (held) return held;
      const refuse = (tool: Tool<Services>) => Promise.resolve(clientRefusal(savepoint.settings, client, tool));
      const opened = openToolset({
        ...{ services: savepoint.services, memory: savepoint.readMemory, refuse, report, isReadOnly: false },
        excludedFolders: () => savepoint.settings.excludedFolders,
      });
      if (toolsets.size >= MOST_CLIENTS) toolsets.clear();
      toolsets.set(client, opened);
      return opened;
    },
  };
}
