/** The web page's own way to a server: it streams, and keeps to the rules that servers make for web pages. */
export const webFetch: typeof fetch = (input, init) => window.fetch(input, init);
