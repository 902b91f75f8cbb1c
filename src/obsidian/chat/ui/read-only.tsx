import { conversationTail } from '../../../chat/state-draft.js';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import { WorkspaceChip } from './composer/composer-edge.js';
import type { ConversationHost } from './host.js';

/** Maximum size of the imported conversation's tail, with which the new conversation starts. */
const MAX_TAIL_TOKENS = 20_000;

/** Replaces the composer in an imported conversation, and offers to continue in a new one. */
export function ReadOnly({
  host,
  source,
  title,
}: {
  host: ConversationHost;
  source: string;
  title: string;
}) {
  const { readOnly, goOnFrom, importedData } = text.chat;
  const goOn = () =>
    act(async () => {
      const { chat, controller, go } = host;
      const data = {
        type: 'data' as const,
        source: importedData(title, source),
        text: conversationTail(controller.path(), MAX_TAIL_TOKENS),
      };
      const next = await chat.startWith([data], controller.workspaceId.get());
      go({ page: 'conversation', conversation: next.id.get() });
      host.focusComposer();
    });
  return (
    <div class="savepoint-banner savepoint-context-offer savepoint-read-only">
      <Icon name="lock" />
      <div>
        <p>{readOnly(source)}</p>
        <div class="savepoint-call-buttons">
          <button type="button" class="mod-cta" onClick={goOn}>
            {goOnFrom}
          </button>
          <WorkspaceChip host={host} />
        </div>
      </div>
    </div>
  );
}
