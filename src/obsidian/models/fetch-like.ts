import { requestUrl } from 'obsidian';

export interface Transports {
  /** Streams, and asks servers by the rules of web pages; the one that is tried first. */
  readonly web: typeof fetch;
  /** Streams, and is bound by no such rules: on a desktop. */
  readonly node: typeof fetch | undefined;
}

/**
 * The one way to a model's server, in the form of `fetch`: the web page's own where the server allows it, else Node's on a
 * desktop, else the app's, which brings the answer whole when it is there.
 */
export function createFetchLike({ web, node }: Transports): typeof fetch {
  /** Servers that do not allow web pages: they are not asked that way again. */
  const closed = new Set<string>();
  /** Servers that do: what fails there has broken off, and may have been heard, so it is not sent another way. */
  const open = new Set<string>();

  return async (input, init) => {
    const url = urlOf(input);
    const { origin } = new URL(url);
    if (!closed.has(origin)) {
      try {
        const answer = await web(input, init);
        open.add(origin);
        return answer;
      } catch (error) {
        init?.signal?.throwIfAborted();
        if (!(error instanceof TypeError) || open.has(origin) || (!node && !navigator.onLine))
          throw error;
      }
    }
    const answer = await (node ? node(url, init) : throughApp(url, init));
    closed.add(origin);
    return answer;
  };
}

async function throughApp(url: string, init: RequestInit | undefined): Promise<Response> {
  const { method, headers, body } = partsOf(init);
  const answer = await requestUrl({
    url,
    method,
    headers,
    throw: false,
    ...(body !== undefined && { body }),
  }).catch((error: unknown) => {
    throw new TypeError(error instanceof Error ? error.message : String(error)); // as fetch tells of a network that is not there
  });
  init?.signal?.throwIfAborted();
  return new Response(answer.arrayBuffer, { status: answer.status, headers: answer.headers });
}

function urlOf(input: RequestInfo | URL): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}

function partsOf(init: RequestInit = {}): {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
} {
  const { method = 'GET', body } = init;
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new Error('Only text is sent to models');
  return {
    method,
    headers: Object.fromEntries(new Headers(init.headers)),
    body: body ?? undefined,
  };
}
