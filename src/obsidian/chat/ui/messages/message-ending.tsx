import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ModelFailureKind } from '../../../../chat/language-model.js';
import type { Message } from '../../../../model/message.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import { act } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import { Icon } from '../../../ui/components.js';
import type { ConversationHost } from '../host.js';

interface EndingProps {
  readonly host: ConversationHost;
  readonly message: Message;
  readonly isLast: boolean;
  readonly isBusy: boolean;
  readonly retryAt: number | undefined;
}

/** Reason why an answer is incomplete, with buttons to fix it. */
export function MessageEnding({ host, message, isLast, isBusy, retryAt }: EndingProps) {
  const { ended, resume } = text.chat;
  const { end, error } = message;
  if (end === 'stopped')
    return <p class="savepoint-ending">{visibleText(error ?? ended.stopped)}</p>;
  if (end === 'length' || end === 'steps')
    return (
      <div class="savepoint-ending">
        <span>{end === 'length' ? ended.length : stepsText(host, message)}</span>
        {isLast && !isBusy && (
          <button
            type="button"
            onClick={() => act(() => host.controller.send([{ type: 'text', text: resume }]))}
          >
            {resume}
          </button>
        )}
      </div>
    );
  if (end !== 'failed') return null;
  return (
    <Failure message={visibleText(error ?? '')}>
      {isLast && !isBusy && <FailureActions host={host} message={message} retryAt={retryAt} />}
    </Failure>
  );
}

/** Says that an answer has failed, and why. */
export function Failure({ message, children }: { message: string; children?: ComponentChildren }) {
  return (
    <div class="savepoint-failure">
      <Icon name="triangle-alert" />
      <div>
        <strong>{text.chat.failed}</strong>
        <p dir="auto">{message}</p>
        {children}
      </div>
    </div>
  );
}

/** Says after how many calls an answer was stopped, and whether they are the limit that is set. */
function stepsText({ controller, savepoint }: ConversationHost, message: Message): string {
  const { steps, limit } = text.chat.ended;
  const path = controller.path();
  const until = path.slice(0, path.findIndex(({ id }) => id === message.id) + 1);
  const turn = until.slice(until.findLastIndex(({ role }) => role === 'user') + 1);
  const parts = turn.flatMap((step) => step.parts);
  const calls = parts.filter((part) => part.type === 'tool' && part.status !== 'stopped').length;
  return calls === savepoint.settings.callLimit ? `${steps(calls)} ${limit}` : steps(calls);
}

/** Failures that another provider, address or model may fix. */
const SETUP_FAILURES = new Set<ModelFailureKind>(['model', 'images', 'cors', 'network', 'quota']);

function FailureActions({
  host,
  message,
  retryAt,
}: Pick<EndingProps, 'host' | 'message' | 'retryAt'>) {
  const { retry, retryIn, setUpModel, checkKey, goOn } = text.chat;
  const { controller, savepoint, openSaveState, openProviderSetup } = host;
  const seconds = useSecondsUntil(retryAt, host);
  const kind = controller.failureKind.get();
  const isTooLong = kind === 'context';
  const isKeyWrong = kind === 'key';
  return (
    <div class="savepoint-call-buttons">
      {isTooLong && (
        <button type="button" class="mod-cta" onClick={() => openSaveState({ continues: true })}>
          {goOn}
        </button>
      )}
      {isKeyWrong && (
        <button type="button" class="mod-cta" onClick={openProviderSetup}>
          {checkKey}
        </button>
      )}
      <button
        type="button"
        class={isTooLong || isKeyWrong ? '' : 'mod-cta'}
        disabled={retryAt !== undefined && retryAt > savepoint.clock.now()}
        onClick={() => controller.retry(message)}
      >
        {seconds > 0 ? retryIn(seconds) : retry}
      </button>
      {kind !== undefined && SETUP_FAILURES.has(kind) && (
        <button type="button" onClick={openProviderSetup}>
          {setUpModel}
        </button>
      )}
    </div>
  );
}

/** Returns the seconds until a time in milliseconds since 1970, and renders again each second. */
function useSecondsUntil(
  time: number | undefined,
  { savepoint: { clock } }: ConversationHost,
): number {
  const seconds = time === undefined ? 0 : Math.max(0, Math.ceil((time - clock.now()) / 1000));
  const [, setTick] = useState(0);
  useEffect(() => {
    if (seconds === 0) return undefined;
    return clock.after(1000, () => setTick((tick) => tick + 1));
  });
  return seconds;
}
