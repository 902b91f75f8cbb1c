import type { App } from 'obsidian';
import { Refusal } from '../../model/refusal.js';
import { faultText } from '../host/logger.js';
import { createStore, type Store } from '../store.js';

const KEY = 'savepoint-http';
export const MAX_PORT = 65_535;

/** HTTP settings of this device; they do not sync. */
export interface HttpChoice {
  readonly isOn: boolean;
  /** 0 uses any free port, the previous one if possible. */
  readonly port: number;
}

export type HttpState =
  | { readonly phase: 'off' | 'opening' }
  | { readonly phase: 'on'; readonly url: string }
  /** `error` is the reason why the server cannot be opened, for the user. */
  | { readonly phase: 'failed'; readonly error: string };

export interface HttpClient {
  readonly client: string;
  readonly token: string;
}

/** This device's tokens for this vault, stored outside it. Failures throw a `Refusal`. */
export interface HttpTokens {
  list(): Promise<HttpClient[]>;
  /** Creates or replaces a client's token. */
  renew(client: string): Promise<void>;
  remove(client: string): Promise<void>;
}

/** HTTP access for programs on this computer while the app is open. */
export interface HttpAccess extends HttpTokens {
  readonly choice: Store<HttpChoice>;
  readonly state: Store<HttpState>;
  choose(choice: HttpChoice): Promise<void>;
}

interface HttpListener {
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpAccessOptions {
  readonly app: App;
  /** Throws a `Refusal` if the port is in use. */
  readonly open: (port: number) => Promise<HttpListener>;
  readonly tokens: HttpTokens;
}

/** `start` opens the server if it is turned on; `close` closes it for good. */
export function createHttpAccess({
  app,
  open,
  tokens,
}: HttpAccessOptions): HttpAccess & { start(): Promise<void>; close(): Promise<void> } {
  const held = readHeld(app.loadLocalStorage(KEY));
  const choice = createStore<HttpChoice>({ isOn: held.isOn, port: held.port });
  const state = createStore<HttpState>({ phase: 'off' });
  let { lastPort } = held;
  let listener: HttpListener | undefined;
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();

  function keep(): void {
    app.saveLocalStorage(KEY, { ...choice.get(), lastPort });
  }

  async function openListener(): Promise<HttpListener> {
    const { port } = choice.get();
    if (port !== 0 || lastPort === 0) return open(port);
    return open(lastPort).catch((error: unknown) => {
      if (error instanceof Refusal) return open(0);
      throw error;
    });
  }

  async function apply(): Promise<void> {
    await listener?.close();
    listener = undefined;
    const isWanted = choice.get().isOn && !isClosed;
    state.set({ phase: isWanted ? 'opening' : 'off' });
    if (!isWanted) return;
    try {
      listener = await openListener();
      if (isClosed) return await listener.close();
      lastPort = Number(new URL(listener.url).port);
      keep();
      state.set({ phase: 'on', url: listener.url });
    } catch (error) {
      state.set({ phase: 'failed', error: faultText(error) });
    }
  }

  const start = () => (turn = turn.then(apply));
  return {
    choice,
    state,
    ...tokens,
    start,
    choose(access) {
      choice.set(access);
      keep();
      return start();
    },
    async close() {
      isClosed = true;
      const closing = listener?.close();
      await turn;
      await closing;
    },
  };
}

function readHeld(held: unknown): HttpChoice & { lastPort: number } {
  const { isOn, port, lastPort } = (
    typeof held === 'object' && held !== null ? held : {}
  ) as Record<string, unknown>;
  return {
    isOn: isOn === true,
    port: isPort(port) ? port : 0,
    lastPort: isPort(lastPort) ? lastPort : 0,
  };
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PORT;
}
