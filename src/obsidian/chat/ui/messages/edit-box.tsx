import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { textOfMessage, type Message } from '../../../../model/message.js';
import { act } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import type { ConversationHost } from '../host.js';

/** Edits a user's message. Sending adds a sibling with the same attachments. */
export function EditBox({
  host,
  message,
  onClose,
}: {
  host: ConversationHost;
  message: Message;
  onClose: () => void;
}) {
  const [words, setWords] = useState(textOfMessage(message));
  const labelId = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, []);

  const send = () => {
    if (words.trim() === '') return;
    const data = message.parts.filter(({ type }) => type === 'data');
    act(async () => {
      await host.controller.send([{ type: 'text', text: words.trim() }, ...data], {
        parentId: message.parentId,
      });
      onClose();
      host.focusComposer();
    });
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && !event.shiftKey) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') host.focusComposer();
  }

  return (
    <div class="savepoint-edit">
      <span class="savepoint-unseen" id={labelId}>
        {text.chat.editing}
      </span>
      <textarea
        ref={box}
        rows={3}
        dir="auto"
        aria-labelledby={labelId}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="savepoint-call-buttons">
        <button type="button" class="mod-cta" onClick={send}>
          {text.chat.sendEdited}
        </button>
        <button
          type="button"
          onClick={() => {
            onClose();
            host.focusComposer();
          }}
        >
          {text.chat.cancel}
        </button>
      </div>
    </div>
  );
}
