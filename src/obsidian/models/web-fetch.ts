/** The page's own fetch: it streams, and CORS applies. */
export const webFetch: typeof fetch = (input, init) => window.fetch(input, init);
