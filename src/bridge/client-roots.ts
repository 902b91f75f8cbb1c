import type { McpServer } from '@modelcontextprotocol/server';
import type { Clock } from '../platform/clock.js';

/** A call waits no longer than this for the roots. */
const ROOTS_WAIT_MS = 2000;
/** A busy client may answer late; the calls after that use its answer. */
const ROOTS_TIMEOUT_MS = 60_000;

type Server = McpServer['server'];
type Roots = readonly string[];

/** The SDK deprecates this method only for clients that never send `initialize`. */
interface InitializedServer {
  getClientCapabilities(): { readonly roots?: object | undefined } | undefined;
}

export type ClientRoots = ReturnType<typeof createClientRoots>;

/** Returns the folders that a client works in, as URIs. */
export function createClientRoots(after: Clock['after']) {
  let known: Promise<Roots> = Promise.resolve([]);

  const ask = (server: Server): void => {
    const initialized: InitializedServer = server;
    if (!initialized.getClientCapabilities()?.roots) return;
    const answer = server
      .request({ method: 'roots/list' }, { timeout: ROOTS_TIMEOUT_MS })
      .then(({ roots }) => roots.map(({ uri }) => uri))
      .catch((): Roots => []); // a client need not keep its promise to have roots
    const inTime = new Promise<Roots>((resolve) => {
      const stopWaiting = after(ROOTS_WAIT_MS, () => resolve([]));
      void answer.then((roots) => {
        stopWaiting();
        if (known === inTime) known = answer;
        resolve(roots);
      });
    });
    known = inTime;
  };

  return {
    /** Asks the client for its roots once it is initialized, and after each change. */
    follow(server: Server): void {
      server.oninitialized = () => ask(server);
      server.setNotificationHandler('notifications/roots/list_changed', () => ask(server));
    },
    /** Empty if the client has none, or does not answer in time. */
    get: () => known,
  };
}
