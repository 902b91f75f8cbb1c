import { Platform } from 'obsidian';
import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { imageType } from '../../../../chat/data-source.js';
import { text } from '../../../i18n/index.js';
import { Icon, IconButton } from '../../../ui/components.js';
import type { Attachment } from '../../../host/composer-drafts.js';
import { isEmptyDraft } from '../../../host/composer-drafts.js';
import type { ConversationHost } from '../host.js';
import { ComposerEdge } from './composer-edge.js';
import { RecallChip } from './recall-chip.js';
import { suggestionId, SuggestionList } from './suggestion-list.js';
import { useComposer, type ComposerState } from './use-composer.js';
import { visibleText } from '../../../../model/text/visible-text.js';

interface ComposerProps {
  readonly host: ConversationHost;
  readonly textarea: RefObject<HTMLTextAreaElement | null>;
}

/** Text area for the next message. Its draft is stored on this device until it is sent. */
export function Composer({ host, textarea }: ComposerProps) {
  const composer = useComposer(host, textarea);
  const [isDropping, setDropping] = useState(false);
  const listId = useId();
  const { draft, problem, suggestions, openNote, recalled } = composer;
  return (
    <div
      class={`savepoint-composer${isDropping ? ' is-dropping' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setDropping(false);
        if (event.dataTransfer) composer.drop(event.dataTransfer);
      }}
    >
      {suggestions.list && (
        <SuggestionList
          id={listId}
          suggestions={suggestions.list}
          current={suggestions.current}
          kind={suggestions.kind}
          onPick={suggestions.pick}
        />
      )}
      {problem !== '' && (
        <p class="savepoint-composer-problem" role="alert">
          {problem}
        </p>
      )}
      {openNote?.isOn === undefined && openNote && (
        <p class="savepoint-open-note-help">{text.chat.openNote.help(openNote.receiver)}</p>
      )}
      {(recalled.lines.length > 0 || draft.attachments.length > 0) && (
        <ul class="savepoint-chips">
          {recalled.lines.length > 0 && <RecallChip {...recalled} />}
          {draft.attachments.map((attachment) => (
            <AttachmentChip attachment={attachment} onRemove={composer.remove} />
          ))}
        </ul>
      )}
      <div class="savepoint-composer-row">
        <MessageInput composer={composer} textarea={textarea} listId={listId} />
        <SendButton composer={composer} textarea={textarea} />
      </div>
      <ComposerEdge host={host} openNote={openNote} />
    </div>
  );
}

interface ChipProps {
  readonly attachment: Attachment;
  readonly onRemove: (attachment: Attachment) => void;
}

function AttachmentChip({ attachment, onRemove }: ChipProps) {
  const isNote = attachment.kind === 'note';
  const name = isNote ? attachment.path : attachment.name;
  const noteIcon = imageType(name) === undefined ? 'file-text' : 'image';
  return (
    <li class="savepoint-chip">
      <Icon name={isNote ? noteIcon : 'bookmark'} />
      <bdi class="savepoint-cut">{visibleText(name)}</bdi>
      <IconButton
        icon="x"
        label={text.chat.composer.remove(name)}
        onClick={() => onRemove(attachment)}
      />
    </li>
  );
}

interface InputProps {
  readonly composer: ComposerState;
  readonly textarea: RefObject<HTMLTextAreaElement | null>;
}

function MessageInput({ composer, textarea, listId }: InputProps & { readonly listId: string }) {
  const labelId = useId();
  const { label, placeholder } = text.chat.composer;
  const { draft, suggestions } = composer;
  const { list, current } = suggestions;
  return (
    <>
      <span class="savepoint-unseen" id={labelId}>
        {label}
      </span>
      <textarea
        ref={textarea}
        rows={1}
        dir="auto"
        aria-labelledby={labelId}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={list && listId}
        aria-activedescendant={list && list.length > 0 ? suggestionId(listId, current) : undefined}
        enterkeyhint={Platform.isMobile ? 'enter' : 'send'}
        placeholder={placeholder}
        value={draft.text}
        onInput={(event) => {
          composer.setText(event.currentTarget.value);
          suggestions.update();
        }}
        onClick={suggestions.update}
        onKeyUp={(event) => {
          if (event.key.startsWith('Arrow') && !list) suggestions.update();
        }}
        onBlur={suggestions.close}
        onKeyDown={composer.onKeyDown}
        onPaste={composer.onPaste}
      />
    </>
  );
}

function SendButton({ composer, textarea }: InputProps) {
  const { draft, isBusy, isAttaching, submit, stop } = composer;
  const labels = text.chat.composer;
  if (isBusy)
    return (
      <button type="button" class="savepoint-send" aria-label={labels.stop} onClick={stop}>
        <Icon name="square" />
      </button>
    );
  return (
    <button
      type="button"
      class="mod-cta savepoint-send"
      aria-label={labels.send}
      disabled={isAttaching || isEmptyDraft({ ...draft, text: draft.text.trim() })}
      onClick={() => {
        submit();
        textarea.current?.focus();
      }}
    >
      <Icon name="arrow-up" />
    </button>
  );
}
