import type { McpServer } from '@modelcontextprotocol/server';

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

/** The folders that a client works in, as URIs. */
export class ClientRoots {
  readonly #after: (ms: number, task: () => void) => () => void;
  #roots: Promise<Roots> = Promise.resolve([]);

  /** @param after Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  constructor(after: (ms: number, task: () => void) => () => void) {
    this.#after = after;
  }

  /** Asks the client for its roots once it is initialized, and after each change. */
  follow(server: Server): void {
    server.oninitialized = () => this.#ask(server);
    server.setNotificationHandler('notifications/roots/list_changed', () => this.#ask(server));
  }

  /** Empty if the client has none, or does not answer in time. */
  get(): Promise<Roots> {
    return this.#roots;
  }

  #ask(server: Server): void {
    const initialized: InitializedServer = server;
    if (!initialized.getClientCapabilities()?.roots) return;
    const answer = server
      .request({ method: 'roots/list' }, { timeout: ROOTS_TIMEOUT_MS })
      .then(({ roots }) => roots.map(({ uri }) => uri))
      .catch((): Roots => []); // a client need not keep its promise to have roots
    const inTime = new Promise<Roots>((resolve) => {
      const stopWaiting = this.#after(ROOTS_WAIT_MS, () => resolve([]));
      void answer.then((roots) => {
        stopWaiting();
        if (this.#roots === inTime) this.#roots = answer;
        resolve(roots);
      });
    });
    this.#roots = inTime;
  }
}
