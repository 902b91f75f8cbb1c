const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [123, 125, 91, 93];
const SPACE = 32;

/** A longer id is not reported. Longer property names are skipped. */
const MAX_TOKEN_BYTES = 1024;

/**
 * Finds the id of a JSON-RPC message that is too long to be parsed, in chunks, none of which it
 * stores. Most clients write the id after the parameters, so the whole message is scanned.
 */
export class RequestIdScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** True if the message is not just one object, and so not a single request. */
  #isOther = false;
  /** Top-level name or simple value being read; undefined if it is too long or not simple. */
  #token: number[] | undefined = [];
  #key: unknown;
  #id: unknown;
  #hasMethod = false;

  /** Null if the message is not a request, or if its id is neither a string nor a number. */
  get id(): string | number | null {
    const isId = typeof this.#id === 'string' || typeof this.#id === 'number';
    return this.#hasMethod && isId && !this.#isOther ? (this.#id as string | number) : null;
  }

  /** Id of the request that the message answers; null if it is no answer to one of ours. */
  get answeredId(): number | null {
    return !this.#hasMethod && !this.#isOther && typeof this.#id === 'number' ? this.#id : null;
  }

  push(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#isOther) return;
      if (this.#isInString) this.#readInString(byte);
      else this.#read(byte);
    }
  }

  #readInString(byte: number): void {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  #read(byte: number): void {
    if (byte <= SPACE) return;
    if (this.#depth === 0 && byte !== OPEN_BRACE) {
      this.#isOther = true;
      return;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth++;
      this.#token = this.#depth === 1 ? [] : undefined;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#depth === 1) this.#endValue();
      this.#depth--;
    } else if (this.#depth === 1 && byte === COLON) this.#key = this.#takeToken();
    else if (this.#depth === 1 && byte === COMMA) this.#endValue();
    else {
      this.#isInString = byte === QUOTE;
      this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#depth !== 1 || !this.#token) return;
    if (this.#token.length < MAX_TOKEN_BYTES) this.#token.push(byte);
    else this.#token = undefined;
  }

  #endValue(): void {
    const value = this.#takeToken();
    if (this.#key === 'id') this.#id = value;
    if (this.#key === 'method') this.#hasMethod = typeof value === 'string';
    this.#key = undefined;
  }

  #takeToken(): unknown {
    const bytes = this.#token;
    this.#token = [];
    try {
      return bytes && JSON.parse(new TextDecoder().decode(new Uint8Array(bytes)));
    } catch {
      return undefined; // not JSON, so it is not an id either
    }
  }
}
