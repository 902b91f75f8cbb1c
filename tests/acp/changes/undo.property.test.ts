import { expect, it } from 'vitest';
import { ChangeTracker } from '../../../src/acp/changes/change-tracker.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { perTier, SEED } from '../../tier.js';
import { createFiles, createStore } from './memory-ports.js';

const RUNS = perTier(100, 1000, 1000);
const OPERATIONS = 40;

it(`undo removes every agent change and no user text in ${RUNS} interleavings`, async () => {
  for (let run = 0; run < RUNS; run++) await new Interleaving(SEED + run).run();
});

/**
 * A vault in which an agent and a user write in turn. Each line contains words that name their
 * writer: `p1`, `u2`, `a3`.
 */
class Interleaving {
  readonly #seed: number;
  #state: number;
  #words = 0;
  #now = 0;
  readonly #files = new Map<string, string>();
  /** The id of each file, which a rename keeps. */
  readonly #ids = new Map<string, number>();
  /** Words of the user that must be there in the end, with the id of their file. */
  readonly #expected = new Map<string, number>();
  readonly #tracker: ChangeTracker;
  readonly #log: string[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.#state = seed >>> 0 || 1;
    const clock = { now: () => this.#now };
    const files = createFiles(this.#files);
    this.#tracker = new ChangeTracker(files, createStore(), clock, NOOP_SCHEDULER, () => undefined);
  }

  async run(): Promise<void> {
    for (let at = 0; at < 4; at++) this.#create(`${at}.md`, 'p');
    for (let turn = 0; turn < 3; turn++) {
      await this.#tracker.begin('talk', `t${turn}`);
      for (let at = 0; at < OPERATIONS; at++) await this.#step(true);
      await this.#tracker.end(`t${turn}`);
      for (let at = 0; at < 5; at++) await this.#step(false);
    }
    const before = this.#describe();
    const { lost } = await this.#tracker.undo('talk', this.#tracker.changes('talk'));
    const text = [...this.#files.values()].join('\n');
    const there = new Set(text.match(/[pua]\d+/gu));
    const missing = [...this.#expected.keys()].filter((word) => !there.has(word));
    // An agent's word may stay only in a line that the user has rewritten.
    const left = text.split('\n').filter((line) => /a\d/u.test(line) && !/u\d/u.test(line));
    expect(
      { missing, left, lost },
      `seed ${this.#seed}\n${this.#log.join('\n')}\nbefore undo:\n${before}\nafter:\n${this.#describe()}`,
    ).toEqual({ missing: [], left: [], lost: [] });
  }

  async #step(isInTurn: boolean): Promise<void> {
    this.#now += 1000 * this.#random(20);
    const isAgent = isInTurn && this.#random(2) === 0;
    const path = [...this.#files.keys()][this.#random(this.#files.size)];
    if (path === undefined) return this.#userCreates();
    await (isAgent ? this.#agentStep(path) : this.#userStep(path));
  }

  async #agentStep(path: string): Promise<void> {
    const kind = this.#random(10);
    // written by the client itself, which looks before and after
    const isThroughFs = this.#random(3) === 0;
    if (isThroughFs) await this.#tracker.observe(path);
    const changed = new Set([path]);
    if (kind < 7) this.#write(path, 'a');
    else if (kind === 7) this.#remove(path);
    else if (kind === 8) changed.add(this.#move(path));
    else changed.add(this.#create(this.#newName(), 'a'));
    this.#log.push(`agent ${kind} ${[...changed].join(' ')}`);
    // The watcher reports a change now, or only the pass at the end of the turn finds it.
    if (isThroughFs || this.#random(3) > 0)
      for (const each of changed) await this.#tracker.observe(each);
  }

  async #userStep(path: string): Promise<void> {
    const kind = this.#random(10);
    if (kind < 7) {
      await this.#tracker.typed(path);
      this.#write(path, 'u');
      await this.#tracker.observe(path);
    } else if (kind < 9) {
      await this.#tracker.observe(path); // the app has read the file before it can be renamed in it
      const to = this.#move(path);
      await this.#tracker.renamed(path, to);
      this.#log.push(`user renames ${path} ${to}`);
      return;
    } else return this.#userCreates();
    this.#log.push(`user writes ${path}`);
  }

  async #userCreates(): Promise<void> {
    const path = this.#newName();
    await this.#tracker.typed(path);
    this.#create(path, 'u');
    await this.#tracker.observe(path);
    this.#log.push(`user creates ${path}`);
  }

  /** Adds, removes or rewrites a line. */
  #write(path: string, writer: 'u' | 'a'): void {
    const lines = (this.#files.get(path) ?? '').split('\n');
    const at = this.#random(lines.length);
    const kind = this.#random(4);
    if (kind === 2 && lines.length > 1) {
      const [line = ''] = lines.splice(at, 1);
      if (writer === 'u') this.#forget(line);
    } else {
      const word = this.#word(writer, path);
      if (kind < 3) lines.splice(at, 0, word);
      else if (writer === 'u') lines[at] = `${lines[at] ?? ''} ${word}`;
      else lines[at] = word;
    }
    this.#files.set(path, lines.join('\n'));
  }

  #create(path: string, writer: 'p' | 'u' | 'a'): string {
    this.#ids.set(path, ++this.#words);
    const lines = Array.from({ length: 1 + this.#random(5) }, () => this.#word(writer, path));
    this.#files.set(path, lines.join('\n'));
    return path;
  }

  #remove(path: string): void {
    this.#files.delete(path);
    this.#ids.delete(path);
  }

  #move(path: string): string {
    const to = this.#newName();
    this.#files.set(to, this.#files.get(path) ?? '');
    this.#ids.set(to, this.#ids.get(path) ?? 0);
    this.#remove(path);
    return to;
  }

  #word(writer: 'p' | 'u' | 'a', path: string): string {
    const word = `${writer}${++this.#words}`;
    if (writer !== 'a') this.#expected.set(word, this.#ids.get(path) ?? 0);
    return word;
  }

  #forget(line: string): void {
    for (const word of line.match(/[pu]\d+/gu) ?? []) this.#expected.delete(word);
  }

  #newName(): string {
    return `n${++this.#words}.md`;
  }

  #describe(): string {
    return [...this.#files]
      .map(([path, text]) => `${path}: ${text.replaceAll('\n', ' | ')}`)
      .join('\n');
  }

  /** Returns a number below `limit`. */
  #random(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}
