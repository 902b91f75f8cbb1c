import type { McpServer } from '@modelcontextprotocol/server';

/** A client that does not answer within this time is treated as having no roots. */
const ROOTS_TIMEOUT_MS = 2000;

type Server = McpServer['server'];

/** The server of a client that has sent `initialize`. The SDK deprecates this method only for clients that never send it. */
interface InitializedServer {
  getClientCapabilities(): { readonly roots?: object | undefined } | undefined;
}

/** The roots of a client: the folders that it works in, as URIs. */
export class ClientRoots {
  #roots: Promise<readonly string[]> = Promise.resolve([]);

  /** Asks the client for its roots once it is initialized, and again when it says that they have changed. */
  follow(server: Server): void {
    server.oninitialized = () => this.#ask(server);
    server.setNotificationHandler('notifications/roots/list_changed', () => this.#ask(server));
  }

  /** Returns the roots, once the client has answered. Empty if it has none. */
  get(): Promise<readonly string[]> {
    return this.#roots;
  }

  #ask(server: Server): void {
    const initialized: InitializedServer = server;
    if (!initialized.getClientCapabilities()?.roots) return;
    this.#roots = server
      .request({ method: 'roots/list' }, { timeout: ROOTS_TIMEOUT_MS })
      .then(({ roots }) => roots.map(({ uri }) => uri))
      .catch(() => []); // a client need not keep its promise to have roots
  }
}
