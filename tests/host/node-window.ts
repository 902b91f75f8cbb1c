import { Window } from 'happy-dom';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

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
  Object.defineProperty(dom.document, 'defaultView', { get: () => globalThis, configurable: true });
  Object.defineProperty(process, 'type', { value: 'renderer' });
  if (require) Object.defineProperty(globalThis, 'require', { value: require, configurable: true });
  keepStorage(dom.localStorage, storageFile);
  useBrowserTimers();
}
