import { useState } from 'preact/hooks';
import type { Thread } from '../../../chat/thread.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import { Announcement } from '../../memory/page-parts.js';
import type { ConversationHost } from './host.js';
import { shortCount, useBranchContext, type BranchContext } from './use-context.js';

/** Share of the context window that has to fill up before a dismissed warning shows again. */
const REPEAT_SHARE = 0.1;

/** Warns when the context is nearly full or truncated. The plugin itself never drops messages. */
export function ContextWarning({ host, thread }: { host: ConversationHost; thread: Thread }) {
  const context = useBranchContext(host, thread);
  const [dismissedAt, setDismissedAt] = useState(0);
  const { tokens, limit } = context;
  const share = limit === undefined ? 0 : tokens / limit;
  const message = warningText(context, share);
  const isShown = message !== '' && (dismissedAt === 0 || share >= dismissedAt + REPEAT_SHARE);
  const dismiss = () => {
    setDismissedAt(Math.max(share, Number.MIN_VALUE));
    host.focusComposer();
  };
  return (
    <>
      <Announcement>{isShown ? message : ''}</Announcement>
      {isShown && (
        <div class="savepoint-banner savepoint-context-offer">
          <Icon name="gauge" />
          <div>
            <p>{message}</p>
            <div class="savepoint-call-buttons">
              <button
                type="button"
                class="mod-cta"
                onClick={() => host.openSaveState({ continues: true })}
              >
                {text.chat.goOn}
              </button>
              <button type="button" onClick={dismiss}>
                {text.chat.context.later}
              </button>
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function warningText({ truncatedTokens, isNear }: BranchContext, share: number): string {
  const { nearLimit, overLimit, cutByServer } = text.chat.context;
  if (truncatedTokens > 0) return cutByServer(shortCount(truncatedTokens));
  if (share >= 1) return overLimit;
  return isNear ? nearLimit(share) : '';
}
