import { useId } from 'preact/hooks';
import { allTools } from '../../../toolkit/toolset.js';
import { isJsonObject, type Json } from '../../../model/event.js';
import type { LiveCall } from '../../../chat/panel.js';
import type { ToolPart } from '../../../model/message.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import type { TalkHost } from './host.js';

const ICONS: Record<LiveCall['status'], string> = {
  asking: 'hand',
  waiting: 'clock',
  running: 'loader',
  done: 'check',
  failed: 'triangle-alert',
  denied: 'ban',
  stopped: 'square',
};

interface CardProps {
  readonly host: TalkHost;
  readonly call: { readonly id: string; readonly tool: string; readonly params: Json };
  readonly status: LiveCall['status'];
  readonly part?: ToolPart | undefined;
}

/** A call of a tool: what it does and how far it is, and on demand what it was given and answered. */
export function CallCard({ host, call, status, part }: CardProps) {
  const labels = text.chat.call;
  const known = allTools(host.savepoint.toolset).find(({ tool }) => tool.name === call.tool)?.tool;
  const title = known?.title ?? (host.isReadOnly ? call.tool : labels.unknown(call.tool));
  const subject = subjectOf(call.params);
  const titleId = useId();
  const isWrong = status === 'failed' || status === 'denied';
  return (
    <div class={`savepoint-call-card mod-${status}`} role="group" aria-labelledby={titleId}>
      <details>
        <summary>
          <span class={`savepoint-line-icon${isWrong ? ' mod-error' : ''}`}>
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
            {JSON.stringify(call.params, undefined, 2)}
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
        <Leave host={host} callId={call.id} mayAlways={known?.access !== 'destroy'} />
      )}
      {status === 'failed' && known && !host.talk.isBusy() && !host.isReadOnly && (
        <div class="savepoint-call-buttons">
          <button type="button" onClick={() => host.openTool(call.tool, call.params)}>
            {labels.again}
          </button>
        </div>
      )}
    </div>
  );
}

function Leave({
  host,
  callId,
  mayAlways,
}: {
  host: TalkHost;
  callId: string;
  mayAlways: boolean;
}) {
  const { writes, once, conversation, always, deny } = text.chat.call;
  const answer = (leave: 'once' | 'conversation' | 'always' | 'deny') => () => {
    host.talk.answerCall(callId, leave);
    host.focusComposer();
  };
  return (
    <>
      <p class="savepoint-call-note">{writes}</p>
      <div class="savepoint-call-buttons">
        <button type="button" class="mod-cta" onClick={answer('once')}>
          {once}
        </button>
        <button type="button" onClick={answer('conversation')}>
          {conversation}
        </button>
        {mayAlways && (
          <button type="button" onClick={answer('always')}>
            {always}
          </button>
        )}
        <button type="button" onClick={answer('deny')}>
          {deny}
        </button>
      </div>
    </>
  );
}

const SUBJECT_ROOM = 60;

/** What the call is about: the name, the question, or whatever short text comes first. */
function subjectOf(params: Json): string {
  if (!isJsonObject(params)) return '';
  const { name, query } = params;
  const found = [name, query, ...Object.values(params)].find(
    (value) => typeof value === 'string' && value !== '',
  );
  const letters = Array.from(typeof found === 'string' ? found : '');
  return letters.length > SUBJECT_ROOM
    ? `${letters.slice(0, SUBJECT_ROOM).join('')}…`
    : letters.join('');
}

function resultText(answer: Json): string {
  const shown =
    isJsonObject(answer) && answer['success'] === true && answer['data'] !== undefined
      ? answer['data']
      : answer;
  return JSON.stringify(shown, undefined, 2);
}

function errorOf(answer: Json | undefined): string {
  return isJsonObject(answer) && typeof answer['error'] === 'string'
    ? answer['error']
    : text.general.fault;
}
