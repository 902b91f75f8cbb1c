import type { Medium, MediumStat, Times } from './medium';

/**
 * The storage of one run of the app, which can be killed at any time, also during a write. From
 * then on no call settles, because nobody is left to be told.
 *
 * A killed append leaves the old file, the old file with a part of what was appended, or the whole.
 * A killed rewrite leaves the old file, the beginning of the new content, even without what was in
 * the file before, or the whole. The native code of phones is not known; Capacitor's `writeFile`
 * truncates the file before it writes.
 */
export class KillableMedium implements Medium {
  readonly #medium: Medium;
  readonly #died: () => void;
  /** Resolves when the app is killed. */
  readonly died: Promise<void>;
  #isDead = false;
  #share: number | undefined;

  constructor(medium: Medium) {
    let died = (): void => undefined;
    this.died = new Promise((resolve) => (died = resolve));
    this.#died = died;
    this.#medium = medium;
  }

  get basePath(): string {
    return this.#medium.basePath;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  kill(): void {
    this.#isDead = true;
    this.#died();
  }

  /**
   * Kills the app during its next write, after this share of the bytes: with 0 the file stays as it
   * was, with 1 the write is complete, but is never acknowledged.
   */
  killInWrite(share: number): void {
    this.#share = share;
  }

  stat(path: string): Promise<MediumStat | null> {
    return this.#run(() => this.#medium.stat(path));
  }

  list(path: string): Promise<string[]> {
    return this.#run(() => this.#medium.list(path));
  }

  hasExactCase(path: string): Promise<boolean> {
    return this.#run(() => this.#medium.hasExactCase(path));
  }

  read(path: string): Promise<Uint8Array> {
    return this.#run(() => this.#medium.read(path));
  }

  write(path: string, bytes: Uint8Array, times?: Times): Promise<void> {
    return this.#write(bytes, (part) => this.#medium.write(path, part, times));
  }

  append(path: string, bytes: Uint8Array, times?: Times): Promise<void> {
    return this.#write(bytes, (part) => this.#medium.append(path, part, times));
  }

  mkdir(path: string): Promise<void> {
    return this.#run(() => this.#medium.mkdir(path));
  }

  remove(path: string): Promise<void> {
    return this.#run(() => this.#medium.remove(path));
  }

  rmdir(path: string, isRecursive: boolean): Promise<void> {
    return this.#run(() => this.#medium.rmdir(path, isRecursive));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#run(() => this.#medium.rename(from, to));
  }

  watch(onChange: (path: string) => void): () => void {
    return this.#medium.watch(onChange);
  }

  async #write(bytes: Uint8Array, write: (part: Uint8Array) => Promise<void>): Promise<void> {
    const share = this.#share;
    if (share === undefined || this.#isDead) return this.#run(() => write(bytes));
    this.#share = undefined;
    if (share > 0) await write(bytes.subarray(0, Math.floor(share * bytes.length)));
    this.kill();
    return never();
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    const result = await task();
    return this.#isDead ? never() : result;
  }
}

function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
