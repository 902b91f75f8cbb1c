import { openToolkit } from '../../agents/open.js';
import type { Trace } from '../../model/trace.js';
import type { Approvals } from './approvals/approvals.js';
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { toolsetsOff } from '../settings-schema.js';
import type { WritableStore } from '../store.js';

/** A client that has called since the app started, by the name it gave itself. */
export interface ClientActivity {
  readonly name: string;
  readonly calls: number;
  readonly lastTool: string;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** The AI apps that use the memory through the plugin. */
export type Clients = ReturnType<typeof createClients>;

export interface ClientsOptions {
  readonly savepoint: Savepoint;
  /** Recent clients, most recent first. */
  readonly activity: WritableStore<readonly ClientActivity[]>;
  readonly approvals: Pick<Approvals, 'refuse'>;
  /** Called after each call. */
  readonly traced: (trace: Omit<Trace, 'createdAt'>) => void;
}

/** Maximum length of the list, because a client can give itself any number of names. */
const MAX_CLIENTS = 64;

/** The toolkit for clients is restricted by the settings and the user's approval. */
export function createClients({ savepoint, activity, approvals, traced }: ClientsOptions) {
  const toolkit = openToolkit({
    services: savepoint.services,
    memory: savepoint.readMemory,
    report,
    onTrace: traced,
    currentWorkspaceId: () => savepoint.workspaceId.get(),
    isReadOnly: false,
    refuse: (tool, client = '', call) => approvals.refuse(tool, client, call),
    excludedFolders: () => savepoint.settings.excludedFolders,
    disabledToolsets: () => toolsetsOff(savepoint.settings),
  });
  return {
    toolkit,
    /** Records a call. */
    note(name: string, lastTool: string): void {
      const others = activity.get().filter((other) => other.name !== name);
      const calls = (activity.get().find((other) => other.name === name)?.calls ?? 0) + 1;
      activity.set([
        { name, calls, lastTool, lastAt: savepoint.clock.now() },
        ...others.slice(0, MAX_CLIENTS - 1),
      ]);
    },
  };
}
