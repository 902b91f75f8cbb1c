import { isWithin } from '../../model/paths.js';
import type { Clock } from '../../platform/clock.js';
import { Mutex } from '../../platform/mutex.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { revertChange } from './revert-change.js';

/** Text files of the vault, as they are on disk. */
export interface TrackedFiles {
  /** Lists undoable files. A stamp changes whenever its file does; empty if none can tell. */
  list(folder: string): Promise<readonly { readonly path: string; readonly stamp: string }[]>;
  /** Returns undefined for a file that does not exist or is not tracked. */
  read(path: string): Promise<string | undefined>;
  /**
   * For a file that the app itself writes, returns a function that returns what the file would
   * contain with only the app's changes. undefined stands for no file.
   */
  ownWrites(
    path: string,
  ): ((before: string | undefined, after: string | undefined) => string | undefined) | undefined;
  /** Applies `change` atomically; undefined stands for no file. */
  edit(path: string, change: (current: string | undefined) => string | undefined): Promise<void>;
}

/** Texts by hash, stored outside the vault, and the changes of each conversation. */
export interface ChangeStore {
  put(text: string): Promise<string>;
  /** Returns undefined for a text that is no longer stored. */
  get(hash: string): Promise<string | undefined>;
  saveChanges(conversationId: string, changes: readonly ChatAgentChange[]): Promise<void>;
  loadChanges(conversationId: string): Promise<readonly ChatAgentChange[]>;
}

/** A change that an agent made to a file in one turn. Texts by hash, undefined for no file. */
export interface ChatAgentChange {
  readonly id: string;
  /** Id of the message that the turn answers. */
  readonly turnId: string;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isUndone: boolean;
}

export interface UndoResult {
  readonly undone: readonly ChatAgentChange[];
  /** Changes of which the user has rewritten lines; both versions are in the file now. */
  readonly conflicts: readonly ChatAgentChange[];
  /** Changes whose texts are no longer stored. */
  readonly lost: readonly ChatAgentChange[];
}

interface Version {
  readonly stamp: string;
  readonly hash: string;
}

interface RunningTurn {
  readonly conversationId: string;
  readonly turnId: string;
  readonly announced: Set<string>;
}

/** The app saves what was typed within this time. */
const TYPING_MS = 5000;
/** For a version that was read without its stamp. */
const NO_STAMP = '';

/**
 * Tells an agent's changes from the user's, and undoes them. Compares files with copies from before
 * the turn, regardless of what the agent reports and how it writes. A change is the agent's if it
 * appears during a turn in a file in which nobody types.
 */
export class ChangeTracker {
  readonly #files: TrackedFiles;
  readonly #store: ChangeStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #scheduler: Scheduler;
  readonly #onChange: () => void;
  readonly #mutex = new Mutex();
  readonly #known = new Map<string, Version>();
  readonly #typedAt = new Map<string, number>();
  readonly #changes = new Map<string, readonly ChatAgentChange[]>();
  #running: readonly RunningTurn[] = [];
  #count = 0;

  /** @param onChange Called when an agent's change was found or undone. */
  constructor(
    files: TrackedFiles,
    store: ChangeStore,
    clock: Pick<Clock, 'now'>,
    scheduler: Scheduler,
    onChange: () => void,
  ) {
    this.#files = files;
    this.#store = store;
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#onChange = onChange;
  }

  /** Returns the loaded changes of a conversation, oldest first. */
  changes(conversationId: string): readonly ChatAgentChange[] {
    return this.#changes.get(conversationId) ?? [];
  }

  /** Loads changes that were stored before the last start. */
  load(conversationId: string): Promise<void> {
    return this.#mutex.run(() => this.#load(conversationId));
  }

  /** Copies what has changed since the last copy. Changes from now on can be undone. */
  begin(conversationId: string, turnId: string): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#load(conversationId);
      await this.#scan();
      this.#running = [...this.#running, { conversationId, turnId, announced: new Set() }];
    });
  }

  /** Scans all files once more, and ends the turn. */
  end(turnId: string): Promise<void> {
    return this.#mutex.run(async () => {
      try {
        await this.#scan();
      } finally {
        this.#running = this.#running.filter((turn) => turn.turnId !== turnId);
      }
    });
  }

  /** Records a file that a turn's agent has named, which tells two running turns apart. */
  announce(turnId: string, path: string): void {
    this.#running.find((turn) => turn.turnId === turnId)?.announced.add(path);
  }

  /** Reads a file that an agent is about to change, as it may have changed between turns. */
  expectChange(path: string): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#learn(path, await this.#files.read(path), NO_STAMP);
    });
  }

  /** For a folder whose changes the app does not report, such as that of its settings. */
  observeFolder(folder: string): Promise<void> {
    if (this.#running.length === 0) return Promise.resolve();
    return this.#mutex.run(() => this.#scan(folder));
  }

  observe(path: string): Promise<void> {
    if (this.#running.length === 0) return Promise.resolve();
    return this.#mutex.run(() => this.#observe(path, NO_STAMP));
  }

  /** Records typing. Before the first keystroke, reads the file. */
  typed(path: string): Promise<void> {
    if (this.#running.length === 0) return Promise.resolve();
    return this.#mutex.run(async () => {
      if (!this.#isTyping(path)) await this.#observe(path, NO_STAMP);
      this.#typedAt.set(path, this.#clock.now());
    });
  }

  renamed(from: string, to: string): Promise<void> {
    return this.#mutex.run(async () => {
      const version = this.#known.get(from);
      if (version) {
        this.#known.set(to, version);
        this.#known.delete(from);
      }
      for (const [conversationId, changes] of this.#changes) {
        if (!changes.some(({ path }) => path === from)) continue;
        const moved = changes.map((each) => (each.path === from ? { ...each, path: to } : each));
        await this.#save(conversationId, moved);
      }
    });
  }

  /** Returns the texts of a change; undefined if they are no longer stored. */
  async texts(change: ChatAgentChange): Promise<{ before: string; after: string } | undefined> {
    const [before, after] = await Promise.all([
      this.#textOf(change.before),
      this.#textOf(change.after),
    ]);
    return before === undefined || after === undefined ? undefined : { before, after };
  }

  /** Undoes changes, newest first. What the user has written since stays. */
  undo(conversationId: string, changes: readonly ChatAgentChange[]): Promise<UndoResult> {
    return this.#mutex.run(async () => {
      const result = {
        undone: [] as ChatAgentChange[],
        conflicts: [] as ChatAgentChange[],
        lost: [] as ChatAgentChange[],
      };
      for (const { id } of [...changes].reverse()) {
        const change = this.changes(conversationId).find((each) => each.id === id);
        if (!change || change.isUndone) continue;
        const texts = await this.texts(change);
        if (!texts) {
          result.lost.push(change);
          continue;
        }
        if (await this.#revert(change, texts)) result.conflicts.push(change);
        result.undone.push(change);
        const all = this.changes(conversationId);
        await this.#save(
          conversationId,
          all.map((each) => (each.id === id ? { ...each, isUndone: true } : each)),
        );
      }
      return result;
    });
  }

  /** Returns true if both versions are in the file now. */
  async #revert(
    { path, before, after }: ChatAgentChange,
    texts: { before: string; after: string },
  ): Promise<boolean> {
    let isConflict = false;
    let left: string | undefined;
    await this.#files.edit(path, (current) => {
      left = current;
      if (current === undefined) left = after === undefined ? texts.before : undefined;
      else if (current !== texts.before || before === undefined) {
        const reverted = revertChange(texts.before, texts.after, current);
        isConflict = reverted.isConflict;
        const isEmpty = before === undefined && reverted.text.trim() === '';
        left = isEmpty ? undefined : reverted.text;
      }
      return left;
    });
    await this.#learn(path, left, NO_STAMP);
    return isConflict;
  }

  async #load(conversationId: string): Promise<void> {
    if (this.#changes.has(conversationId)) return;
    this.#changes.set(conversationId, await this.#store.loadChanges(conversationId));
  }

  async #scan(folder = ''): Promise<void> {
    const listed = await this.#files.list(folder);
    const paths = new Set(listed.map(({ path }) => path));
    for (const { path, stamp } of listed) {
      if (stamp !== NO_STAMP && this.#known.get(path)?.stamp === stamp) continue;
      if (this.#scheduler.isDue) await this.#scheduler.yieldIfDue();
      await this.#observe(path, stamp);
    }
    for (const path of [...this.#known.keys()])
      if (isWithin(path, folder) && !paths.has(path)) await this.#observe(path, NO_STAMP);
  }

  async #observe(path: string, stamp: string): Promise<void> {
    const before = this.#known.get(path)?.hash;
    const text = await this.#files.read(path);
    const after = await this.#learn(path, text, stamp);
    if (before === after) return;
    const isTyping = this.#isTyping(path);
    this.#typedAt.delete(path);
    const turn = this.#running.find(({ announced }) => announced.has(path)) ?? this.#running[0];
    if (!turn || isTyping) return;
    const base = await this.#baseOf(path, before, text);
    if (base !== after) await this.#add(turn, path, base, after);
  }

  /** Returns the hash of what a file would contain without the agent. */
  async #baseOf(
    path: string,
    before: string | undefined,
    after: string | undefined,
  ): Promise<string | undefined> {
    const withOwnWrites = this.#files.ownWrites(path);
    if (!withOwnWrites) return before;
    const old = before === undefined ? undefined : await this.#store.get(before);
    if (before !== undefined && old === undefined) return before; // its copy is gone
    const base = withOwnWrites(old, after);
    return base === undefined ? undefined : this.#store.put(base);
  }

  /** Makes a text the current version of a file. Returns its hash. */
  async #learn(path: string, text: string | undefined, stamp: string): Promise<string | undefined> {
    if (text === undefined) {
      this.#known.delete(path);
      return undefined;
    }
    const hash = await this.#store.put(text);
    this.#known.set(path, { stamp, hash });
    return hash;
  }

  async #add(
    { conversationId, turnId }: RunningTurn,
    path: string,
    before: string | undefined,
    after: string | undefined,
  ): Promise<void> {
    const all = this.changes(conversationId);
    const last = all.findLast((change) => change.path === path);
    const continues = last?.turnId === turnId && !last.isUndone && last.after === before;
    const rest = continues ? all.filter((change) => change !== last) : all;
    const first = continues ? last.before : before;
    const id = `${turnId}-${String(this.#clock.now())}-${String(++this.#count)}`;
    const change: ChatAgentChange = { id, turnId, path, before: first, after, isUndone: false };
    await this.#save(conversationId, first === after ? rest : [...rest, change]);
  }

  async #save(conversationId: string, changes: readonly ChatAgentChange[]): Promise<void> {
    this.#changes.set(conversationId, changes);
    await this.#store.saveChanges(conversationId, changes);
    this.#onChange();
  }

  #isTyping(path: string): boolean {
    const at = this.#typedAt.get(path);
    return at !== undefined && this.#clock.now() - at < TYPING_MS;
  }

  async #textOf(hash: string | undefined): Promise<string | undefined> {
    return hash === undefined ? '' : this.#store.get(hash);
  }
}
