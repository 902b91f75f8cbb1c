import { useId } from 'preact/hooks';
import { allTools } from '../../../../toolkit/toolkit.js';
import { isJsonObject, type Json } from '../../../../model/event.js';
import { lookupState, workspaceById, type Named } from '../../../../model/lookup.js';
import type { State } from '../../../../model/state.js';
import type { ModelToolCall } from '../../../../chat/language-model.js';
import type { PanelCall } from '../../../../chat/panel.js';
import type { ToolPart } from '../../../../model/message.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import { clip } from '../../../../model/refusal.js';
import type { ApprovalDecision } from '../../../../toolkit/approval.js';
import { act } from '../../../actions.js';
import { callSentence } from '../../../calls/call-sentence.js';
import { toolTitle } from '../../../calls/labels.js';
import { shownParams } from '../../../clients/approvals/approval-texts.js';
import { text } from '../../../i18n/index.js';
import { MoreButton } from '../../../memory/page-parts.js';
import { Icon } from '../../../ui/components.js';
import { useStore } from '../../../ui/use-store.js';
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
  readonly call: Pick<
    ModelToolCall,
    'id' | 'tool' | 'title' | 'params' | 'changes' | 'notUndoable'
  >;
  readonly status: PanelCall['status'];
  readonly part?: ToolPart | undefined;
}

/** A tool call with its title and status, and on demand with its parameters and result. */
export function CallCard({ host, call, status, part }: CardProps) {
  const labels = text.chat.call;
  const known = allTools(host.savepoint.toolkit).find(({ tool }) => tool.name === call.tool)?.tool;
  const title = known ? toolTitle(known) : visibleText(titleOf(call, host.isReadOnly));
  const subject = call.title === undefined ? subjectOf(call.params) : '';
  const sentence = status === 'done' ? callSentence(call.tool, subject) : undefined;
  const saved = useSavedState(host, call, status);
  const titleId = useId();
  const isError = status === 'failed' || status === 'denied';
  return (
    <div class={`savepoint-call-card mod-${status}`} role="group" aria-labelledby={titleId}>
      <details>
        <summary>
          <span class={`savepoint-line-icon${isError ? ' mod-error' : ''}`}>
            <Icon name={ICONS[status]} />
          </span>
          <span class="savepoint-call-title" id={titleId}>
            {sentence ? (
              <>
                {sentence.before}
                <bdi class="savepoint-call-subject">{sentence.subject}</bdi>
                {sentence.after}
              </>
            ) : (
              <>
                {title} <bdi class="savepoint-call-subject">{subject}</bdi>
              </>
            )}
          </span>
          <span class="savepoint-call-status">{labels.status[status]}</span>
        </summary>
        <div class="savepoint-call-body">
          <h4>{labels.parameters}</h4>
          <pre class="savepoint-code" tabIndex={0}>
            {visibleText(JSON.stringify(call.params, undefined, 2))}
          </pre>
          {part?.answer !== undefined && (
            <>
              <h4>{labels.result}</h4>
              <pre class="savepoint-code" tabIndex={0}>
                {resultText(part.answer)}
              </pre>
            </>
          )}
        </div>
      </details>
      {saved && (
        <div class="savepoint-call-buttons">
          <button type="button" onClick={() => act(() => host.actions.openState(saved))}>
            {text.general.open}
          </button>
        </div>
      )}
      {call.changes?.map((diff) => (
        <DiffLines diff={diff} />
      ))}
      <CallProblems host={host} call={call} status={status} part={part} />
      {status === 'asking' && known && <WrittenFields host={host} params={call.params} />}
      {status === 'asking' && (
        <ApprovalButtons
          host={host}
          callId={call.id}
          note={known ? labels.writes : asksText(call.tool)}
          canAllowAlways={known !== undefined && known.access !== 'destroy'}
        />
      )}
      {status === 'failed' && known && !host.controller.isBusy() && !host.isReadOnly && (
        <div class="savepoint-call-buttons">
          <button type="button" onClick={() => host.openToolForm(call.tool, call.params)}>
            {labels.again}
          </button>
        </div>
      )}
    </div>
  );
}

/** Says what cannot be undone, and why a call has failed or was refused. */
function CallProblems({ host, call, status, part }: CardProps) {
  const isRefused = status === 'denied' && part?.answer !== undefined;
  const files = call.notUndoable?.map((path) => visibleText(path)).join(', ');
  return (
    <>
      {files !== undefined && (
        <p class="savepoint-call-error">{text.chatAgents.notUndoable(files)}</p>
      )}
      {(status === 'failed' || isRefused) && (
        <p class="savepoint-call-error">{errorOf(host, part?.answer)}</p>
      )}
    </>
  );
}

const MAX_FIELD_LINES = 4;
const MAX_FIELD_CHARS = 300;

/** Workspace and parameters of a call that waits for approval, each with its first lines. */
function WrittenFields({ host, params }: { host: ConversationHost; params: Json }) {
  const memory = useStore(host.savepoint.memory);
  const workspace = workspaceById(memory, useStore(host.controller.workspaceId));
  const { context: _, ...own } = isJsonObject(params) ? params : {};
  return (
    <dl class="savepoint-facts savepoint-written" tabIndex={0}>
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
  { tool, params }: CardProps['call'],
  status: CardProps['status'],
): Named<State> | undefined {
  const memory = useStore(savepoint.memory);
  if (tool !== 'createState' || status !== 'done' || !isJsonObject(params)) return undefined;
  const { name } = params;
  if (typeof name !== 'string') return undefined;
  const found = lookupState(memory, controller.workspaceId.get(), name);
  return 'item' in found ? found.item : undefined;
}

interface ApprovalProps {
  readonly host: ConversationHost;
  readonly callId: string;
  readonly note: string;
  /** False for tools that destroy something, which the user must allow in each conversation. */
  readonly canAllowAlways: boolean;
}

function ApprovalButtons({ host, callId, note, canAllowAlways }: ApprovalProps) {
  const { once, conversation, always, deny, options } = text.chat.call;
  const decide = (decision: ApprovalDecision) => () => {
    host.controller.decideCall(callId, decision);
    host.focusComposer();
  };
  return (
    <>
      <p class="savepoint-call-note">{note}</p>
      <div class="savepoint-call-buttons">
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
    </>
  );
}

/** Returns the title of a call of a tool that is not this program's. */
function titleOf({ tool, title }: CardProps['call'], isReadOnly: boolean): string {
  const { kinds, plan } = text.chatAgents;
  if (title !== undefined)
    return title === '' ? (kinds[tool] ?? (tool === 'plan' ? plan : tool)) : title;
  return isReadOnly ? tool : text.chat.call.unknown(tool);
}

const MAX_SUBJECT_CHARS = 60;

/** Returns a call's subject: its parameter `name` or `query`, else its first text parameter. */
function subjectOf(params: Json): string {
  if (!isJsonObject(params)) return '';
  const { name, query } = params;
  const subject = [name, query, ...Object.values(params)].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return clip(typeof subject === 'string' ? subject : '', MAX_SUBJECT_CHARS);
}

function resultText(answer: Json): string {
  const shown =
    isJsonObject(answer) && answer['success'] === true && answer['data'] !== undefined
      ? answer['data']
      : answer;
  return visibleText(typeof shown === 'string' ? shown : JSON.stringify(shown, undefined, 2));
}

function asksText(kind: string): string {
  const { asks, asksCommand } = text.chatAgents;
  return kind === 'execute' ? `${asks} ${asksCommand}` : asks;
}

function errorOf({ savepoint }: ConversationHost, answer: Json | undefined): string {
  return isJsonObject(answer) && typeof answer['error'] === 'string'
    ? visibleText(errorForUsers(savepoint, answer['error']))
    : text.general.fault;
}
