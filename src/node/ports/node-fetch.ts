import type { NodeModules } from '../modules.js';

/**
 * A `fetch` over Node's own modules: it streams, and no rules of web pages bind it. For addresses that a person has set, with
 * bodies of text only; it follows no redirection, for a key must not follow one.
 */
export function createNodeFetch({
  http,
  https,
  stream,
}: Pick<NodeModules, 'http' | 'https' | 'stream'>): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
      const { method = 'GET', body, signal } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      const request = (url.protocol === 'https:' ? https : http).request(
        url,
        { method, headers, ...(signal && { signal }) },
        (answer) => {
          const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [
            name,
            [value ?? ''].flat().join(', '),
          ]);
          const status = answer.statusCode ?? 500;
          const isBare = status === 204 || status === 304;
          const bytes = stream.Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>;
          resolve(new Response(isBare ? null : bytes, { status, headers: pairs }));
        },
      );
      // As fetch tells of a network that is not there, or of having been stopped.
      request.once('error', (error) =>
        reject(
          signal?.aborted
            ? new DOMException('The request was stopped.', 'AbortError')
            : new TypeError(error.message, { cause: error }),
        ),
      );
      request.end(typeof body === 'string' ? body : undefined);
    });
}
