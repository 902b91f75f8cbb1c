import { appendFileSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runInProcess } from '../../fakes/in-process.js';
import { CAPTURED_CLIENTS, linesOf, type CapturedClient } from '../../fakes/transcripts.js';
import { createFolder } from '../../node/folders.js';
import { CONSENTS, SEED } from '../../tier.js';

const PROJECTS = 4;
const MINUTE = 60_000;
const PAUSE = 60 * MINUTE;

/** What happens next. Numbers choose one of what there is. */
type Action =
  | { readonly kind: 'link' | 'off' | 'unlink' | 'exclude' | 'include'; readonly project: number }
  | { readonly kind: 'pause' | 'unpause' }
  | {
      readonly kind: 'begin';
      readonly project: number;
      readonly client: number;
      isPrivate: boolean;
    }
  | { readonly kind: 'resume'; readonly session: number; readonly isPrivate: boolean }
  | { readonly kind: 'move'; readonly session: number; readonly project: number }
  | { readonly kind: 'work'; readonly session: number; readonly steps: number }
  | { readonly kind: 'end'; readonly session: number; readonly isKilled: boolean }
  | { readonly kind: 'wait'; readonly minutes: number };

const project = fc.nat(PROJECTS - 1);
const session = fc.nat(9);
const ACTION: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link' as const), project }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('off' as const, 'unlink', 'exclude', 'include'),
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
    arbitrary: fc.record({ kind: fc.constant('work' as const), session, steps: fc.nat(2) }),
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
  readonly cwd: number;
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
  readonly transcript: string;
  cwd: number;
  isPrivate: boolean;
  isRunning: boolean;
  turn: Turn | undefined;
  /** When a hook has noted it first. */
  notedAt?: number;
}

/** A time at which something was not to be captured; the last one of a kind may go on. */
interface Gap {
  readonly reason: string;
  readonly from: number;
  to: number;
}

/** Four projects with a vault each, and what should be in these. */
class World {
  readonly #home = realpathSync(createFolder());
  readonly #state = join(this.#home, 'state');
  readonly #folders = Array.from({ length: PROJECTS }, (_, n) => join(this.#home, `project-${n}`));
  readonly #vaults = Array.from({ length: PROJECTS }, (_, n) => join(this.#home, `vault-${n}`));
  readonly #sessions: Session[] = [];
  readonly #turns: Turn[] = [];
  readonly #gaps: Gap[] = [];
  readonly #linked = new Set<number>();
  /** When each project was last unlinked. */
  readonly #unlinkedAt = new Map<number, number>();
  /** What was rightly in its vault when something ceased to be captured; it stays there. */
  readonly #storedBefore = new Set<string>();
  #count = 0;

  constructor() {
    for (const [n, vault] of this.#vaults.entries()) {
      mkdirSync(join(vault, '.obsidian'), { recursive: true });
      mkdirSync(this.#folders[n]!);
      this.#begin(`link ${n}`, -Infinity);
    }
  }

  async do(action: Action): Promise<void> {
    this.#pass(1000);
    switch (action.kind) {
      case 'link':
        await this.#link(action.project, true);
        break;
      case 'off':
        if (this.#linked.has(action.project)) await this.#link(action.project, false);
        break;
      case 'unlink':
        await this.#unlink(action.project);
        break;
      case 'exclude':
        await this.#run(['links', '--exclude', this.#folders[action.project]!]);
        this.#begin(`folder ${action.project}`);
        break;
      case 'include':
        await this.#run(['links', '--include', this.#folders[action.project]!]);
        this.#end(`folder ${action.project}`);
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
      case 'begin':
        await this.#start(action.project, CAPTURED_CLIENTS[action.client]!, action.isPrivate);
        break;
      case 'resume':
        await this.#resume(action.session, action.isPrivate);
        break;
      case 'move': {
        const moved = this.#running(action.session);
        if (moved) moved.cwd = action.project;
        break;
      }
      case 'work': {
        const at = this.#running(action.session);
        if (at) await this.#work(at, action.steps);
        break;
      }
      case 'end': {
        const ended = this.#running(action.session);
        if (ended) await this.#stop(ended, action.isKilled);
        break;
      }
      case 'wait':
        this.#pass(action.minutes * MINUTE);
    }
  }

  /** Lets everything be captured, and a new session start in each project. */
  async finish(): Promise<void> {
    this.#pass(1000);
    await this.#run(['links', '--resume']);
    for (const n of this.#linked) {
      await this.#run(['links', '--include', this.#folders[n]!]);
      await this.#link(n, true);
    }
    for (const n of this.#linked) await this.#start(n, 'claude-code', false);
  }

  /** Returns what is where it should not be, and what is not where it should be. */
  faults(): string[] {
    const stored = this.#vaults.map(bytesIn);
    return this.#turns.flatMap((turn) => {
      const { session: of, pieces } = turn;
      return pieces.flatMap(({ token, cwd, at, isLasting }) => {
        const isAllowed = cwd === of.home && this.#isAllowed(turn);
        const text = `${token} of ${of.id} in project ${of.home}, at ${cwd}`;
        const isKept = at > (this.#unlinkedAt.get(of.home) ?? -Infinity);
        return stored.flatMap((bytes, n) => {
          const isThere = bytes.includes(token);
          const isExpected = n === of.home && (isAllowed || this.#storedBefore.has(token));
          if (isThere && !isExpected) return [`${text} is in vault ${n}`];
          const isDue = isAllowed && isKept && !this.#mayBeCopy(turn);
          const isMissing = isLasting && !isThere && isDue && n === of.home;
          return isMissing ? [`${text} is not in its vault`] : [];
        });
      });
    });
  }

  /**
   * True if a turn began before all that is known of its session, and another one was private by
   * then. It may be a copy of that, as in a session that continues another.
   */
  #mayBeCopy({ session: { id, home, notedAt = Infinity }, pieces }: Turn): boolean {
    const times = pieces.map(({ at }) => at);
    const [from, to] = [Math.min(...times), Math.max(...times)];
    const others = this.#sessions.filter((each) => each.home === home && each.id !== id);
    const reasons = others.map((other) => `private ${other.id}`);
    return (
      from < notedAt && this.#gaps.some((gap) => reasons.includes(gap.reason) && gap.from <= to)
    );
  }

  #isAllowed({ session: { home, id }, pieces }: Turn): boolean {
    const own = pieces.filter(({ cwd }) => cwd === home).map(({ at }) => at);
    const [from, to] = [Math.min(...own), Math.max(...own)];
    const reasons = ['pause', `link ${home}`, `off ${home}`, `folder ${home}`, `private ${id}`];
    return !this.#gaps.some(
      (gap) => reasons.includes(gap.reason) && gap.from <= to && from < gap.to,
    );
  }

  async #link(n: number, isCaptured: boolean): Promise<void> {
    const capture = isCaptured ? 'on' : 'off';
    const [folder, vault] = [this.#folders[n]!, this.#vaults[n]!];
    const where = ['--project', folder, '--workspace', 'Default', '--vault', vault];
    await this.#run(['link', ...where, '--capture', capture]);
    this.#linked.add(n);
    this.#end(`link ${n}`);
    if (isCaptured) this.#end(`off ${n}`);
    else this.#begin(`off ${n}`);
  }

  async #unlink(n: number): Promise<void> {
    if (!this.#linked.delete(n)) return;
    await this.#run(['unlink', '--project', this.#folders[n]!]);
    this.#end(`off ${n}`);
    this.#begin(`link ${n}`);
    this.#unlinkedAt.set(n, Date.now());
    for (const forgotten of this.#sessions) if (forgotten.home === n) delete forgotten.notedAt;
  }

  async #start(home: number, client: CapturedClient, isPrivate: boolean): Promise<void> {
    const id = `session-${this.#count++}`;
    const transcript = join(this.#home, `${id}.jsonl`);
    const state = { cwd: home, isPrivate, isRunning: true, turn: undefined };
    const started: Session = { id, client, home, transcript, ...state };
    this.#sessions.push(started);
    if (isPrivate) this.#begin(`private ${id}`);
    await this.#hook(started, 'session-start', 'startup');
    const first = { type: client === 'codex' ? 'turn_context' : 'attachment' };
    appendFileSync(transcript, `${lineAt(client, JSON.stringify(first), this.#folders[home]!)}\n`);
  }

  async #resume(index: number, isPrivate: boolean): Promise<void> {
    const stopped = this.#sessions.filter(({ isRunning }) => !isRunning);
    const resumed = stopped[index % stopped.length];
    if (!resumed) return;
    if (resumed.isPrivate !== isPrivate) {
      if (isPrivate) this.#begin(`private ${resumed.id}`);
      else this.#end(`private ${resumed.id}`);
    }
    Object.assign(resumed, { isPrivate, isRunning: true, turn: undefined, cwd: resumed.home });
    await this.#hook(resumed, 'session-start', 'resume');
  }

  #running(index: number): Session | undefined {
    const running = this.#sessions.filter(({ isRunning }) => isRunning);
    return running[index % running.length];
  }

  /** Continues the turn of a session, or begins one, which ends with the last step. */
  async #work(at: Session, steps: number): Promise<void> {
    if (!at.turn) {
      at.turn = { session: at, pieces: [] };
      this.#turns.push(at.turn);
      this.#write(at, (token) => ({ kind: 'task', text: `Please look into ${token} today` }));
    }
    for (let step = 0; step < steps; step++)
      this.#write(at, (token) => ({
        kind: 'write',
        path: `${this.#folders[at.client === 'gemini' ? at.home : at.cwd]!}/${token}.ts`,
      }));
    if (steps === 0) return; // it goes on
    this.#write(at, (token) => ({ kind: 'answer', text: `It is about ${token}.` }));
    at.turn = undefined;
    await this.#hook(at, 'turn');
    await this.#hook(at, 'pre-compact');
  }

  async #stop(at: Session, isKilled: boolean): Promise<void> {
    Object.assign(at, { isRunning: false, turn: undefined });
    if (!isKilled) await this.#hook(at, 'session-end');
  }

  #write(
    { client, transcript, turn, cwd }: Session,
    step: (token: string) => Parameters<typeof linesOf>[1],
  ): void {
    this.#pass(700);
    const token = `tok${this.#count++}en`;
    const made = step(token);
    const lines = linesOf(client, made, this.#count).map((line) =>
      lineAt(client, line, this.#folders[cwd]!),
    );
    if (client === 'codex')
      lines.unshift(lineAt(client, JSON.stringify({ type: 'turn_context' }), this.#folders[cwd]!));
    appendFileSync(transcript, lines.map((line) => `${line}\n`).join(''));
    // a Gemini session says nothing about its folder
    const named = client === 'gemini' ? turn!.session.home : cwd;
    turn?.pieces.push({ token, at: Date.now(), cwd: named, isLasting: made.kind === 'write' });
  }

  async #hook(at: Session, event: string, source = ''): Promise<void> {
    const { id, client, home, transcript, cwd, isPrivate } = at;
    const reasons = ['pause', `link ${home}`, `off ${home}`, `folder ${home}`];
    if (!this.#gaps.some(({ reason, to }) => reasons.includes(reason) && to > Date.now()))
      at.notedAt ??= Date.now();
    const variable = {
      'claude-code': 'CLAUDE_PROJECT_DIR',
      gemini: 'GEMINI_PROJECT_DIR',
      codex: '',
    };
    const env = {
      ...(variable[client] !== '' && { [variable[client]]: this.#folders[home] }),
      ...(isPrivate && { SAVEPOINT_PRIVATE: '1' }),
    };
    const input = { session_id: id, transcript_path: transcript, cwd: this.#folders[cwd], source };
    const args = ['hook', event, '--client', client, '--background'];
    await this.#run(args, JSON.stringify(input), env);
  }

  async #run(args: readonly string[], input = '', more: NodeJS.ProcessEnv = {}): Promise<void> {
    const env = { PATH: process.env['PATH'], SAVEPOINT_STATE: this.#state, ...more };
    const result = await runInProcess(this.#home, env, args, input);
    if (!result.endsWith('exit 0')) throw new Error(`${args.join(' ')}: ${result}`);
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
    for (const turn of this.#turns.filter((each) => this.#isAllowed(each))) {
      const { home } = turn.session;
      const bytes = bytesIn(this.#vaults[home]!);
      for (const { token, cwd } of turn.pieces)
        if (cwd === home && bytes.includes(token)) this.#storedBefore.add(token);
    }
    this.#gaps.push(gap);
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

function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

it(`in ${CONSENTS} random sequences, a vault has what may be captured of its project`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ACTION, { minLength: 8, maxLength: 24 }), async (actions) => {
      // what has not changed for 14 days is removed, and the times of files are real
      vi.setSystemTime(vi.getRealSystemTime());
      const world = new World();
      await world.do({ kind: 'link', project: 0 });
      await world.do({ kind: 'begin', project: 0, client: actions.length % 3, isPrivate: false });
      for (const action of actions) await world.do(action);
      await world.finish();
      expect(world.faults()).toEqual([]);
    }),
    { numRuns: CONSENTS, seed: SEED, endOnFailure: false },
  );
}, 3_600_000);
