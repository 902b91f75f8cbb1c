/**
 * Returns a `fetch` over Node's modules, which streams and is not subject to CORS, for addresses
 * that the user has set. Supports only text bodies, and follows no redirects, so that a key is not
 * sent to another address.
 */
export function createNodeFetch({
  http,
  https,
}: {
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
}): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
      const { method = 'GET', body, signal } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      const request = (url.protocol === 'https:' ? https : http).request(
        url.href, // Node does not recognize the window's own class
        { method, headers, ...(signal && { signal }) },
        (response) => {
          const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
            name,
            [value ?? ''].flat().join(', '),
          ]);
          const status = response.statusCode ?? 500;
          const hasNoBody = status === 204 || status === 304;
          const body = hasNoBody ? null : streamBody(response);
          resolve(new Response(body, { status, headers: pairs }));
        },
      );
      // The errors that `fetch` throws for a failed network and for an aborted request.
      request.once('error', (error) =>
        reject(
          signal?.aborted
            ? new DOMException('The request was aborted.', 'AbortError')
            : new TypeError(error.message, { cause: error }),
        ),
      );
      request.end(typeof body === 'string' ? body : undefined);
    });
}

/** Uses the window's stream class, because its `Response` turns Node's own class into text. */
function streamBody(response: import('node:http').IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      response.on('data', (bytes: Uint8Array) => {
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) response.pause();
      });
      response.once('end', () => controller.close());
      response.once('error', (error) => controller.error(error));
    },
    pull() {
      response.resume();
    },
    cancel() {
      response.destroy();
    },
  });
}
