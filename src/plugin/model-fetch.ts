import { createNodeFetch } from '../node/ports/node-fetch.js';
import { loadNodeModules } from '../obsidian/host/desktop.js';
import { createFallbackFetch } from '../obsidian/models/fallback-fetch.js';

/** The page's fetch, subject to CORS. The app's `requestUrl` is not, but it cannot stream. */
const web: typeof fetch = (input, init) => window.fetch(input, init);

/** Returns a function that creates, once, a `fetch` for model servers with Node as fallback. */
export function createModelFetch(): () => Promise<typeof fetch> {
  let opened: Promise<typeof fetch> | undefined;
  return () => {
    opened ??= loadNodeModules().then((node) =>
      createFallbackFetch({ web, node: node && createNodeFetch(node) }),
    );
    return opened;
  };
}
