import { Events } from './events';

/** Known from chhoumann/notetweet_obsidian#56. */
const MAX_ID_CHARS = 64;

/**
 * Kept per vault in `localStorage`, never in the vault itself. (The app encrypts it; this does
 * not.)
 */
export class SecretStorage extends Events {
  readonly #prefix: string;

  constructor(vaultId: string) {
    super();
    this.#prefix = `${vaultId}-secret-`;
  }

  setSecret(id: string, secret: string): void {
    if (!/^[a-z0-9]+(-+[a-z0-9]+)*$/.test(id) || id.length > MAX_ID_CHARS)
      throw new Error(`Invalid secret ID: ${id}`);
    window.localStorage.setItem(this.#prefix + id, secret);
  }

  getSecret(id: string): string | null {
    return window.localStorage.getItem(this.#prefix + id);
  }

  listSecrets(): string[] {
    const keys = Array.from(
      { length: window.localStorage.length },
      (_, index) => window.localStorage.key(index) ?? '',
    );
    return keys
      .filter((key) => key.startsWith(this.#prefix))
      .map((key) => key.slice(this.#prefix.length));
  }
}
