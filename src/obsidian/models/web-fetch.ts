/** The page's fetch, subject to CORS. The app's `requestUrl` is not, but it cannot stream. */
export const webFetch: typeof fetch = (input, init) => window.fetch(input, init);
