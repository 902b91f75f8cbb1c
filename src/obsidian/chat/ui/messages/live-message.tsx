import type { StreamingStep } from '../../../../chat/panel.js';
import { text } from '../../../i18n/index.js';
import { Icon } from '../../../ui/components.js';
import { useStore } from '../../../ui/use-store.js';
import { CallCard } from './call-card.js';
import type { ConversationHost } from '../host.js';
import { StreamedMarkdown } from './markdown.js';
import { Reasoning } from './message-part.js';

const noParts: StreamingStep = { parts: [], calls: [] };

/** The model's message while it is being streamed. */
export function LiveMessage({ host }: { host: ConversationHost }) {
  const { phase, live } = useStore(host.controller.panel);
  if (phase === 'idle') return null;
  const { parts, calls } = live ?? noParts;
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
        {calls.map((call) => (
          <CallCard key={call.id} host={host} call={call} status={call.status} part={call.part} />
        ))}
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
