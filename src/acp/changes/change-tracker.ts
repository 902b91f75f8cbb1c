import { isWithin } from '../../model/paths.js';
import type { Clock } from '../../platform/clock.js';
import { Mutex } from '../../platform/mutex.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { revertChange } from './revert-change.js';
import { contentText, type FileContent, type TrackedFiles } from './tracked-files.js';

/** Contents by hash, stored outside the vault, and the changes of each conversation. */
export interface ChangeStore {
  put(content: Uint8Array): Promise<string>;
  /** Returns undefined for a content that is no longer stored. */
  get(hash: string): Promise<Uint8Array | undefined>;
  saveChanges(conversationId: string, changes: readonly ChatAgentChange[]): Promise<void>;
  loadChanges(conversationId: string): Promise<readonly ChatAgentChange[]>;
}

/** A change that an agent made to a file in one turn. Contents by hash, undefined for no file. */
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
  /** Changes of files that have changed since and are no text in UTF-8; nothing was undone. */
  readonly kept: readonly ChatAgentChange[];
  /** Changes of which no copy from before is stored. */
  readonly lost: readonly ChatAgentChange[];
}

interface Version {
  readonly stamp: string;
  /** That of a content that is not kept is its version. */
  readonly hash: string;
}

interface RunningTurn {
  readonly conversationId: string;
  readonly turnId: string;
  readonly announced: Set<string>;
}

/** The app saves what was typed within this time. */
const TYPING_MS = 5000;
const encoder = new TextEncoder();
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
  /** Files that agents have named, and that are too large or not tracked. */
  readonly #followed = new Set<string>();
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

  /**
   * Follows a file that an agent is about to change, even if it is not tracked. Returns false if
   * that cannot be undone, because no copy of the file is kept.
   */
  keep(path: string): Promise<boolean> {
    return this.#mutex.run(async () => {
      const content = await this.#files.read(path);
      const isLarge = content !== undefined && 'version' in content;
      const isUnseen = this.#files.isTracked(path)
        ? isLarge && !this.#known.has(path)
        : !this.#followed.has(path);
      if (isUnseen) await this.#learn(path, content, NO_STAMP);
      else await this.#observe(path, NO_STAMP);
      if (isUnseen) this.#followed.add(path);
      return !isLarge;
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

  /**
   * Returns the texts of a change: undefined if a copy is missing, `bytes` if one is no text in
   * UTF-8.
   */
  async texts({
    before,
    after,
  }: ChatAgentChange): Promise<{ before: string; after: string } | 'bytes' | undefined> {
    const [old, changed] = await Promise.all([this.#bytesOf(before), this.#bytesOf(after)]);
    if (!old || !changed) return undefined;
    const [oldText, changedText] = [contentText(old), contentText(changed)];
    return oldText === undefined || changedText === undefined
      ? 'bytes'
      : { before: oldText, after: changedText };
  }

  /** Undoes changes, newest first. What the user has written since stays. */
  undo(conversationId: string, changes: readonly ChatAgentChange[]): Promise<UndoResult> {
    return this.#mutex.run(async () => {
      const result: Record<keyof UndoResult, ChatAgentChange[]> = {
        undone: [],
        conflicts: [],
        kept: [],
        lost: [],
      };
      for (const { id } of [...changes].reverse()) {
        const change = this.changes(conversationId).find((each) => each.id === id);
        if (!change || change.isUndone) continue;
        const outcome = await this.#revert(change);
        result[outcome].push(change);
        if (outcome === 'kept' || outcome === 'lost') continue;
        if (outcome === 'conflicts') result.undone.push(change);
        const all = this.changes(conversationId);
        await this.#save(
          conversationId,
          all.map((each) => (each.id === id ? { ...each, isUndone: true } : each)),
        );
      }
      return result;
    });
  }

  /** Writes the bytes from before back. Merges only if the file has changed since. */
  async #revert(change: ChatAgentChange): Promise<keyof UndoResult> {
    const { path, before, after } = change;
    const current = await this.#files.read(path);
    const hash = await this.#learn(path, current, NO_STAMP);
    if (hash === before || (!current && after !== undefined)) return 'undone';
    let changed: Uint8Array | undefined;
    let isConflict = false;
    if (hash === after || !current) {
      changed = before === undefined ? undefined : await this.#store.get(before);
      if (before !== undefined && !changed) return 'lost';
    } else {
      const texts = await this.texts(change);
      const text = contentText(current);
      if (!texts || texts === 'bytes' || text === undefined) return texts ? 'kept' : 'lost';
      const reverted = revertChange(texts.before, texts.after, text);
      const isEmpty = before === undefined && reverted.text.trim() === '';
      changed = isEmpty ? undefined : encoder.encode(reverted.text);
      isConflict = reverted.isConflict;
    }
    if (!(await this.#files.replace(path, current, changed))) return this.#revert(change);
    await this.#learn(path, changed, NO_STAMP);
    return isConflict ? 'conflicts' : 'undone';
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
    for (const path of new Set([...this.#known.keys(), ...this.#followed]))
      if (isWithin(path, folder) && !paths.has(path)) await this.#observe(path, NO_STAMP);
  }

  async #observe(path: string, stamp: string): Promise<void> {
    if (!this.#files.isTracked(path) && !this.#followed.has(path)) return;
    const before = this.#known.get(path)?.hash;
    const content = await this.#files.read(path);
    const isLarge = content && 'version' in content;
    if (isLarge && before === undefined && !this.#followed.has(path)) return;
    const after = await this.#learn(path, content, stamp);
    if (before === after) return;
    const isTyping = this.#isTyping(path);
    this.#typedAt.delete(path);
    const turn = this.#running.find(({ announced }) => announced.has(path)) ?? this.#running[0];
    if (!turn || isTyping) return;
    const base = await this.#baseOf(path, before, content);
    if (base !== after) await this.#add(turn, path, base, after);
  }

  /** Returns the hash of what a file would contain without the agent. */
  async #baseOf(
    path: string,
    before: string | undefined,
    after: FileContent | undefined,
  ): Promise<string | undefined> {
    const withOwnWrites = this.#files.ownWrites(path);
    if (!withOwnWrites || (after && 'version' in after)) return before;
    const old = before === undefined ? undefined : await this.#store.get(before);
    if (before !== undefined && !old) return before; // it has no copy
    const base = withOwnWrites(old, after);
    return base && this.#store.put(base);
  }

  /** Makes a content the current version of a file. Returns its hash. */
  async #learn(
    path: string,
    content: FileContent | undefined,
    stamp: string,
  ): Promise<string | undefined> {
    if (!content) {
      this.#known.delete(path);
      return undefined;
    }
    const hash = 'version' in content ? content.version : await this.#store.put(content);
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

  /** Returns no bytes for no file, undefined if there is no copy. */
  async #bytesOf(hash: string | undefined): Promise<Uint8Array | undefined> {
    return hash === undefined ? new Uint8Array() : this.#store.get(hash);
  }
}
