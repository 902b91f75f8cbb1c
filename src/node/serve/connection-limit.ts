import type { NodeModules } from '../modules.js';

type Socket = InstanceType<NodeModules['net']['Socket']>;

interface Connection {
  /** The client whose token the connection has sent; undefined before. */
  client: string | undefined;
  /** Number of requests in progress. */
  requests: number;
}

/**
 * Limits the connections of a server in total and per client. All of them come from this machine,
 * so a client is told apart by its token. If there is no room, a new connection replaces the oldest
 * one that has not sent a valid token yet, otherwise the oldest one that has no request in
 * progress. So connections that send nothing lock nobody out.
 */
export class ConnectionLimit {
  readonly #maxTotal: number;
  readonly #maxPerClient: number;
  /** Oldest first. */
  readonly #connections = new Map<Socket, Connection>();

  constructor({ total, perClient }: { readonly total: number; readonly perClient: number }) {
    this.#maxTotal = total;
    this.#maxPerClient = perClient;
  }

  /**
   * Counts a new connection until it is closed. Closes it if all others have requests in progress.
   */
  add(socket: Socket): void {
    if (this.#connections.size >= this.#maxTotal && !this.#replaceOne([...this.#connections])) {
      socket.destroy();
      return;
    }
    this.#connections.set(socket, { client: undefined, requests: 0 });
    socket.once('close', () => this.#connections.delete(socket));
  }

  /** Returns a function to be called when the request has ended. */
  requestStarted(socket: Socket): () => void {
    const connection = this.#connections.get(socket);
    if (!connection) return () => undefined;
    connection.requests++;
    return () => {
      connection.requests--;
    };
  }

  /**
   * Assigns the connection to a client. If the client already has too many, closes its oldest one
   * without a request in progress. Returns false, and assigns nothing, if there is none.
   */
  assign(socket: Socket, client: string): boolean {
    const connection = this.#connections.get(socket);
    if (!connection || connection.client === client) return true;
    const others = [...this.#connections].filter(([, other]) => other.client === client);
    if (others.length >= this.#maxPerClient && !this.#replaceOne(others)) return false;
    connection.client = client;
    return true;
  }

  /**
   * Closes the connection that can best be spared. Returns false if all of them have requests in
   * progress.
   */
  #replaceOne(connections: readonly (readonly [Socket, Connection])[]): boolean {
    const idle = connections.filter(([, { requests }]) => requests === 0);
    const [socket] = idle.find(([, { client }]) => client === undefined) ?? idle[0] ?? [];
    if (!socket) return false;
    this.#connections.delete(socket);
    socket.destroy();
    return true;
  }
}
