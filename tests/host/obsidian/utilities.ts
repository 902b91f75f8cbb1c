import type {
  Debouncer,
  RequestUrlParam,
  RequestUrlResponse,
  RequestUrlResponsePromise,
} from 'obsidian';

export function normalizePath(path: string): string {
  const clean = path
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\\/]+/g, '/')
    .replace(/^\/+|\/+$/g, '');
  return clean === '' ? '/' : clean.normalize();
}

/** With `resetTimer` each call restarts the delay; without it the first call sets it. */
export function debounce<T extends unknown[], V>(
  callback: (...args: T) => V,
  timeout = 0,
  resetTimer = false,
): Debouncer<T, V> {
  let timer: number | null = null;
  let context: unknown;
  let latest: T;
  const fire = () => {
    timer = null;
    return callback.call(context, ...latest);
  };
  const cancel = () => {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
  };
  function debounced(this: unknown, ...args: T) {
    [context, latest] = [this, args];
    if (resetTimer) cancel();
    timer ??= window.setTimeout(fire, timeout);
    return debounced;
  }
  const controls = {
    cancel: () => {
      cancel();
      return debounced;
    },
    run: () => {
      if (timer === null) return;
      cancel();
      return fire();
    },
  };
  return Object.assign(debounced, controls) as unknown as Debouncer<T, V>;
}

export function arrayBufferToBase64(buffer: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''));
}

export function base64ToArrayBuffer(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
}

export function arrayBufferToHex(data: ArrayBuffer): string {
  return Array.from(new Uint8Array(data), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function hexToArrayBuffer(hex: string): ArrayBuffer {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16)).buffer;
}

export function getBlobArrayBuffer(blob: Blob): Promise<ArrayBuffer> {
  return blob.arrayBuffer();
}

/** Uses `fetch`, so CORS applies, unlike in the app. Resolves with the complete response. */
async function send(request: RequestUrlParam | string): Promise<RequestUrlResponse> {
  const {
    url,
    method,
    contentType,
    body,
    headers,
    throw: throws = true,
  } = typeof request === 'string' ? { url: request } : request;
  const response = await fetch(url, {
    method: method ?? 'GET',
    headers: { ...(contentType && { 'Content-Type': contentType }), ...headers },
    ...(body !== undefined && { body }),
  });
  if (throws && response.status >= 400)
    throw Object.assign(new Error(`Request failed, status ${response.status}`), {
      status: response.status,
    });
  const arrayBuffer = await response.arrayBuffer();
  const text = new TextDecoder().decode(arrayBuffer);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    arrayBuffer,
    text,
    get json() {
      return JSON.parse(text) as unknown;
    },
  };
}

export function requestUrl(request: RequestUrlParam | string): RequestUrlResponsePromise {
  const sent = send(request);
  const part = <K extends keyof RequestUrlResponse>(key: K) => ({
    get: () => sent.then((response) => response[key]),
  });
  return Object.defineProperties(sent, {
    arrayBuffer: part('arrayBuffer'),
    json: part('json'),
    text: part('text'),
  }) as RequestUrlResponsePromise;
}

export function request(parameters: RequestUrlParam | string): Promise<string> {
  return requestUrl(parameters).text;
}

/** Tasks that the app waits for before it quits. */
export class Tasks {
  #promises: Promise<unknown>[] = [];

  add(callback: () => Promise<unknown>): void {
    this.addPromise(callback());
  }

  addPromise(promise: Promise<unknown>): void {
    this.#promises.push(promise);
  }

  isEmpty(): boolean {
    return this.#promises.length === 0;
  }

  promise(): Promise<unknown> {
    return Promise.all(this.#promises);
  }
}
