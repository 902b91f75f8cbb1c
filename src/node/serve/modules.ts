import type { NodeModules } from '../modules.js';

/** Node's modules for servers and their clients. */
export interface ServeModules extends NodeModules {
  readonly net: typeof import('node:net');
  readonly http: typeof import('node:http');
}
