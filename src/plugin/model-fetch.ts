import { createNodeFetch } from '../node/ports/node-fetch.js';
import { loadNodeModules } from '../obsidian/host/desktop.js';
import { createFallbackFetch } from '../obsidian/models/fallback-fetch.js';
import { webFetch } from '../obsidian/models/web-fetch.js';

/** Returns a function that creates, once, a `fetch` for model servers with Node as fallback. */
export function createModelFetch(): () => Promise<typeof fetch> {
  let opened: Promise<typeof fetch> | undefined;
  return () => {
    opened ??= loadNodeModules().then((node) =>
      createFallbackFetch({ web: webFetch, node: node && createNodeFetch(node) }),
    );
    return opened;
  };
}
