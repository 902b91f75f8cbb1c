import type { Clock } from '../clock.js';

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly cancelTimeout: (() => void) | undefined;
}

/** Numbered requests on a connection that are waiting for an answer. */
export class PendingRequests<Answer> {
  readonly #after: Clock['after'];
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #lastId = 0;
  #failure: Error | undefined;

  constructor(after: Clock['after']) {
    this.#after = after;
  }

  /** Sends a request under a new number. Rejects after the timeout or once the connection fails. */
  start(
    send: (id: number) => void,
    timeout?: { readonly ms: number; readonly error: () => Error },
  ): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancelTimeout =
        timeout && this.#after(timeout.ms, () => this.reject(id, timeout.error()));
      this.#waiting.set(id, { resolve, reject, cancelTimeout });
      try {
        send(id);
      } catch (error) {
        this.#take(id);
        throw error;
      }
    });
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  /** Does nothing if no request with this number waits. */
  resolve(id: number, answer: Answer): void {
    this.#take(id)?.resolve(answer);
  }

  /** Does nothing if no request with this number waits. */
  reject(id: number, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /** Rejects all requests, and those to come, with the error of the first call. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const id of [...this.#waiting.keys()]) this.reject(id, this.#failure);
  }

  #take(id: number): Waiting<Answer> | undefined {
    const request = this.#waiting.get(id);
    this.#waiting.delete(id);
    request?.cancelTimeout?.();
    return request;
  }
}
