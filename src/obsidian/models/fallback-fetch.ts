import { requestUrl } from 'obsidian';

/** Ways to reach a server. */
export interface Transports {
  /** The page's own fetch, which is tried first: it streams, but CORS applies. */
  readonly web: typeof fetch;
  /** Fetch over Node's modules, on desktop only: it streams, and CORS does not apply. */
  readonly node: typeof fetch | undefined;
}

/** Creates a `fetch` that tries the page's (needs CORS), Node's on desktop, then `requestUrl`. */
export function createFallbackFetch({ web, node }: Transports): typeof fetch {
  /** Origins that the page's fetch cannot reach. It is not tried on them again. */
  const blocked = new Set<string>();
  /** Origins that allow the page. A failed request may have arrived and is not sent another way. */
  const allowed = new Set<string>();

  return async (input, init) => {
    const url = urlOf(input);
    const { origin } = new URL(url);
    if (!blocked.has(origin)) {
      try {
        const response = await web(input, init);
        allowed.add(origin);
        return response;
      } catch (error) {
        init?.signal?.throwIfAborted();
        if (!(error instanceof TypeError) || allowed.has(origin) || (!node && !navigator.onLine))
          throw error;
      }
    }
    const response = await (node ? node(url, init) : fetchThroughApp(url, init));
    blocked.add(origin);
    return response;
  };
}

async function fetchThroughApp(url: string, init: RequestInit | undefined): Promise<Response> {
  const { method, headers, body } = requestParts(init);
  const {
    arrayBuffer,
    status,
    headers: received,
  } = await requestUrl({
    url,
    method,
    headers,
    throw: false,
    ...(body !== undefined && { body }),
  }).catch((error: unknown) => {
    // as fetch reports a network error
    throw new TypeError(error instanceof Error ? error.message : String(error));
  });
  init?.signal?.throwIfAborted();
  return new Response(arrayBuffer, { status, headers: received });
}

function urlOf(input: RequestInfo | URL): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}

function requestParts(init: RequestInit = {}): {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
} {
  const { method = 'GET', body } = init;
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new Error('Only text bodies are supported');
  return {
    method,
    headers: Object.fromEntries(new Headers(init.headers)),
    body: body ?? undefined,
  };
}
