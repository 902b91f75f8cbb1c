import { useId } from 'preact/hooks';
import { isJsonObject, type Json } from '../../../../model/event.js';
import { lookupState, workspaceById, type Named } from '../../../../model/lookup.js';
import type { State } from '../../../../model/state.js';
import type { PanelCall, ShownCall } from '../../../../chat/panel.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import { clip } from '../../../../model/refusal.js';
import type { ApprovalDecision } from '../../../../toolkit/client-policy.js';
import { act } from '../../../actions.js';
import { callSentence, subjectOf } from '../../../calls/call-sentence.js';
import { isRetried, isWrite } from '../../../calls/folded-calls.js';
import { toolNamed, toolTitle } from '../../../calls/labels.js';
import { shownParams } from '../../../clients/approvals/approval-texts.js';
import { text } from '../../../i18n/index.js';
import { MoreButton } from '../../../memory/page-parts.js';
import { Icon } from '../../../ui/components.js';
import { useSelected, useStore } from '../../../ui/use-store.js';
import { errorForUsers } from '../../../calls/user-texts.js';
import { DiffLines } from '../diff-lines.js';
import type { ConversationHost } from '../host.js';

const ICONS: Record<PanelCall['status'], string> = {
  asking: 'hand',
  waiting: 'clock',
  running: 'loader',
  done: 'check',
  failed: 'triangle-alert',
  denied: 'ban',
  stopped: 'square',
};

interface CardProps {
  readonly host: ConversationHost;
  readonly call: ShownCall;
}

/** A tool call as a line that opens; a box if it writes or waits for the user's decision. */
export function CallCard({ host, call }: CardProps) {
  const { tool, params, status, changes } = call;
  const { savepoint, controller, isReadOnly } = host;
  const known = toolNamed(savepoint, tool);
  const saved = useSavedState(host, call);
  const isAgain = useSelected(
    controller.panel,
    ({ live }) => status === 'failed' && isRetried(call, controller.path(), live?.calls ?? []),
  );
  const titleId = useId();
  const isFailed = status === 'failed';
  const isError = isFailed || status === 'denied';
  const isBox = status === 'asking' || (status === 'done' && isWrite(call, known));
  const canRunAgain = isFailed && known && !isAgain && !controller.isBusy() && !isReadOnly;
  return (
    <div
      class={`savepoint-call-card mod-${status}${isBox ? ' mod-box' : ''}`}
      role="group"
      aria-labelledby={titleId}
      tabIndex={status === 'asking' ? 0 : undefined}
    >
      <details>
        <summary>
          <span class={`savepoint-line-icon${isError ? ' mod-error' : ''}`}>
            <Icon name={ICONS[status]} />
          </span>
          <CallTitle id={titleId} call={call} known={known} host={host} isAgain={isAgain} />
          <Icon name="chevron-right" />
        </summary>
        {isAgain && <CallError host={host} call={call} />}
        <CallData call={call} />
      </details>
      {isFailed && !isAgain && <CallError host={host} call={call} />}
      {changes?.map((diff) => (
        <DiffLines diff={diff} />
      ))}
      {call.notUndoable && (
        <p class="savepoint-call-error">
          {text.chatAgents.notUndoable(call.notUndoable.map(visibleText).join(', '))}
        </p>
      )}
      {status === 'denied' && call.answer !== undefined && <CallError host={host} call={call} />}
      {status === 'asking' && known && <WrittenFields host={host} params={params} />}
      {status === 'asking' && (
        <ApprovalButtons
          host={host}
          call={call}
          canAllowAlways={known !== undefined && known.access !== 'destroy'}
        />
      )}
      {(saved ?? canRunAgain) && (
        <div class="savepoint-call-buttons">
          <button
            type="button"
            onClick={() =>
              saved ? act(() => host.actions.openState(saved)) : host.openToolForm(tool, params)
            }
          >
            {saved ? text.general.open : text.chat.call.again}
          </button>
        </div>
      )}
    </div>
  );
}

interface TitleProps extends CardProps {
  readonly id: string;
  readonly known: ReturnType<typeof toolNamed>;
  /** True if the failed call is made again. */
  readonly isAgain: boolean;
}

/** What a call has done or does, with its subject, or how it has failed. */
function CallTitle({ host, call, id, known, isAgain }: TitleProps) {
  const { failed, retried, denied, stopped } = text.calls;
  const { status } = call;
  const title = known ? toolTitle(known) : visibleText(titleOf(call, host.isReadOnly));
  const outcomes = { failed: isAgain ? retried : failed, denied, stopped };
  const subject = call.title === undefined ? subjectOf(call.params) : '';
  const outcome = new Map(Object.entries(outcomes)).get(status)?.(title);
  const sentence = (status === 'done' ? callSentence(call.tool, subject) : undefined) ?? {
    before: outcome ?? `${title} `,
    subject: outcome === undefined ? subject : '',
    after: '',
  };
  return (
    <span class="savepoint-call-title" id={id}>
      {sentence.before}
      <bdi class="savepoint-call-subject">{sentence.subject}</bdi>
      {sentence.after}
    </span>
  );
}

/** Parameters and result of a call. */
function CallData({ call: { params, answer } }: Pick<CardProps, 'call'>) {
  const { parameters, result } = text.chat.call;
  return (
    <div class="savepoint-call-body">
      <h4>{parameters}</h4>
      <pre class="savepoint-code" tabIndex={0}>
        {visibleText(JSON.stringify(params, undefined, 2))}
      </pre>
      {answer !== undefined && (
        <>
          <h4>{result}</h4>
          <pre class="savepoint-code" tabIndex={0}>
            {resultText(answer)}
          </pre>
        </>
      )}
    </div>
  );
}

/** Says why a call has failed or was refused. */
function CallError({ host: { savepoint }, call: { answer } }: CardProps) {
  const error = isJsonObject(answer) ? answer['error'] : undefined;
  const shown =
    typeof error === 'string' ? visibleText(errorForUsers(savepoint, error)) : text.general.fault;
  return <p class="savepoint-call-error">{shown}</p>;
}

const MAX_FIELD_LINES = 4;
const MAX_FIELD_CHARS = 300;

/** Workspace and parameters of a call that waits for approval, each with its first lines. */
function WrittenFields({ host, params }: { host: ConversationHost; params: Json }) {
  const memory = useStore(host.savepoint.memory);
  const workspace = workspaceById(memory, useStore(host.controller.workspaceId));
  const { context: _, ...own } = isJsonObject(params) ? params : {};
  return (
    <dl class="savepoint-facts savepoint-written">
      <div>
        <dt>{text.connections.approvals.workspace}</dt>
        <dd dir="auto">{workspace.name}</dd>
      </div>
      {shownParams(own).map(({ label, value }) => (
        <div>
          <dt>{label}</dt>
          <dd dir="auto">{firstLines(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function firstLines(value: string): string {
  const lines = value.split('\n');
  const first = lines.slice(0, MAX_FIELD_LINES).join('\n');
  return clip(lines.length > MAX_FIELD_LINES ? `${first}…` : first, MAX_FIELD_CHARS);
}

function useSavedState(
  { savepoint, controller }: ConversationHost,
  { tool, params, status }: ShownCall,
): Named<State> | undefined {
  const memory = useStore(savepoint.memory);
  if (tool !== 'createState' || status !== 'done' || !isJsonObject(params)) return undefined;
  const { name } = params;
  if (typeof name !== 'string') return undefined;
  const found = lookupState(memory, controller.workspaceId.get(), name);
  return 'item' in found ? found.item : undefined;
}

interface ApprovalProps extends CardProps {
  /** False for tools that destroy something, which the user must allow in each conversation. */
  readonly canAllowAlways: boolean;
}

function ApprovalButtons({ host, call, canAllowAlways }: ApprovalProps) {
  const { once, conversation, always, deny, options } = text.chat.call;
  const decide = (decision: ApprovalDecision) => () => {
    host.controller.decideCall(call.id, decision);
    host.focusComposer();
  };
  return (
    <div class="savepoint-call-buttons">
      {call.tool === 'execute' && <p class="savepoint-call-note">{text.chatAgents.asksCommand}</p>}
      <button type="button" class="mod-cta" onClick={decide('once')}>
        {once}
      </button>
      <button type="button" onClick={decide('deny')}>
        {deny}
      </button>
      <MoreButton
        label={options}
        actions={[
          { icon: 'message-square', label: conversation, run: decide('session') },
          ...(canAllowAlways
            ? [{ icon: 'check-check', label: always, run: decide('always') }]
            : []),
        ]}
      />
    </div>
  );
}

/** Returns the title of a call of a tool that is not this program's. */
function titleOf({ tool, title }: ShownCall, isReadOnly: boolean): string {
  const { kinds, plan } = text.chatAgents;
  if (title !== undefined)
    return title === '' ? (kinds[tool] ?? (tool === 'plan' ? plan : tool)) : title;
  return isReadOnly ? tool : text.chat.call.unknown(tool);
}

function resultText(answer: Json): string {
  const shown =
    isJsonObject(answer) && answer['success'] === true && answer['data'] !== undefined
      ? answer['data']
      : answer;
  return visibleText(typeof shown === 'string' ? shown : JSON.stringify(shown, undefined, 2));
}
