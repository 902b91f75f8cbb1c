/**
 * The page's own fetch, to which CORS applies. The app's `requestUrl` is not subject to CORS, but
 * answers only when the whole response is there, so that a chat could not be streamed with it.
 */
export const webFetch: typeof fetch = (input, init) => window.fetch(input, init);
