import { Window } from 'happy-dom';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { createNodeFetch } from '../../src/node/ports/node-fetch';
import { DeviceLocks } from '../fakes/locks.js';

/*
 * Makes a Node process look like an Electron renderer: copies happy-dom's window onto globalThis,
 * so that `window === globalThis`, and `document`, `HTMLElement` and the like are globals next to
 * Node's own.
 */

/**
 * Globals of Node that must come from the DOM here: their events are dispatched on DOM elements.
 */
const fromDom = new Set([
  'Event',
  'EventTarget',
  'CustomEvent',
  'MessageEvent',
  'CloseEvent',
  'navigator',
  'localStorage',
  'sessionStorage',
]);

function spread(dom: object): void {
  const names = new Set<string>();
  for (let level = dom; level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  for (const name of names) {
    if (name === 'constructor' || (name in globalThis && !fromDom.has(name))) continue;
    const isBindable = /^[a-z]/.test(name) && typeof Reflect.get(dom, name) === 'function';
    const bound = isBindable ? (Reflect.get(dom, name) as () => unknown).bind(dom) : undefined;
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => bound ?? (Reflect.get(dom, name) as unknown),
      set: (value: unknown) =>
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true }),
    });
  }
}

/** Persists `localStorage` in a file between two runs of the app. */
function keepStorage(storage: Storage, file: string): void {
  const saved = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
    : {};
  for (const [key, value] of Object.entries(saved)) storage.setItem(key, value);
  const keys = () => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  const save = () =>
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries(keys().map((key) => [key, storage.getItem(key)]))),
    );
  const kept = {
    getItem: (key: string) => storage.getItem(key),
    key: (index: number) => storage.key(index),
    get length() {
      return storage.length;
    },
    setItem(key: string, value: string) {
      storage.setItem(key, value);
      save();
    },
    removeItem(key: string) {
      storage.removeItem(key);
      save();
    },
    clear() {
      storage.clear();
      save();
    },
  };
  Object.defineProperty(globalThis, 'localStorage', { value: kept, configurable: true });
}

/** Electron's timers are the browser's: they return numbers. */
function useBrowserTimers(): void {
  const { setTimeout: start, setInterval: repeat } = globalThis;
  const timeout = (...args: Parameters<typeof setTimeout>) => Number(start(...args));
  const interval = (...args: Parameters<typeof setInterval>) => Number(repeat(...args));
  Object.assign(globalThis, { setTimeout: timeout, setInterval: interval });
}

const ORIGIN = 'app://obsidian.md';

/*
 * The browser's classes next to Node's own, which have the same names. Chromium's `Response` turns
 * what is not its own into text, its `fetch` accepts only its own signals, and `fetch` is subject
 * to CORS. Node's `http` does not recognize the browser's `URL` before Electron 28.
 */
function useBrowserClasses(require: NodeJS.Require | null): void {
  const node = { ReadableStream, Response, AbortController, URL, Blob, FormData };
  const send = createNodeFetch({ http, https }); // Node's own fetch needs Node's timers
  class BrowserStream extends (node.ReadableStream as new () => ReadableStream) {
    override pipeThrough<T>(...args: Parameters<ReadableStream['pipeThrough']>) {
      return ofBrowser(super.pipeThrough(...args)) as ReadableStream<T>;
    }
  }
  /** Turns a stream that Node has made for one of the browser's objects into one of the browser. */
  const ofBrowser = <T extends ReadableStream>(stream: T): T =>
    Object.setPrototypeOf(stream, BrowserStream.prototype) as T;
  class BrowserBlob extends node.Blob {
    override stream() {
      return ofBrowser(super.stream());
    }
  }
  class BrowserFormData extends node.FormData {}
  class BrowserUrl extends node.URL {}
  class BrowserController extends node.AbortController {
    readonly #signal = Object.assign(super.signal, { isOfBrowser: true });
    override get signal() {
      return this.#signal;
    }
  }
  const own = [BrowserStream, BrowserBlob, BrowserFormData];
  const foreign = [node.ReadableStream, node.Blob, node.FormData];
  const isForeign = (body: unknown) =>
    foreign.some((kind) => body instanceof kind) && !own.some((kind) => body instanceof kind);
  const BrowserResponse = new Proxy(node.Response, {
    construct: (target, [body, init]: [BodyInit?, ResponseInit?], self) =>
      Reflect.construct(
        target,
        [isForeign(body) ? Object.prototype.toString.call(body) : body, init],
        self,
      ) as Response,
  });
  Object.assign(globalThis, {
    ReadableStream: BrowserStream,
    Response: BrowserResponse,
    Blob: BrowserBlob,
    FormData: BrowserFormData,
    URL: BrowserUrl,
    AbortController: BrowserController,
    fetch: (input: string | URL | Request, init: RequestInit = {}) => {
      if (init.signal && !('isOfBrowser' in init.signal))
        throw new TypeError("Failed to convert value to 'AbortSignal'.");
      return fetchWithCors(send, input, init);
    },
  });
  for (const name of ['node:http', 'node:https']) {
    const module = require?.(name) as typeof import('node:http') | undefined;
    if (!module) continue;
    const { request } = module;
    module.request = ((target: unknown, ...rest: never[]) => {
      if (target instanceof node.URL)
        throw new TypeError(`The URL of the browser: ${String(target)}`);
      return Reflect.apply(request, module, [target, ...rest]) as unknown;
    }) as typeof request;
  }
}

/** Rejects like a browser unless the server allows the app's origin, which a preflight asks. */
async function fetchWithCors(
  send: typeof fetch,
  input: string | URL | Request,
  init: RequestInit,
): Promise<Response> {
  const isAllowed = ({ headers }: Response) =>
    ['*', ORIGIN].includes(headers.get('access-control-allow-origin') ?? '');
  const { method = 'GET' } = init;
  const headers = new Headers(init.headers);
  headers.set('origin', ORIGIN);
  const isSimple = method === 'GET' && [...headers.keys()].every((name) => name === 'origin');
  const preflight = isSimple
    ? undefined
    : await send(input, { method: 'OPTIONS', headers: { origin: ORIGIN } });
  if (preflight && !(preflight.ok && isAllowed(preflight))) throw new TypeError('Failed to fetch');
  const response = await send(input, { ...init, headers });
  if (!isAllowed(response)) throw new TypeError('Failed to fetch');
  return response;
}

/** Turns this process into a renderer. `storageFile` holds its localStorage. */
export function becomeRenderer({
  storageFile,
  require,
}: {
  storageFile: string;
  require: NodeJS.Require | null;
}): void {
  const dom = new Window({ url: 'app://obsidian.md/index.html', width: 1280, height: 800 });
  spread(dom);
  for (const name of ['window', 'self', 'top', 'parent', 'frames'])
    Object.defineProperty(globalThis, name, {
      value: globalThis,
      configurable: true,
      writable: true,
    });
  // happy-dom has no locks, which end with the window as they do with this process
  Object.defineProperty(dom.navigator, 'locks', { value: new DeviceLocks().open().locks });
  Object.defineProperty(dom.document, 'defaultView', { get: () => globalThis, configurable: true });
  Object.defineProperty(process, 'type', { value: 'renderer' });
  if (require) Object.defineProperty(globalThis, 'require', { value: require, configurable: true });
  keepStorage(dom.localStorage, storageFile);
  useBrowserTimers();
  useBrowserClasses(require);
}
