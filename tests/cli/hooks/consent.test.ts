import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { captureProject, recordedSession } from '../../fakes/captured-project.js';
import { runInProcess } from '../../fakes/in-process.js';
import { CAPTURED_CLIENTS, linesOf, type CapturedClient } from '../../fakes/transcripts.js';
import { createFolder, node } from '../../node/folders.js';
import { CONSENTS, someOf, SEED } from '../../tier.js';

const PROJECTS = 4;
const MINUTE = 60_000;
const PAUSE = 60 * MINUTE;
/** The projects with a git repository. */
const REPOSITORIES = 2;
/** The folder in each project that may be excluded and moved. */
const INNER = 'secret';
const WORKSPACES = ['Default', 'Second'];

/** A place in a project: its folder, the folder `INNER`, and one in that. */
type Spot = 'root' | 'inner' | 'nested';

/** What happens next. Numbers choose one of what there is. */
type Action =
  | { readonly kind: 'off' | 'unlink' | 'exclude' | 'include'; readonly project: number }
  | { readonly kind: 'link'; readonly project: number; readonly level?: 'all' | 'task' }
  /** To its own vault, another workspace in it, or the vault of another project. */
  | { readonly kind: 'relink'; readonly project: number; readonly target: number }
  | { readonly kind: 'excludeInner' | 'includeInner'; readonly project: number }
  | { readonly kind: 'moveInner'; readonly project: number; readonly to: number }
  | { readonly kind: 'moveProject' | 'removeTree'; readonly project: number }
  | { readonly kind: 'nest'; readonly project: number; readonly into: number }
  | { readonly kind: 'enter'; readonly session: number; readonly spot: Spot }
  | { readonly kind: 'brief'; readonly project: number }
  | { readonly kind: 'pause' | 'unpause' }
  | {
      readonly kind: 'begin';
      readonly project: number;
      readonly client: number;
      isPrivate: boolean;
      readonly isInTree?: boolean;
    }
  | { readonly kind: 'resume'; readonly session: number; readonly isPrivate: boolean }
  | { readonly kind: 'move'; readonly session: number; readonly project: number }
  | {
      readonly kind: 'work';
      readonly session: number;
      readonly steps: number;
      /** True if files in the folder `INNER` are written. */
      readonly isInner?: boolean;
    }
  | { readonly kind: 'end'; readonly session: number; readonly isKilled: boolean }
  | { readonly kind: 'wait'; readonly minutes: number };

const project = fc.nat(PROJECTS - 1);
const session = fc.nat(9);
const ACTION: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      project,
      level: fc.constantFrom('all' as const, 'task' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('relink' as const), project, target: fc.nat(2) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('excludeInner' as const, 'excludeInner', 'includeInner'),
      project,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('moveInner' as const), project, to: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('moveProject' as const, 'removeTree'),
      project,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('nest' as const), project, into: project }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('enter' as const),
      session,
      spot: fc.constantFrom('root' as const, 'inner', 'nested'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('brief' as const), project }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('off' as const, 'unlink', 'unlink', 'exclude', 'include'),
      project,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'unpause') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      project,
      client: fc.nat(2),
      isPrivate: fc.boolean(),
      isInTree: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('resume' as const),
      session,
      isPrivate: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), session, project }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      session,
      steps: fc.nat(2),
      isInner: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('end' as const), session, isKilled: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.nat(50) }) },
);

/** One thing that a client has written. */
interface Piece {
  readonly token: string;
  readonly at: number;
  /** The project of the folder, and those that contain it, innermost first. */
  readonly projects: readonly number[];
  /** The innermost of these that was linked then. */
  readonly linked: number | undefined;
  /** True if it was written in the folder `INNER`, or names a file there. */
  readonly isInner: boolean;
  readonly isInTree: boolean;
  /** True for what is in an answer after its first 300 characters. */
  readonly isTail: boolean;
  /** True if every later checkpoint of the session names it, too. */
  readonly isLasting: boolean;
}

interface Turn {
  readonly session: Session;
  readonly pieces: Piece[];
}

interface Session {
  readonly id: string;
  readonly client: CapturedClient;
  readonly home: number;
  readonly isInTree: boolean;
  readonly transcript: string;
  readonly startedAt: number;
  cwd: number;
  spot: Spot;
  isPrivate: boolean;
  isRunning: boolean;
  turn: Turn | undefined;
  /** The projects in which it was when it began and was resumed. */
  readonly projects: Set<number>;
  /** True if what it names may be elsewhere now, so that it may be left out. */
  isMoved: boolean;
  /** When a hook has noted it first. */
  notedAt?: number;
}

/** A time at which something was not to be captured; the last one of a kind may go on. */
interface Gap {
  readonly reason: string;
  readonly from: number;
  to: number;
}

/** A time at which a project was linked to a workspace. */
interface LinkTime {
  readonly project: number;
  readonly vault: number;
  readonly workspace: string;
  readonly from: number;
  to: number;
}

/** Four projects with a vault each, and what should be in these. */
class World {
  readonly #home = realpathSync(createFolder());
  readonly #state = join(this.#home, 'state');
  /** Names of the projects' folders in the folders that contain them. */
  readonly #names = Array.from({ length: PROJECTS }, (_, n) => `project-${n}`);
  readonly #parents = new Map<number, number>();
  /** Where the folder `INNER` is in each project. */
  readonly #inner = Array.from({ length: PROJECTS }, () => INNER);
  readonly #trees = new Map<number, string>();
  readonly #vaults = Array.from({ length: PROJECTS }, (_, n) => join(this.#home, `vault-${n}`));
  readonly #hasSecond = new Set<number>();
  readonly #sessions: Session[] = [];
  readonly #turns: Turn[] = [];
  readonly #gaps: Gap[] = [];
  readonly #linkTimes: LinkTime[] = [];
  /** When each project was linked with which level. */
  readonly #levels: { readonly project: number; readonly level: string; readonly at: number }[] =
    [];
  /** The excluded paths of the folders of projects and of the folders in them. */
  readonly #excluded = new Map<string, Set<string>>();
  /** The projects in or out of which a folder was moved. */
  readonly #hasMoved = new Set<number>();
  /** When each project was last unlinked or linked to another workspace. */
  readonly #unlinkedAt = new Map<number, number>();
  /** What was rightly in a vault when something ceased to be captured; it stays there. */
  readonly #storedBefore = new Set<string>();
  readonly #shown: string[] = [];
  #count = 0;

  constructor() {
    for (const [n, vault] of this.#vaults.entries()) {
      mkdirSync(join(vault, '.obsidian'), { recursive: true });
      mkdirSync(join(this.#folder(n), INNER, 'nested'), { recursive: true });
      if (n < REPOSITORIES) {
        this.#git(n, 'init', '-q', '-b', 'main');
        this.#git(n, 'commit', '-q', '--allow-empty', '-m', `Begin ${n}`);
      }
    }
  }

  async do(action: Action): Promise<void> {
    this.#pass(1000);
    const isLinking = ['link', 'off', 'relink', 'unlink'].includes(action.kind);
    if (isLinking && 'project' in action && this.#isPart(action.project)) return;
    switch (action.kind) {
      case 'link':
        await this.#link(action.project, action.level ?? 'all');
        break;
      case 'off':
        if (this.#linkOf(action.project)) await this.#link(action.project, 'off');
        break;
      case 'relink': {
        const { project: n, target } = action;
        const vault = target === 2 ? (n + 1) % PROJECTS : n;
        await this.#link(n, this.#levelOf(n), vault, WORKSPACES[target % 2]);
        break;
      }
      case 'unlink':
        await this.#unlink(action.project);
        break;
      case 'exclude':
        await this.#exclude(`folder ${action.project}`, this.#folder(action.project));
        break;
      case 'include':
        await this.#include(`folder ${action.project}`);
        break;
      case 'excludeInner': {
        const n = action.project;
        await this.#exclude(`inner ${n}`, join(this.#folder(n), this.#inner[n]!));
        if (this.#inner[n] === INNER) this.#begin(`tree ${n}`);
        break;
      }
      case 'includeInner':
        await this.#include(`inner ${action.project}`);
        this.#end(`tree ${action.project}`);
        break;
      case 'moveInner':
        this.#moveInner(action.project, action.to);
        break;
      case 'moveProject':
        this.#moveTo(action.project, undefined);
        break;
      case 'nest':
        if (!this.#linkOf(action.project) && !this.#chain(action.into).includes(action.project))
          this.#moveTo(action.project, action.into);
        break;
      case 'removeTree':
        this.#removeTree(action.project);
        break;
      case 'pause':
        await this.#run(['links', '--pause']);
        this.#end('pause');
        this.#addGap({ reason: 'pause', from: Date.now(), to: Date.now() + PAUSE });
        break;
      case 'unpause':
        await this.#run(['links', '--resume']);
        this.#end('pause');
        break;
      case 'begin': {
        const { project: n, client, isPrivate, isInTree = false } = action;
        await this.#start(n, CAPTURED_CLIENTS[client]!, isPrivate, isInTree && n < REPOSITORIES);
        break;
      }
      case 'resume':
        await this.#resume(action.session, action.isPrivate);
        break;
      case 'move': {
        const moved = this.#running(action.session);
        if (moved) Object.assign(moved, { cwd: action.project, spot: 'root' });
        break;
      }
      case 'enter': {
        const entering = this.#running(action.session);
        if (entering) entering.spot = action.spot;
        break;
      }
      case 'work': {
        const at = this.#running(action.session);
        if (at) await this.#work(at, action.steps, action.isInner === true);
        break;
      }
      case 'end': {
        const ended = this.#running(action.session);
        if (ended) await this.#stop(ended, action.isKilled);
        break;
      }
      case 'brief':
        await this.#checkBrief(action.project);
        break;
      case 'wait':
        this.#pass(action.minutes * MINUTE);
    }
  }

  /** Lets everything be captured, and a new session start in each project. */
  async finish(): Promise<void> {
    this.#pass(1000);
    const linked = this.#names.flatMap((_, n) => (this.#linkOf(n) ? n : []));
    for (const n of linked) await this.#checkBrief(n);
    await this.#run(['links', '--resume']);
    for (const reason of this.#excluded.keys()) await this.#include(reason);
    for (const n of linked) {
      const { vault, workspace } = this.#linkOf(n)!;
      await this.#link(n, this.#levelOf(n), vault, workspace);
    }
    for (const n of linked) await this.#start(n, 'claude-code', false, false);
    for (const n of linked) await this.#checkBrief(n);
  }

  /** Returns what is where it should not be, and what is not where it should be. */
  faults(): string[] {
    const stored = this.#vaults.map(bytesIn);
    const faults = this.#turns.flatMap((turn) =>
      turn.pieces.flatMap((piece) => {
        const text = this.#describe(turn, piece);
        return stored.flatMap((bytes, n) => {
          const isThere = bytes.includes(piece.token);
          if (isThere && !this.#mayShow(turn, piece, n)) return [`${text} is in vault ${n}`];
          const isMissing = !isThere && piece.isLasting && this.#isDue(turn, piece, n);
          return isMissing ? [`${text} is not in vault ${n}`] : [];
        });
      }),
    );
    return [...this.#shown, ...faults];
  }

  #describe(turn: Turn, { token, projects, isInner, isInTree, isTail }: Piece): string {
    const { id, client, home } = turn.session;
    const kinds = { 'excluded folder': isInner, worktree: isInTree, tail: isTail };
    const where = Object.entries(kinds).flatMap(([kind, is]) => (is ? kind : []));
    return `${token} of ${id} (${client}) in project ${home}, at ${projects.join(' in ')} ${where.join(', ')}`;
  }

  #mayShow(turn: Turn, piece: Piece, vault: number, workspace?: string): boolean {
    const workspaces = workspace === undefined ? WORKSPACES : [workspace];
    return workspaces.some(
      (each) =>
        this.#isAllowed(turn, piece, vault, each) ||
        this.#storedBefore.has(`${vault} ${each} ${piece.token}`),
    );
  }

  #isDue(turn: Turn, piece: Piece, vault: number): boolean {
    const { session: of, pieces } = turn;
    const link = this.#linkOf(of.home);
    const isStable =
      !of.isMoved &&
      !this.#hasMoved.has(of.home) &&
      // a file has no time, so it is left out if its folder was excluded during the session
      !this.#gaps.some(({ reason, to }) => reason === `folder ${of.home}` && to > of.startedAt) &&
      piece.projects.length === 1 &&
      !piece.isInTree &&
      pieces.every((each) => !each.isInner && each.linked === of.home) &&
      piece.projects[0] === of.home;
    return (
      isStable &&
      link?.vault === vault &&
      this.#isAllowed(turn, piece, vault, link.workspace) &&
      piece.at > (this.#unlinkedAt.get(of.home) ?? -Infinity) &&
      !this.#mayBeCopy(turn)
    );
  }

  /**
   * True if a turn began before all that is known of its session, and another was private, maybe
   * since before it was noted. It may be a copy of that, as in a session that continues another.
   */
  #mayBeCopy({ session: { id, home, notedAt = Infinity }, pieces }: Turn): boolean {
    const from = Math.min(...pieces.map(({ at }) => at));
    const others = this.#sessions.filter((each) => each.home === home && each.id !== id);
    const reasons = others.map((other) => `private ${other.id}`);
    return from < notedAt && this.#gaps.some(({ reason }) => reasons.includes(reason));
  }

  /** True if what was written may be in a workspace. */
  #isAllowed({ session, pieces }: Turn, piece: Piece, vault: number, workspace: string): boolean {
    const { linked, projects, isInner, isInTree, isTail, at } = piece;
    if (linked === undefined || !session.projects.has(linked)) return false;
    const own = pieces.filter((each) => each.linked === linked).map((each) => each.at);
    const [from, to] = [Math.min(...own), Math.max(...own)];
    const isThere = (link: LinkTime) =>
      link.project === linked && link.vault === vault && link.workspace === workspace;
    if (!this.#linkTimes.some((link) => isThere(link) && link.from <= from && to < link.to))
      return false;
    const folders = projects.map((n) => `folder ${n}`);
    const reasons = ['pause', `off ${linked}`, `private ${session.id}`, ...folders];
    const inner = `${isInTree ? 'tree' : 'inner'} ${projects[0]}`;
    const isLeftOut = this.#gaps.some(
      (gap) =>
        (reasons.includes(gap.reason) && gap.from <= to && from < gap.to) ||
        (isInner && gap.reason === inner && gap.from <= at && at < gap.to),
    );
    if (isLeftOut || !isTail) return !isLeftOut;
    const levels = this.#levels.filter(({ project: of }) => of === linked);
    const before = levels.findLast((each) => each.at <= from);
    return levels.some((each) => each.level === 'all' && (each === before || each.at > from));
  }

  #folder(n: number): string {
    const parent = this.#parents.get(n);
    return join(parent === undefined ? this.#home : this.#folder(parent), this.#names[n]!);
  }

  /** Returns a project with those that contain it, innermost first. */
  #chain(n: number): number[] {
    const parent = this.#parents.get(n);
    return [n, ...(parent === undefined ? [] : this.#chain(parent))];
  }

  /** True for a folder in a repository, whose link would be that of the repository. */
  #isPart(n: number): boolean {
    return n >= REPOSITORIES && this.#chain(n).some((each) => each < REPOSITORIES);
  }

  #place(n: number, spot: Spot, isInTree: boolean): string {
    const root = isInTree ? this.#tree(n) : this.#folder(n);
    if (spot === 'root') return root;
    const inner = join(root, isInTree ? INNER : this.#inner[n]!);
    return spot === 'inner' ? inner : join(inner, 'nested');
  }

  #tree(n: number): string {
    const known = this.#trees.get(n);
    if (known !== undefined) return known;
    const tree = join(this.#home, `tree-${n}-${this.#count++}`);
    this.#git(n, 'worktree', 'add', '-q', '--detach', tree);
    mkdirSync(join(tree, INNER, 'nested'), { recursive: true });
    this.#trees.set(n, tree);
    return tree;
  }

  #git(n: number, ...args: string[]): void {
    const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    execFileSync('git', [...user, ...args], { cwd: this.#folder(n), stdio: 'ignore' });
  }

  #removeTree(n: number): void {
    const tree = this.#trees.get(n);
    if (tree === undefined) return;
    this.#kill((each) => each.isInTree && each.home === n);
    rmSync(tree, { recursive: true });
    this.#git(n, 'worktree', 'prune');
    this.#trees.delete(n);
  }

  #moveInner(n: number, to: number): void {
    const name = [INNER, 'renamed', 'deep/er/secret', 'else'][to]!;
    if (name === this.#inner[n]) return;
    const [from, target] = [this.#inner[n]!, name].map((each) => join(this.#folder(n), each));
    mkdirSync(dirname(target!), { recursive: true });
    renameSync(from!, target!);
    this.#inner[n] = name;
    this.#noteMoved(this.#chain(n));
  }

  /** Nothing is captured in projects of which an excluded folder is gone. */
  #noteMoved(projects: readonly number[]): void {
    for (const n of projects) this.#hasMoved.add(n);
  }

  /** Moves a project into another one, or renames it in the home folder. */
  #moveTo(n: number, into: number | undefined): void {
    const isIn = (m: number) => this.#chain(m).includes(n);
    for (const m of this.#names.keys()) if (isIn(m)) this.#removeTree(m);
    this.#kill(({ home, cwd }) => isIn(home) || isIn(cwd));
    const from = this.#folder(n);
    this.#noteMoved(this.#chain(n).slice(1));
    if (into === undefined) this.#parents.delete(n);
    else this.#parents.set(n, into);
    this.#names[n] = `project-${n}-${this.#count++}`;
    renameSync(from, this.#folder(n));
  }

  #kill(isKilled: (session: Session) => boolean): void {
    for (const each of this.#sessions.filter(isKilled))
      Object.assign(each, { isMoved: true, isRunning: false, turn: undefined });
  }

  async #exclude(reason: string, path: string): Promise<void> {
    await this.#run(['links', '--exclude', path]);
    this.#excluded.set(reason, (this.#excluded.get(reason) ?? new Set()).add(path));
    this.#begin(reason);
  }

  async #include(reason: string): Promise<void> {
    for (const path of this.#excluded.get(reason) ?? [])
      await this.#run(['links', '--include', path]);
    this.#excluded.delete(reason);
    this.#end(reason);
  }

  #linkOf(n: number): LinkTime | undefined {
    return this.#linkTimes.find((link) => link.project === n && link.to === Infinity);
  }

  /** Returns the level with which a project was linked last, unless it was off. */
  #levelOf(n: number): string {
    const known = this.#levels.findLast((each) => each.project === n && each.level !== 'off');
    return known?.level ?? 'all';
  }

  async #link(n: number, level: string, toVault?: number, toWorkspace?: string): Promise<void> {
    const known = this.#linkOf(n);
    const vault = toVault ?? known?.vault ?? n;
    const workspace = toWorkspace ?? known?.workspace ?? 'Default';
    await this.#addWorkspace(vault, workspace);
    const to = ['--workspace', workspace, '--vault', this.#vaults[vault]!];
    await this.#run(['link', '--project', this.#folder(n), ...to, '--capture', level]);
    this.#levels.push({ project: n, level, at: Date.now() });
    if (known?.vault !== vault || known.workspace !== workspace) {
      this.#endLink(n);
      this.#linkTimes.push({ project: n, vault, workspace, from: Date.now(), to: Infinity });
    }
    if (level === 'off') this.#begin(`off ${n}`);
    else this.#end(`off ${n}`);
  }

  async #addWorkspace(vault: number, name: string): Promise<void> {
    if (name === 'Default' || this.#hasSecond.has(vault)) return;
    this.#hasSecond.add(vault);
    const json = JSON.stringify({ name, description: 'd', rootFolder: name, purpose: 'p' });
    const where = ['--vault', this.#vaults[vault]!, '--json', json];
    await this.#run(['call', 'createWorkspace', ...where]);
  }

  async #unlink(n: number): Promise<void> {
    if (!this.#linkOf(n)) return;
    await this.#run(['unlink', '--project', this.#folder(n)]);
    this.#end(`off ${n}`);
    this.#endLink(n);
  }

  #endLink(n: number): void {
    const link = this.#linkOf(n);
    if (!link) return;
    this.#noteStored();
    link.to = Date.now();
    this.#unlinkedAt.set(n, Date.now());
    for (const forgotten of this.#sessions) if (forgotten.home === n) delete forgotten.notedAt;
  }

  async #start(
    home: number,
    client: CapturedClient,
    isPrivate: boolean,
    isInTree: boolean,
  ): Promise<void> {
    const id = `session-${this.#count++}`;
    const transcript = join(this.#home, `${id}.jsonl`);
    const startedAt = Date.now();
    const at = { cwd: home, spot: 'root' as const, isInTree, isMoved: false, startedAt };
    const state = { ...at, isPrivate, isRunning: true, turn: undefined };
    const projects = new Set(this.#chain(home));
    const started: Session = { id, client, home, transcript, projects, ...state };
    this.#sessions.push(started);
    if (isPrivate) this.#begin(`private ${id}`);
    await this.#hook(started, 'session-start', 'startup');
    const first = { type: client === 'codex' ? 'turn_context' : 'attachment' };
    const folder = this.#place(home, 'root', isInTree);
    append(transcript, `${lineAt(client, JSON.stringify(first), folder)}\n`);
  }

  async #resume(index: number, isPrivate: boolean): Promise<void> {
    const stopped = this.#sessions.filter(({ isRunning }) => !isRunning);
    const resumed = stopped[index % stopped.length];
    if (!resumed) return;
    if (resumed.isPrivate !== isPrivate) {
      if (isPrivate) this.#begin(`private ${resumed.id}`);
      else this.#end(`private ${resumed.id}`);
    }
    const at = { cwd: resumed.home, spot: 'root' as const };
    Object.assign(resumed, { isPrivate, isRunning: true, turn: undefined, ...at });
    for (const n of this.#chain(resumed.home)) resumed.projects.add(n);
    await this.#hook(resumed, 'session-start', 'resume');
  }

  #running(index: number): Session | undefined {
    const running = this.#sessions.filter(({ isRunning }) => isRunning);
    return running[index % running.length];
  }

  /** Continues the turn of a session, or begins one, which ends with the last step. */
  async #work(at: Session, steps: number, isInner: boolean): Promise<void> {
    if (!at.turn) {
      at.turn = { session: at, pieces: [] };
      this.#turns.push(at.turn);
      this.#write(at, (token) => ({ kind: 'task', text: `Please look into ${token} today` }));
    }
    const { cwd, home, client } = at;
    const project = client === 'gemini' ? home : cwd;
    const spot = isInner ? 'inner' : 'root';
    const folder = this.#place(project, spot, at.isInTree && project === home);
    for (let step = 0; step < steps; step++)
      this.#write(at, (token) => ({ kind: 'write', path: join(folder, `${token}.ts`) }), isInner);
    if (steps === 0) return; // it goes on
    this.#write(at, (token, tail) => ({
      kind: 'answer',
      text: `It is about ${token}. ${'And there is more to say. '.repeat(15)}${tail}`,
    }));
    at.turn = undefined;
    await this.#hook(at, 'turn');
    await this.#hook(at, 'pre-compact');
  }

  async #stop(at: Session, isKilled: boolean): Promise<void> {
    Object.assign(at, { isRunning: false, turn: undefined });
    if (!isKilled) await this.#hook(at, 'session-end');
  }

  #write(
    { client, transcript, turn, cwd, spot, home, isInTree }: Session,
    step: (token: string, tail: string) => Parameters<typeof linesOf>[1],
    namesInner = false,
  ): void {
    this.#pass(700);
    const [token, tail] = [`tok${this.#count++}en`, `tok${this.#count++}en`];
    const made = step(token, tail);
    const folder = this.#place(cwd, spot, isInTree && cwd === home);
    const lines = linesOf(client, made, this.#count).map((line) => lineAt(client, line, folder));
    if (client === 'codex')
      lines.unshift(lineAt(client, JSON.stringify({ type: 'turn_context' }), folder));
    append(transcript, lines.map((line) => `${line}\n`).join(''));
    // a Gemini session says nothing about its folder
    const isSilent = client === 'gemini';
    const projects = this.#chain(isSilent ? home : cwd);
    const isOpen = spot === 'root' || isSilent;
    const piece = {
      at: Date.now(),
      projects,
      linked: projects.find((n) => this.#linkOf(n)),
      isInner: namesInner || !isOpen,
      isInTree: isInTree && projects[0] === home,
    };
    const isLasting = made.kind === 'write';
    turn?.pieces.push({ ...piece, token, isLasting, isTail: false });
    if (made.kind === 'answer')
      turn?.pieces.push({ ...piece, token: tail, isLasting: false, isTail: true });
  }

  async #hook(at: Session, event: string, source = ''): Promise<void> {
    const { id, client, home, transcript, cwd, spot, isPrivate, isInTree } = at;
    const reasons = ['pause', `off ${home}`, `folder ${home}`];
    const isLinked = this.#linkOf(home) !== undefined && spot === 'root';
    if (
      isLinked &&
      !this.#gaps.some(({ reason, to }) => reasons.includes(reason) && to > Date.now())
    )
      at.notedAt ??= Date.now();
    const variable = {
      'claude-code': 'CLAUDE_PROJECT_DIR',
      gemini: 'GEMINI_PROJECT_DIR',
      codex: '',
    };
    const env = {
      ...(variable[client] !== '' && { [variable[client]]: this.#place(home, 'root', isInTree) }),
      ...(isPrivate && { SAVEPOINT_PRIVATE: '1' }),
    };
    const folder = this.#place(cwd, spot, isInTree && cwd === home);
    const input = { session_id: id, transcript_path: transcript, cwd: folder, source };
    const args = ['hook', event, '--client', client, '--background'];
    await this.#run(args, JSON.stringify(input), env);
  }

  /** Notes what the brief of a new session in a project shows that it should not. */
  async #checkBrief(n: number): Promise<void> {
    const link = this.#linkOf(this.#chain(n).find((each) => this.#linkOf(each)) ?? n);
    const env = { CLAUDE_PROJECT_DIR: this.#folder(n), SAVEPOINT_PRIVATE: '' };
    const session_id = `brief-${this.#count++}`;
    const input = { session_id, cwd: this.#folder(n), source: 'startup' };
    const args = ['hook', 'session-start', '--client', 'claude-code'];
    const brief = await this.#run(args, JSON.stringify(input), env);
    for (const turn of this.#turns)
      for (const piece of turn.pieces)
        if (
          brief.includes(piece.token) &&
          !(link && this.#mayShow(turn, piece, link.vault, link.workspace))
        )
          this.#shown.push(`${this.#describe(turn, piece)} is in the brief of project ${n}`);
  }

  async #run(args: readonly string[], input = '', more: NodeJS.ProcessEnv = {}): Promise<string> {
    const env = { PATH: process.env['PATH'], SAVEPOINT_STATE: this.#state, ...more };
    const result = await runInProcess(this.#home, env, args, input);
    if (!result.endsWith('exit 0')) throw new Error(`${args.join(' ')}: ${result}`);
    return result;
  }

  #pass(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
  }

  #begin(reason: string, from = Date.now()): void {
    const last = this.#gaps.findLast((gap) => gap.reason === reason);
    if (last && last.to > Date.now()) return;
    this.#addGap({ reason, from, to: Infinity });
  }

  #addGap(gap: Gap): void {
    this.#noteStored();
    this.#gaps.push(gap);
  }

  #noteStored(): void {
    const stored = this.#vaults.map(bytesIn);
    for (const turn of this.#turns)
      for (const piece of turn.pieces)
        for (const [n, bytes] of stored.entries())
          for (const workspace of WORKSPACES)
            if (bytes.includes(piece.token) && this.#isAllowed(turn, piece, n, workspace))
              this.#storedBefore.add(`${n} ${workspace} ${piece.token}`);
  }

  #end(reason: string): void {
    const last = this.#gaps.findLast((gap) => gap.reason === reason);
    if (last) last.to = Math.min(last.to, Date.now());
  }
}

/** Returns a line of a transcript with when and where it was written. */
function lineAt(client: CapturedClient, line: string, cwd: string): string {
  const value = JSON.parse(line) as { payload?: object };
  const timestamp = new Date().toISOString();
  if (client === 'gemini') return JSON.stringify({ ...value, timestamp });
  if (client === 'claude-code') return JSON.stringify({ ...value, timestamp, cwd });
  const payload = {
    ...value.payload,
    ...('type' in value && value.type === 'turn_context' && { cwd }),
  };
  return JSON.stringify({ ...value, timestamp, payload });
}

/** The file changes at the time of this test. */
function append(file: string, text: string): void {
  appendFileSync(file, text);
  utimesSync(file, new Date(), new Date());
}

function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

const { childProcess } = node;
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // a brief is asked for without what goes on in the background
  const stdin = { once: () => undefined, end: (_: string, then: () => void) => then() };
  const child = { once: () => undefined, stdin, unref: () => undefined };
  Object.assign(node, { childProcess: { ...childProcess, spawn: () => child } });
});
afterAll(() => {
  Object.assign(node, { childProcess });
  vi.useRealTimers();
});

async function faultsAfter(actions: readonly Action[]): Promise<string[]> {
  // what has not changed for 14 days is removed, and the times of files are real
  vi.setSystemTime(vi.getRealSystemTime());
  const world = new World();
  for (const action of actions) await world.do(action);
  await world.finish();
  return world.faults();
}

/** One project; one in another one, both linked; and all of them. */
const CHOICES = [[0], [2, 3], [0, 1, 2, 3]] as const;

/** Returns the same with one of some projects. */
function among(action: Action, projects: readonly number[]): Action {
  const choose = (n: number) => projects[n % projects.length]!;
  return {
    ...action,
    ...('project' in action && { project: choose(action.project) }),
    ...('into' in action && { into: choose(action.into) }),
  };
}

it(`in ${CONSENTS} random sequences, a vault has what may be captured of its project`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ACTION, { minLength: 8, maxLength: 24 }),
      fc.constantFrom(...CHOICES),
      async (actions, projects) => {
        const [project] = projects;
        const begin: Action[] = [
          { kind: 'link', project },
          { kind: 'begin', project, client: actions.length % 3, isPrivate: false },
        ];
        const start = project === 2 ? NESTED : [];
        const chosen = actions.map((action) => among(action, projects));
        expect(await faultsAfter([...start, ...begin, ...chosen])).toEqual([]);
      },
    ),
    { numRuns: CONSENTS, seed: SEED, endOnFailure: false },
  );
}, 3_600_000);

const [LINK, BEGIN]: Action[] = [
  { kind: 'link', project: 0 },
  { kind: 'begin', project: 0, client: 0, isPrivate: false },
];
const WORK: Action = { kind: 'work', session: 0, steps: 1 };
const WORK_INSIDE: Action = { ...WORK, isInner: true };
const ENTER: Action = { kind: 'enter', session: 0, spot: 'inner' };
const EXCLUDE: Action = { kind: 'excludeInner', project: 0 };
const END: Action = { kind: 'end', session: 0, isKilled: true };
const RENAME: Action = { kind: 'moveInner', project: 0, to: 1 };
const BEGIN_IN_TREE: Action = { ...BEGIN!, isInTree: true } as Action;
const LEAVE: Action = { ...ENTER, spot: 'root' };
const ASK: Action = { ...WORK, steps: 0 };
const NESTED: Action[] = [
  { kind: 'link', project: 2 },
  { kind: 'nest', project: 3, into: 2 },
  { kind: 'link', project: 3 },
];
const BEGIN_AROUND: Action = { ...BEGIN!, project: 2 };
const ENTER_NESTED: Action = { kind: 'move', session: 0, project: 3 };
const LEAVE_NESTED: Action = { kind: 'move', session: 0, project: 2 };
const relink = (target: number): Action => ({ kind: 'relink', project: 0, target });

const CASES: readonly (readonly [string, Action[]])[] = [
  [
    'a session is resumed in private after its project was moved',
    [
      LINK!,
      { ...BEGIN!, client: 1 } as Action,
      { kind: 'moveProject', project: 0 },
      { kind: 'resume', session: 0, isPrivate: true },
      ASK,
      LINK!,
    ],
  ],
  ['an excluded folder is renamed', [LINK!, BEGIN!, EXCLUDE, RENAME, WORK_INSIDE, ENTER, WORK]],
  [
    'an excluded folder is moved in its project',
    [LINK!, BEGIN!, EXCLUDE, { ...RENAME, to: 2 }, WORK_INSIDE, ENTER, WORK],
  ],
  [
    'a folder in an excluded one that was renamed is entered',
    [LINK!, BEGIN!, EXCLUDE, RENAME, { ...ENTER, spot: 'nested' }, WORK],
  ],
  [
    'the project of an excluded folder is renamed',
    [LINK!, EXCLUDE, { kind: 'moveProject', project: 0 }, BEGIN!, WORK_INSIDE, ENTER, WORK],
  ],
  ['a worktree has an excluded folder', [LINK!, EXCLUDE, BEGIN_IN_TREE, WORK_INSIDE, ENTER, WORK]],
  ['a folder is excluded before the link', [EXCLUDE, LINK!, BEGIN_IN_TREE, WORK_INSIDE]],
  [
    'a worktree is removed',
    [LINK!, EXCLUDE, BEGIN_IN_TREE, WORK, WORK_INSIDE, { kind: 'removeTree', project: 0 }],
  ],
  [
    'an excluded project is moved into a linked one',
    [
      LINK!,
      { kind: 'exclude', project: 2 },
      { kind: 'nest', project: 2, into: 0 },
      BEGIN!,
      { kind: 'move', session: 0, project: 2 },
      WORK,
    ],
  ],
  ['a project is linked to a second vault', [LINK!, BEGIN!, WORK, relink(2), WORK]],
  ['a project is linked to another workspace', [LINK!, BEGIN!, WORK, relink(1), WORK]],
  ['a project is linked back', [LINK!, BEGIN!, WORK, relink(2), WORK, relink(0), WORK]],
  [
    'a project is linked to a second vault during a private session',
    [
      LINK!,
      { ...BEGIN!, isPrivate: true } as Action,
      WORK,
      relink(2),
      { ...WORK, steps: 0 },
      END,
      { kind: 'resume', session: 0, isPrivate: false },
      WORK,
    ],
  ],
  [
    'an excluded folder is moved and moved back',
    [LINK!, BEGIN!, EXCLUDE, RENAME, WORK_INSIDE, ENTER, WORK, { ...RENAME, to: 0 }, LEAVE, WORK],
  ],
  [
    'an excluded folder is moved on before a hook is called',
    [LINK!, BEGIN!, EXCLUDE, RENAME, ENTER, ASK, { ...RENAME, to: 3 }, LEAVE, WORK],
  ],
  [
    'a linked project in a linked one is unlinked',
    [
      ...NESTED,
      BEGIN_AROUND,
      ENTER_NESTED,
      WORK,
      { kind: 'unlink', project: 3 },
      LEAVE_NESTED,
      WORK,
    ],
  ],
  [
    'a linked project in a linked one is moved and unlinked',
    [
      ...NESTED,
      BEGIN_AROUND,
      ENTER_NESTED,
      WORK,
      { kind: 'off', project: 3 },
      { kind: 'nest', project: 3, into: 2 },
      { ...BEGIN!, project: 3 },
      WORK,
      { kind: 'unlink', project: 3 },
      WORK,
    ],
  ],
  [
    'the project around a linked one is moved',
    [
      ...NESTED,
      { kind: 'moveProject', project: 2 },
      { kind: 'unlink', project: 3 },
      { kind: 'link', project: 3 },
      { ...BEGIN_AROUND, project: 3 },
      WORK,
      { kind: 'moveProject', project: 2 },
      { kind: 'brief', project: 3 },
      { kind: 'unlink', project: 2 },
    ],
  ],
  [
    'capture is paused in a folder that is gone later',
    [
      LINK!,
      BEGIN!,
      ASK,
      { kind: 'pause' },
      { ...ENTER, spot: 'nested' },
      WORK,
      { kind: 'moveProject', project: 0 },
    ],
  ],
  ['only the task is kept', [{ kind: 'link', project: 0, level: 'task' }, BEGIN!, WORK, WORK]],
  [
    'only the task is kept, and later all',
    [{ kind: 'link', project: 0, level: 'task' }, BEGIN!, WORK, WORK, LINK!, WORK],
  ],
];

it.each(someOf(CASES, 4))(
  'if %s, a vault has what may be captured of its project',
  async (_, actions) => {
    const begun: Action[] = [...actions, { kind: 'brief', project: 0 }];
    expect(await faultsAfter(begun)).toEqual([]);
  },
);

it('keeps with the level "task" only the current task and the beginning of the last answer', async () => {
  vi.setSystemTime(vi.getRealSystemTime()); // that of the hooks, which are processes
  const at = await captureProject('task');
  const session = recordedSession(at, 'claude-code', 'one');
  const call = (event: string) =>
    at.hook(event, { ...session.input, source: 'startup' }, '--background');
  await call('session-start');
  const long = 'And there is more to say. '.repeat(15);
  session.record(
    { kind: 'task', text: 'Please see FIRST1 here' },
    { kind: 'write', path: join(at.project, 'first.ts') },
    { kind: 'command', command: 'test FIRST2', fails: true },
    { kind: 'answer', text: 'It is FIRST3.' },
    { kind: 'task', text: 'Please see SECOND1 there, which is something else' },
    { kind: 'write', path: join(at.project, 'SECOND2.ts') },
    { kind: 'command', command: 'test SECOND3', fails: true },
    { kind: 'answer', text: `It is EARLIER. ${long}` },
    { kind: 'task', text: 'And SECOND4, too' },
    { kind: 'write', path: join(at.project, 'SECOND2.ts') },
    { kind: 'answer', text: `It is SECOND5. ${long}TAIL` },
  );
  await call('session-end');
  const kept = JSON.stringify(at.checkpoints());
  const brief = await at.brief();
  const bytes = bytesIn(at.vault);
  for (const word of ['SECOND1', 'SECOND2', 'SECOND3', 'SECOND4', 'SECOND5'])
    expect(kept).toContain(word);
  for (const shown of [kept, brief, bytes])
    for (const word of ['FIRST1', 'FIRST3', 'EARLIER', 'TAIL']) expect(shown).not.toContain(word);
});
