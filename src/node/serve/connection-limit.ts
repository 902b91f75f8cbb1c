import type { ServeModules } from './modules.js';

type Socket = InstanceType<ServeModules['net']['Socket']>;

interface Connection {
  /** The client whose token the connection has sent; undefined before. */
  client: string | undefined;
  requests: number;
}

export type ConnectionLimit = ReturnType<typeof createConnectionLimit>;

/**
 * Limits the connections of a server in total and per client, which its token identifies. If full,
 * a new connection replaces the oldest one without a valid token, otherwise the oldest one without
 * a request in progress. So connections that send nothing lock nobody out.
 */
export function createConnectionLimit({ total, perClient }: Record<'total' | 'perClient', number>) {
  /** Oldest first. */
  const open = new Map<Socket, Connection>();

  /** Closes one without a token, else the oldest idle one. Returns false if none is idle. */
  const replaceOne = (connections: readonly (readonly [Socket, Connection])[]): boolean => {
    const idle = connections.filter(([, { requests }]) => requests === 0);
    const [socket] = idle.find(([, { client }]) => client === undefined) ?? idle[0] ?? [];
    if (socket) open.delete(socket);
    socket?.destroy();
    return socket !== undefined;
  };

  return {
    /** Counts a connection until it is closed. Closes it if all others have open requests. */
    add(socket: Socket): void {
      if (open.size >= total && !replaceOne([...open])) {
        socket.destroy();
        return;
      }
      open.set(socket, { client: undefined, requests: 0 });
      socket.once('close', () => open.delete(socket));
    },
    /** Returns a function to be called when the request has ended. */
    requestStarted(socket: Socket): () => void {
      const connection = open.get(socket);
      if (!connection) return () => undefined;
      connection.requests++;
      return () => {
        connection.requests--;
      };
    },
    /** If the client has too many, closes its oldest idle one; returns false if none is idle. */
    assign(socket: Socket, client: string): boolean {
      const connection = open.get(socket);
      if (!connection || connection.client === client) return true;
      const others = [...open].filter(([, other]) => other.client === client);
      if (others.length >= perClient && !replaceOne(others)) return false;
      connection.client = client;
      return true;
    },
    closeAll(): void {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
