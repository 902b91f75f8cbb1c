import { useId } from 'preact/hooks';
import { isJsonObject, type Json } from '../../../../model/event.js';
import { workspaceById } from '../../../../model/lookup.js';
import type { PanelCall, ShownCall } from '../../../../chat/panel.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import { clip } from '../../../../model/refusal.js';
import type { ApprovalDecision } from '../../../../toolkit/client-policy.js';
import { act } from '../../../actions.js';
import { callSentence, subjectOf, wholeSubject } from '../../../calls/call-sentence.js';
import { createdBy } from '../../../calls/created.js';
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
  useStore(savepoint.memory);
  const created = createdBy(savepoint, call, controller.workspaceId.get());
  const isAgain = useSelected(
    controller.panel,
    ({ live }) => status === 'failed' && isRetried(call, controller.path(), live?.calls ?? []),
  );
  const titleId = useId();
  const isFailed = status === 'failed';
  const isError = isFailed || status === 'denied';
  const isBox = status === 'asking' || (status === 'done' && isWrite(call, known));
  const canRunAgain = isFailed && known && !isAgain && !controller.isBusy() && !isReadOnly;
  const { openState, openRecord } = host.actions;
  const open = (made: NonNullable<typeof created>) =>
    'state' in made ? openState(made.state) : openRecord(made.record);
  const shown = { host, call, known };
  const isHere = status === 'asking' || created !== undefined;
  const fields = known && <WrittenFields {...shown} isHere={isHere} />;
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
          <CallTitle {...shown} id={titleId} isAgain={isAgain} />
          <Icon name="chevron-right" />
        </summary>
        {isAgain && <CallError host={host} call={call} />}
        {status !== 'asking' && fields}
        <CallData call={call} isOpen={status === 'asking' || known?.access !== 'write'} />
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
      {status === 'asking' && fields}
      {status === 'asking' && <ApprovalButtons {...shown} />}
      {(created ?? canRunAgain) && (
        <div class="savepoint-call-buttons">
          <button
            type="button"
            onClick={() => (created ? act(() => open(created)) : host.openToolForm(tool, params))}
          >
            {created ? text.general.open : text.chat.call.again}
          </button>
          {created && (
            <button type="button" onClick={() => act(created.change)}>
              {text.general[created.isArchived ? 'redo' : 'undo']}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface KnownProps extends CardProps {
  /** Undefined for a tool that is not this program's. */
  readonly known: ReturnType<typeof toolNamed>;
}

interface TitleProps extends KnownProps {
  readonly id: string;
  /** True if the failed call is made again. */
  readonly isAgain: boolean;
}

/** What a call has done or does, with its subject, or how it has failed. */
function CallTitle({ host, call, id, known, isAgain }: TitleProps) {
  const { failed, retried, denied, stopped } = text.calls;
  const { status } = call;
  const title = known ? toolTitle(known, call.params) : visibleText(titleOf(call, host.isReadOnly));
  const outcomes = { failed: isAgain ? retried : failed, denied, stopped };
  const subject = call.title === undefined ? subjectOf(call.params) : '';
  const outcome = new Map(Object.entries(outcomes)).get(status)?.(title);
  const sentence = (status === 'done' ? callSentence(call.tool, subject) : undefined) ?? {
    before: outcome ?? (subject === '' ? title : text.connections.approvals.action(title, '')),
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
function CallData({ call, isOpen }: Pick<CardProps, 'call'> & { readonly isOpen: boolean }) {
  const { params, answer } = call;
  const { parameters, result } = text.chat.call;
  return (
    <details class="savepoint-call-body" open={isOpen}>
      <summary>
        {text.connections.approvals.data}
        <Icon name="chevron-right" />
      </summary>
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
    </details>
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

/** What a call's title does not say: the workspace that it is in, and its parameters, cut. */
function WrittenFields(props: KnownProps & { readonly isHere: boolean }) {
  const { host, known, isHere } = props;
  const { params } = props.call;
  const memory = useStore(host.savepoint.memory);
  const { name: value } = workspaceById(memory, useStore(host.controller.workspaceId));
  const { context: _, ...own } = isJsonObject(params) ? params : {};
  const subject = wholeSubject(own);
  const titled = new Set([subject.name, ...(known?.kinds?.params ?? [])]);
  const others = Object.entries(own).filter(([name]) => !titled.has(name));
  const fields = [
    ...(subject.value === subjectOf(own) ? [] : shownParams({ [subject.name]: subject.value })),
    ...(isHere ? [{ label: text.connections.approvals.workspace, value }] : []),
    ...shownParams(Object.fromEntries(others)),
  ];
  return (
    <dl class="savepoint-facts savepoint-written">
      {fields.map(({ label, value }) => (
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

/** A tool that destroys something must be allowed in each conversation. */
function ApprovalButtons({ host, call, known }: KnownProps) {
  const canAllowAlways = known !== undefined && known.access !== 'destroy';
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
