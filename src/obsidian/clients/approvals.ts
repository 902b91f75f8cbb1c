import { clientRefusal, needsApproval, type ClientPolicy } from '../../agents/client-policy.js';
import type { JsonObject } from '../../model/event.js';
import type { Clock } from '../../platform/clock.js';
import type { ApprovalDecision } from '../../toolkit/approval.js';
import type { Tool } from '../../toolkit/define-tool.js';
import type { PendingCall } from '../../toolkit/toolset.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';

/** `session` covers calls of the same client in the same session until the app is closed. `always` is set as the client's access instead. */
type CallDecision = Exclude<ApprovalDecision, 'always'>;

/** A call that waits for the person. */
export interface Question {
  readonly id: number;
  /** The name that the client gave itself. */
  readonly client: string;
  readonly tool: Pick<Tool<never>, 'title' | 'description' | 'access' | 'isRelay'>;
  readonly params: JsonObject;
  readonly workspaceName: string;
}

export interface Approvals {
  /** Those that wait now, the oldest first. */
  readonly questions: Store<readonly Question[]>;
  /** Why a client's call may not be made, in words; undefined where it may. Waits for the person where the person is to be asked. */
  refuse(tool: Tool<never>, client: string, call: PendingCall): Promise<string | undefined>;
  /** Has no effect on a question for which nobody waits any more. */
  answer(id: number, decision: CallDecision): void;
  /** Refuses what waits, and what comes. */
  close(): void;
}

/** A call is answered within 45 seconds, whatever the answer is; a person has most of that, in milliseconds. */
const ASK_LIMIT = 40_000;

/** With more questions than this, what comes is refused: nobody would read it in time. */
const MOST_QUESTIONS = 100;

/** So many sessions and answered calls are remembered. */
const MOST_REMEMBERED = 200;

interface Waiting extends Question {
  /** What tells a call that is repeated from another; undefined where calls have no key. */
  readonly same: string | undefined;
  readonly session: string;
  /** How many calls wait for the answer: one that is repeated waits with the first. */
  callers: number;
  readonly answered: Promise<string | undefined>;
  readonly settle: (refusal: string | undefined) => void;
}

/** The calls that wait for the person's leave. Nothing of it is kept: once the app was closed, whoever was allowed asks again. */
export function createApprovals(clock: Clock, policy: Store<ClientPolicy>): Approvals {
  const questions = createStore<readonly Waiting[]>([]);
  const sessions = new Map<string, true>();
  /** What was answered, so that a call that is made again with its key is not asked about again. */
  const answers = new Map<string, string | undefined>();
  let lastId = 0;
  let isClosed = false;

  const stopFollowing = policy.subscribe(() => {
    for (const question of questions.get())
      if (!needsApproval(policy.get(), question.client, question.tool))
        finish(question, clientRefusal(policy.get(), question.client, question.tool));
  });

  function finish(question: Waiting, refusal: string | undefined): void {
    if (!questions.get().includes(question)) return;
    questions.set(questions.get().filter((other) => other !== question));
    question.settle(refusal);
  }

  function open(
    question: Pick<Waiting, 'client' | 'tool' | 'params' | 'workspaceName' | 'same' | 'session'>,
  ): Waiting {
    let resolve: Waiting['settle'] = () => undefined;
    const answered = new Promise<string | undefined>((settle) => (resolve = settle));
    const cancel = clock.after(ASK_LIMIT, () =>
      finish(waiting, text.connections.approvals.refusals.tooLate(ASK_LIMIT / 1000)),
    );
    const settle = (refusal: string | undefined) => {
      cancel();
      resolve(refusal);
    };
    const waiting: Waiting = { ...question, id: ++lastId, callers: 0, answered, settle };
    questions.set([...questions.get(), waiting]);
    return waiting;
  }

  async function ask(
    tool: Tool<never>,
    client: string,
    call: PendingCall,
  ): Promise<string | undefined> {
    const { full, closed, cancelled } = text.connections.approvals.refusals;
    const { key, signal, params, workspace, sessionId } = call;
    if (isClosed) return closed;
    if (signal?.aborted) return cancelled;
    const session = JSON.stringify([client, sessionId]);
    if (sessions.has(session)) return undefined;
    const same =
      key === undefined
        ? undefined
        : JSON.stringify([client, key, tool.name, workspace.id, params]);
    if (same !== undefined && answers.has(same)) return answers.get(same);
    const held = questions.get().find((question) => same !== undefined && question.same === same);
    if (!held && questions.get().length >= MOST_QUESTIONS) return full;
    const question =
      held ?? open({ client, tool, params, workspaceName: workspace.name, same, session });
    question.callers++;
    const leave = () => {
      if (--question.callers === 0) finish(question, cancelled);
    };
    signal?.addEventListener('abort', leave, { once: true });
    return question.answered.finally(() => signal?.removeEventListener('abort', leave));
  }

  return {
    questions,
    async refuse(tool, client, call) {
      return needsApproval(policy.get(), client, tool)
        ? ask(tool, client, call)
        : clientRefusal(policy.get(), client, tool);
    },
    answer(id, decision) {
      const question = questions.get().find((other) => other.id === id);
      if (!question) return;
      const refusal = decision === 'deny' ? text.connections.approvals.refusals.refused : undefined;
      if (question.same !== undefined) remember(answers, question.same, refusal);
      finish(question, refusal);
      if (decision !== 'session') return;
      remember(sessions, question.session, true);
      for (const other of questions.get())
        if (other.session === question.session) finish(other, undefined);
    },
    close() {
      isClosed = true;
      stopFollowing();
      for (const question of questions.get())
        finish(question, text.connections.approvals.refusals.closed);
    },
  };
}

function remember<T>(held: Map<string, T>, key: string, value: T): void {
  held.delete(key);
  held.set(key, value);
  const oldest = held.keys().next();
  if (held.size > MOST_REMEMBERED && !oldest.done) held.delete(oldest.value);
}
