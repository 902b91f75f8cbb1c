import type { JsonObject } from '../../../model/event.js';
import type { ClientPolicy } from '../../../model/settings/permissions.js';
import type { Clock } from '../../../platform/clock.js';
import {
  clientRefusal,
  needsApproval,
  type ApprovalDecision,
} from '../../../toolkit/client-policy.js';
import type { Tool } from '../../../toolkit/define-tool.js';
import type { PendingCall } from '../../../toolkit/toolkit.js';
import { createStore, type Store } from '../../store.js';
import { text } from '../../i18n/index.js';

/** `session` allows the session's other calls until the app closes; `always` is saved instead. */
type CallDecision = Exclude<ApprovalDecision, 'always'>;

/** A call that is waiting for the user's approval. */
export interface Question {
  readonly id: number;
  /** The name that the client gave itself. */
  readonly client: string;
  readonly tool: Pick<Tool<never>, 'name' | 'title' | 'kinds' | 'access' | 'isRelay'>;
  readonly params: JsonObject;
  /** Undefined for a call that no workspace concerns. */
  readonly workspaceName: string | undefined;
}

/** Time for the user to decide. Calls must be answered within 45 seconds. */
export const APPROVAL_TIMEOUT_MS = 40_000;

/** Further calls are refused, because nobody would read the requests in time. */
const MAX_QUESTIONS = 100;

/** Number of sessions and of answered calls remembered. */
const MAX_REMEMBERED = 200;

interface Waiting extends Question {
  /** Identifies repeated calls; undefined if the call has no key. */
  readonly callId: string | undefined;
  readonly session: string;
  /** Number of callers waiting; a repeated call waits with the first one. */
  callers: number;
  readonly answered: Promise<string | undefined>;
  readonly settle: (refusal: string | undefined) => void;
}

type NewQuestion = Pick<
  Waiting,
  'client' | 'tool' | 'params' | 'workspaceName' | 'callId' | 'session'
>;

/** Calls waiting for the user's approval. Nothing is stored: after a restart, clients ask again. */
export class Approvals {
  readonly #clock: Clock;
  readonly #policy: Store<ClientPolicy>;
  readonly #questions = createStore<readonly Waiting[]>([]);
  readonly #sessions = new Map<string, true>();
  /** Answers by call id, so that the user is not asked again about a repeated call. */
  readonly #answers = new Map<string, string | undefined>();
  readonly #stopFollowing: () => void;
  #lastId = 0;
  #isClosed = false;

  constructor(clock: Clock, policy: Store<ClientPolicy>) {
    this.#clock = clock;
    this.#policy = policy;
    this.#stopFollowing = policy.subscribe(() => this.#applyPolicy());
  }

  /** The waiting calls, oldest first. */
  get questions(): Store<readonly Question[]> {
    return this.#questions;
  }

  /** Resolves with the reason for a refusal, or undefined. Asks the user if the policy says so. */
  async refuse(tool: Tool<never>, client: string, call: PendingCall): Promise<string | undefined> {
    return needsApproval(this.#policy.get(), client, tool)
      ? this.#ask(tool, client, call)
      : clientRefusal(this.#policy.get(), client, tool);
  }

  /** Applies the user's decision on a call. Has no effect if nobody is waiting for the decision. */
  answer(id: number, decision: CallDecision): void {
    const question = this.#questions.get().find((other) => other.id === id);
    if (!question) return;
    const refusal = decision === 'deny' ? text.connections.approvals.refusals.refused : undefined;
    if (question.callId !== undefined) remember(this.#answers, question.callId, refusal);
    this.#finish(question, refusal);
    if (decision !== 'session') return;
    remember(this.#sessions, question.session, true);
    for (const other of this.#questions.get())
      if (other.session === question.session) this.#finish(other, undefined);
  }

  /** Refuses the waiting calls and all later ones that need approval. */
  close(): void {
    this.#isClosed = true;
    this.#stopFollowing();
    for (const question of this.#questions.get())
      this.#finish(question, text.connections.approvals.refusals.closed);
  }

  #applyPolicy(): void {
    const policy = this.#policy.get();
    for (const question of this.#questions.get())
      if (!needsApproval(policy, question.client, question.tool))
        this.#finish(question, clientRefusal(policy, question.client, question.tool));
  }

  #finish(question: Waiting, refusal: string | undefined): void {
    const questions = this.#questions.get();
    if (!questions.includes(question)) return;
    this.#questions.set(questions.filter((other) => other !== question));
    question.settle(refusal);
  }

  #open(question: NewQuestion): Waiting {
    let resolve: Waiting['settle'] = () => undefined;
    const answered = new Promise<string | undefined>((settle) => {
      resolve = settle;
    });
    const cancel = this.#clock.after(APPROVAL_TIMEOUT_MS, () =>
      this.#finish(
        waiting,
        text.connections.approvals.refusals.tooLate(APPROVAL_TIMEOUT_MS / 1000),
      ),
    );
    const settle = (refusal: string | undefined) => {
      cancel();
      resolve(refusal);
    };
    this.#lastId++;
    const waiting: Waiting = { ...question, id: this.#lastId, callers: 0, answered, settle };
    this.#questions.set([...this.#questions.get(), waiting]);
    return waiting;
  }

  async #ask(tool: Tool<never>, client: string, call: PendingCall): Promise<string | undefined> {
    const { full, closed, cancelled } = text.connections.approvals.refusals;
    const { key, signal, params, workspace, sessionId } = call;
    if (this.#isClosed) return closed;
    if (signal?.aborted) return cancelled;
    const session = JSON.stringify([client, sessionId]);
    if (this.#sessions.has(session)) return undefined;
    const callId =
      key === undefined
        ? undefined
        : JSON.stringify([client, key, tool.name, workspace.id, params]);
    if (callId !== undefined && this.#answers.has(callId)) return this.#answers.get(callId);
    const questions = this.#questions.get();
    const pending = questions.find((other) => callId !== undefined && other.callId === callId);
    if (!pending && questions.length >= MAX_QUESTIONS) return full;
    const workspaceName = tool.usesWorkspace?.(params) === true ? workspace.name : undefined;
    const question =
      pending ?? this.#open({ client, tool, params, workspaceName, callId, session });
    question.callers++;
    const leave = () => {
      question.callers--;
      if (question.callers === 0) this.#finish(question, cancelled);
    };
    signal?.addEventListener('abort', leave, { once: true });
    return question.answered.finally(() => signal?.removeEventListener('abort', leave));
  }
}

function remember<T>(held: Map<string, T>, key: string, value: T): void {
  held.delete(key);
  held.set(key, value);
  const oldest = held.keys().next();
  if (held.size > MAX_REMEMBERED && !oldest.done) held.delete(oldest.value);
}
