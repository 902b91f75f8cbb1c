import { useId } from 'preact/hooks';
import { allTools } from '../../../../toolkit/toolset.js';
import { isJsonObject, type Json } from '../../../../model/event.js';
import type { PanelCall } from '../../../../chat/panel.js';
import type { ToolPart } from '../../../../model/message.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import type { ApprovalDecision } from '../../../../toolkit/approval.js';
import { text } from '../../../i18n/index.js';
import { Icon } from '../../../ui/components.js';
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
  readonly call: { readonly id: string; readonly tool: string; readonly params: Json };
  readonly status: PanelCall['status'];
  readonly part?: ToolPart | undefined;
}

/** A tool call with its title and status, and on demand with its parameters and result. */
export function CallCard({ host, call, status, part }: CardProps) {
  const labels = text.chat.call;
  const known = allTools(host.savepoint.toolset).find(({ tool }) => tool.name === call.tool)?.tool;
  const title =
    known?.title ?? visibleText(host.isReadOnly ? call.tool : labels.unknown(call.tool));
  const subject = subjectOf(call.params);
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
            {title}
            {subject !== '' && (
              <>
                {' '}
                <bdi class="savepoint-call-subject">{subject}</bdi>
              </>
            )}
          </span>
          <span class="savepoint-call-status">
            {labels.status[status]}
            {part?.ms !== undefined && part.ms > 0 && ` · ${labels.took(part.ms)}`}
          </span>
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
      {status === 'failed' && <p class="savepoint-call-error">{errorOf(part?.answer)}</p>}
      {status === 'asking' && (
        <ApprovalButtons
          host={host}
          callId={call.id}
          canAllowAlways={known?.access !== 'destroy'}
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

interface ApprovalProps {
  readonly host: ConversationHost;
  readonly callId: string;
  /** False for tools that destroy something, which the user must allow in each conversation. */
  readonly canAllowAlways: boolean;
}

function ApprovalButtons({ host, callId, canAllowAlways }: ApprovalProps) {
  const { writes, once, conversation, always, deny } = text.chat.call;
  const decide = (decision: ApprovalDecision) => () => {
    host.controller.decideCall(callId, decision);
    host.focusComposer();
  };
  return (
    <>
      <p class="savepoint-call-note">{writes}</p>
      <div class="savepoint-call-buttons">
        <button type="button" class="mod-cta" onClick={decide('once')}>
          {once}
        </button>
        <button type="button" onClick={decide('session')}>
          {conversation}
        </button>
        {canAllowAlways && (
          <button type="button" onClick={decide('always')}>
            {always}
          </button>
        )}
        <button type="button" onClick={decide('deny')}>
          {deny}
        </button>
      </div>
    </>
  );
}

const MAX_SUBJECT_CHARS = 60;

/** Returns the subject of a call: its parameter `name` or `query`, else its first text parameter. */
function subjectOf(params: Json): string {
  if (!isJsonObject(params)) return '';
  const { name, query } = params;
  const subject = [name, query, ...Object.values(params)].find(
    (value) => typeof value === 'string' && value !== '',
  );
  const characters = Array.from(typeof subject === 'string' ? subject : '');
  return visibleText(
    characters.length > MAX_SUBJECT_CHARS
      ? `${characters.slice(0, MAX_SUBJECT_CHARS).join('')}…`
      : characters.join(''),
  );
}

function resultText(answer: Json): string {
  const shown =
    isJsonObject(answer) && answer['success'] === true && answer['data'] !== undefined
      ? answer['data']
      : answer;
  return visibleText(JSON.stringify(shown, undefined, 2));
}

function errorOf(answer: Json | undefined): string {
  return isJsonObject(answer) && typeof answer['error'] === 'string'
    ? visibleText(answer['error'])
    : text.general.fault;
}
