import { Component } from 'preact';
import { useState } from 'preact/hooks';
import { textOfMessage, type Message } from '../../../../model/message.js';
import { text } from '../../../i18n/index.js';
import { EditBox } from './edit-box.js';
import { AnswerParts } from './folded-parts.js';
import type { ConversationHost } from '../host.js';
import { MessageActions } from './message-actions.js';
import { MessageEnding } from './message-ending.js';
import { PartView } from './message-part.js';
import { ModelNeeded, startedFrom } from './model-needed.js';

interface MessageProps {
  readonly host: ConversationHost;
  readonly message: Message;
  /** The message and its siblings, oldest first. */
  readonly siblings: readonly Message[];
  readonly isLast: boolean;
  readonly isBusy: boolean;
  /** True for the message that the panel was asked to show. */
  readonly isMarked: boolean;
  readonly retryAt: number | undefined;
}

/** One message, rendered only when a property changes: conversations may have thousands. */
export class MessageRow extends Component<MessageProps> {
  override shouldComponentUpdate(next: MessageProps): boolean {
    return (Object.keys(next) as (keyof MessageProps)[]).some(
      (key) => next[key] !== this.props[key],
    );
  }

  override render() {
    return <MessageBox {...this.props} />;
  }
}

function MessageBox(props: MessageProps) {
  const { host, message, isLast, isBusy, isMarked } = props;
  const [isEditing, setEditing] = useState(false);
  const isOwn = message.role === 'user';
  const isAlone = message.parentId === undefined && message.parts.length === 1;
  const modifiers = `${isOwn ? 'mod-own' : 'mod-answer'}${isMarked ? ' is-marked' : ''}`;
  const titleId = `savepoint-by-${message.id}`;
  return (
    <article
      class={`savepoint-message ${modifiers}`}
      data-message={message.id}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <h3 class="savepoint-unseen" id={titleId}>
        {isOwn ? text.chat.you : text.chat.assistant}
      </h3>
      {isEditing ? (
        <EditBox host={host} message={message} onClose={() => setEditing(false)} />
      ) : (
        <div class="savepoint-said">
          {isOwn ? (
            message.parts.map((part) => (
              <PartView host={host} part={part} isOwn isAlone={isAlone} />
            ))
          ) : (
            <AnswerParts host={host} parts={message.parts} />
          )}
        </div>
      )}
      {!isOwn && <MessageEnding {...props} />}
      {isOwn && isLast && !isBusy && !host.isReadOnly && wantsAnswer(message) && (
        <ModelNeeded host={host} />
      )}
      {!isEditing && <MessageActions {...props} onEdit={() => setEditing(true)} />}
    </article>
  );
}

/** Returns true for a question to a model or a state to start from, not for a tool's name. */
function wantsAnswer(message: Message): boolean {
  const words = textOfMessage(message);
  return words === '' ? startedFrom(message) !== undefined : !words.startsWith('/');
}
