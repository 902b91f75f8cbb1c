import { useEffect, useRef } from 'preact/hooks';
import { shownCall, type PanelCall, type StreamingStep } from '../../../../chat/panel.js';
import { text } from '../../../i18n/index.js';
import { Icon } from '../../../ui/components.js';
import { useSelected, useStore } from '../../../ui/use-store.js';
import { CallCard } from './call-card.js';
import { AnswerParts } from './folded-parts.js';
import type { ConversationHost } from '../host.js';
import { StreamedMarkdown } from './markdown.js';
import { Reasoning } from './message-part.js';

const noParts: StreamingStep = { parts: [], calls: [] };

/** The model's message while it is being streamed. */
export function LiveMessage({ host }: { host: ConversationHost }) {
  const { phase, live } = useStore(host.controller.panel);
  if (phase === 'idle') return null;
  const { parts, calls } = live ?? noParts;
  const asking = calls.find(isAsking);
  const isWaiting = phase !== 'streaming' && phase !== 'calling';
  return (
    <article class="savepoint-message mod-answer mod-live" aria-busy="true">
      <div class="savepoint-said">
        {parts.map((part, at) => (
          <LivePart
            key={at}
            host={host}
            part={part}
            isComplete={at < parts.length - 1 || calls.length > 0}
          />
        ))}
        <AnswerParts host={host} parts={calls.filter((call) => call !== asking).map(shownCall)} />
      </div>
      {isWaiting && (
        <p class="savepoint-ending savepoint-waiting">
          <Icon name="loader" />
          {phase === 'stopping' ? text.chat.stopping : text.chat.waiting}
        </p>
      )}
    </article>
  );
}

/** The call that waits for the user's decision, which stays in sight above the composer. */
export function AskingCall({ host }: { host: ConversationHost }) {
  const asking = useSelected(host.controller.panel, ({ live }) => live?.calls.find(isAsking));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tell = () => host.chat.asking.set({ controller: host.controller });
    if (box.current) new IntersectionObserver(tell).observe(box.current); // until it is removed
  }, [asking?.id]);
  if (!asking) return null;
  return (
    <div key={asking.id} ref={box} class="savepoint-asking">
      <CallCard host={host} call={shownCall(asking)} />
    </div>
  );
}

function isAsking({ status }: PanelCall): boolean {
  return status === 'asking';
}

interface PartProps {
  readonly host: ConversationHost;
  readonly part: StreamingStep['parts'][number];
  /** True if something follows the part. */
  readonly isComplete: boolean;
}

function LivePart({ host, part, isComplete }: PartProps) {
  if (part.type === 'text')
    return <StreamedMarkdown host={host} text={part.text} isWhole={isComplete} />;
  return (
    <Reasoning label={isComplete ? text.chat.reasoning : text.chat.thinking}>{part.text}</Reasoning>
  );
}
