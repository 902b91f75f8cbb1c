import { conversationTail } from '../../../chat/state-draft.js';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import type { TalkHost } from './host.js';

/** In the place of the composer, where a conversation was led elsewhere: it stays as it was there, and another can go on from it. */
export function ReadOnly({
  host,
  source,
  title,
}: {
  host: TalkHost;
  source: string;
  title: string;
}) {
  const { readOnly, goOnFrom, importedData } = text.chat;
  const goOn = () =>
    act(async () => {
      const { chat, talk, go } = host;
      const data = {
        type: 'data' as const,
        source: importedData(title, source),
        text: conversationTail(talk.path(), TAIL_TOKENS),
      };
      const next = await chat.startWith([data], talk.workspaceId.get());
      go({ page: 'talk', conversation: next.id.get() });
      host.focusComposer();
    });
  return (
    <div class="savepoint-banner savepoint-context-offer">
      <Icon name="lock" />
      <div>
        <p>{readOnly(source)}</p>
        <div class="savepoint-call-buttons">
          <button type="button" class="mod-cta" onClick={goOn}>
            {goOnFrom}
          </button>
        </div>
      </div>
    </div>
  );
}

/** So much of the end goes over into the new conversation. */
const TAIL_TOKENS = 20_000;
