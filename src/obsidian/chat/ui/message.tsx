import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readNoteSize, readStateSource } from '../../../chat/data-source.js';
import { leafBelow } from '../../../chat/thread.js';
import { wordsOfMessage, type Message, type MessagePart } from '../../../model/message.js';
import { act, copyText, notify } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { Icon, IconButton } from '../../ui/components.js';
import { PlainText } from '../../memory/page-parts.js';
import { CallCard } from './call-card.js';
import { EditBox } from './edit-box.js';
import type { TalkHost } from './host.js';
import { RenderedMarkdown } from './markdown.js';

interface MessageProps {
  readonly host: TalkHost;
  readonly message: Message;
  /** Those that could stand in its place, itself among them. */
  readonly siblings: readonly Message[];
  readonly isLast: boolean;
  readonly isBusy: boolean;
  /** Whether the person is led to it. */
  readonly isMarked: boolean;
  /** Since when it may be tried again, in milliseconds since 1970. */
  readonly retryAt: number | undefined;
}

/** One message, drawn again only when something of it is another: a conversation holds thousands. */
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

function MessageBox({ host, message, siblings, isLast, isBusy, isMarked, retryAt }: MessageProps) {
  const [isEditing, setEditing] = useState(false);
  const isOwn = message.role === 'user';
  const marks = `${isOwn ? 'mod-own' : 'mod-answer'}${isMarked ? ' is-marked' : ''}`;
  return (
    <article
      class={`savepoint-message ${marks}`}
      data-message={message.id}
      aria-labelledby={`savepoint-by-${message.id}`}
      tabIndex={-1}
    >
      <h3 class="savepoint-unseen" id={`savepoint-by-${message.id}`}>
        {isOwn ? text.chat.you : text.chat.assistant}
      </h3>
      {isEditing ? (
        <EditBox host={host} message={message} onClose={() => setEditing(false)} />
      ) : (
        <div class="savepoint-said">
          {message.parts.map((part) => (
            <Part
              host={host}
              part={part}
              isOwn={isOwn}
              isAlone={message.parentId === undefined && message.parts.length === 1}
            />
          ))}
        </div>
      )}
      {!isOwn && (
        <Ending host={host} message={message} isLast={isLast} isBusy={isBusy} retryAt={retryAt} />
      )}
      {!isEditing && (
        <Actions
          host={host}
          message={message}
          siblings={siblings}
          isLast={isLast}
          isBusy={isBusy}
          onEdit={() => setEditing(true)}
        />
      )}
    </article>
  );
}

interface PartProps {
  readonly host: TalkHost;
  readonly part: MessagePart;
  readonly isOwn: boolean;
  /** Whether a conversation begins with it and nothing else. */
  readonly isAlone?: boolean;
}

export function Part({ host, part, isOwn, isAlone = false }: PartProps) {
  switch (part.type) {
    case 'text':
      return isOwn ? (
        <OwnWords host={host}>{part.text}</OwnWords>
      ) : (
        <RenderedMarkdown host={host} text={part.text} />
      );
    case 'reasoning':
      return <Reasoning label={text.chat.reasoning}>{part.text}</Reasoning>;
    case 'data':
      return <DataCard part={part} isOpen={isAlone} />;
    case 'tool':
      return <CallCard host={host} call={part} status={part.status} part={part} />;
  }
}

/** More than so many letters are shown as they are: the app would take long to render them. */
const MOST_RENDERED = 20_000;

function OwnWords({ host, children }: { host: TalkHost; children: string }) {
  if (children === '') return null;
  return children.length > MOST_RENDERED ? (
    <PlainText>{children}</PlainText>
  ) : (
    <RenderedMarkdown host={host} text={children} />
  );
}

export function Reasoning({ label, children }: { label: string; children: string }) {
  return (
    <details class="savepoint-reasoning">
      <summary>
        <Icon name="brain" />
        {label}
      </summary>
      <PlainText>{children}</PlainText>
    </details>
  );
}

type DataPart = Extract<MessagePart, { type: 'data' }>;

/** A note or a state that was handed over with a message; open where a conversation begins with nothing else. */
function DataCard({ part, isOpen }: { part: DataPart; isOpen: boolean }) {
  const { icon, kind, name, facts } = aboutData(part);
  return (
    <details class="savepoint-data-card" open={isOpen}>
      <summary
        aria-label={[`${kind} ${name}`, facts, text.chat.data.show]
          .filter((each) => each !== '')
          .join('. ')}
      >
        <Icon name={icon} />
        <span class="savepoint-data-source">
          <span class="savepoint-data-kind">{kind}</span>{' '}
          <bdi class="savepoint-data-name">{name}</bdi>
          {facts !== '' && <span class="savepoint-data-facts">{facts}</span>}
        </span>
      </summary>
      <div class="savepoint-data-text" tabIndex={0}>
        {part.stateId === undefined ? (
          <PlainText>{part.text}</PlainText>
        ) : (
          <Sections>{part.text}</Sections>
        )}
      </div>
    </details>
  );
}

function aboutData({ source, path, stateId }: DataPart): {
  icon: string;
  kind: string;
  name: string;
  facts: string;
} {
  const { note, state, other, from, cut } = text.chat.data;
  const known = stateId === undefined ? undefined : readStateSource(source);
  if (known)
    return {
      icon: 'bookmark',
      kind: state,
      name: known.name,
      facts: from(known.workspace, dayText(known.day)),
    };
  if (path === undefined) return { icon: 'file-text', kind: other, name: source, facts: '' };
  const size = readNoteSize(source);
  return { icon: 'file-text', kind: note, name: path, facts: size === undefined ? '' : cut(size) };
}

function dayText(day: string): string {
  const date = new Date(day);
  return isNaN(date.getTime())
    ? day
    : date.toLocaleDateString(text.locale, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** What a state says, with its headings: lines that end in a colon, each after an empty one. */
function Sections({ children }: { children: string }) {
  return children.split(/\n\n(?=[^\n]+:\n)/u).map((section) => {
    const [, title, body] = /^([^\n]+):\n(.*)$/su.exec(section) ?? [];
    if (title === undefined || body === undefined) return <PlainText>{section}</PlainText>;
    return (
      <>
        <h4>{title}</h4>
        <PlainText>{body}</PlainText>
      </>
    );
  });
}

interface EndingProps {
  readonly host: TalkHost;
  readonly message: Message;
  readonly isLast: boolean;
  readonly isBusy: boolean;
  readonly retryAt: number | undefined;
}

/** How an answer came to its end, where that is not simply done; and the way on. */
function Ending({ host, message, isLast, isBusy, retryAt }: EndingProps) {
  const { ended, failed } = text.chat;
  const { end, error } = message;
  if (end === 'stopped' || end === 'length' || end === 'steps')
    return <p class="savepoint-ending">{ended[end]}</p>;
  if (end !== 'failed') return null;
  return (
    <div class="savepoint-failure">
      <Icon name="triangle-alert" />
      <div>
        <strong>{failed}</strong>
        <p dir="auto">{error}</p>
        {isLast && !isBusy && <WaysOn host={host} message={message} retryAt={retryAt} />}
      </div>
    </div>
  );
}

function WaysOn({ host, message, retryAt }: Pick<EndingProps, 'host' | 'message' | 'retryAt'>) {
  const { retry, retryIn, setUpModel, goOn } = text.chat;
  const { clock } = host.savepoint;
  const left = useSecondsUntil(retryAt, host);
  const kind = host.talk.failureKind.get();
  return (
    <div class="savepoint-call-buttons">
      {kind === 'context' && (
        <button type="button" class="mod-cta" onClick={() => host.saveState(true)}>
          {goOn}
        </button>
      )}
      <button
        type="button"
        class={kind === 'context' ? '' : 'mod-cta'}
        disabled={retryAt !== undefined && retryAt > clock.now()}
        onClick={() => host.talk.retry(message)}
      >
        {left > 0 ? retryIn(left) : retry}
      </button>
      {(kind === 'key' ||
        kind === 'model' ||
        kind === 'cors' ||
        kind === 'network' ||
        kind === 'quota') && (
        <button type="button" onClick={host.setUpModel}>
          {setUpModel}
        </button>
      )}
    </div>
  );
}

/** Counts down to a moment. */
function useSecondsUntil(moment: number | undefined, { savepoint: { clock } }: TalkHost): number {
  const left = moment === undefined ? 0 : Math.max(0, Math.ceil((moment - clock.now()) / 1000));
  const [, again] = useState(0);
  useEffect(() => (left > 0 ? clock.after(1000, () => again((count) => count + 1)) : undefined));
  return left;
}

interface ActionsProps extends Omit<MessageProps, 'isMarked' | 'retryAt'> {
  readonly onEdit: () => void;
}

function Actions({ host, message, siblings, isLast, isBusy, onEdit }: ActionsProps) {
  const { talk, isReadOnly } = host;
  const { copy, copied, edit, another, answerThis, branch } = text.chat;
  const words = wordsOfMessage(message);
  const isOwn = message.role === 'user';
  const isAnswer = !isOwn && message.model !== undefined && message.end !== 'tools';
  const mayAnswer = isOwn
    ? isLast && words !== '' && !words.startsWith('/')
    : isAnswer && message.end !== 'failed';
  if (message.end === 'tools' && siblings.length === 1 && words === '') return null;
  return (
    <div class="savepoint-actions">
      {siblings.length > 1 && (
        <Versions host={host} message={message} siblings={siblings} isBusy={isBusy} />
      )}
      <span class="savepoint-deeds">
        {words !== '' && (
          <IconButton
            icon="copy"
            label={copy}
            onClick={() =>
              act(async () => {
                await copyText(words);
                notify(copied);
              })
            }
          />
        )}
        {isOwn && words !== '' && !isReadOnly && (
          <IconButton icon="pencil" label={edit} isDisabled={isBusy} onClick={onEdit} />
        )}
        {mayAnswer && !isReadOnly && (
          <IconButton
            icon="refresh-cw"
            label={isOwn ? answerThis : another}
            isDisabled={isBusy}
            onClick={() => talk.retry(message)}
          />
        )}
        {!isLast && message.end !== 'tools' && !isReadOnly && (
          <IconButton
            icon="git-branch"
            label={branch}
            isDisabled={isBusy}
            onClick={() => {
              talk.show(message.id);
              host.focusComposer();
            }}
          />
        )}
      </span>
    </div>
  );
}

/** Leads from a version of a message to the others, and what follows them. */
function Versions({
  host,
  message,
  siblings,
  isBusy,
}: Pick<ActionsProps, 'host' | 'message' | 'siblings' | 'isBusy'>) {
  const { alternative, previous, next } = text.chat;
  const at = siblings.findIndex(({ id }) => id === message.id);
  const show = (other: Message | undefined) => {
    const thread = host.talk.thread.get();
    if (!other || !thread) return;
    host.talk.show(leafBelow(thread, other.id));
    host.announce(alternative(siblings.indexOf(other) + 1, siblings.length));
  };
  return (
    <span class="savepoint-versions">
      <IconButton
        icon="chevron-left"
        label={previous}
        isDisabled={isBusy || at <= 0}
        onClick={() => show(siblings[at - 1])}
      />
      <span>{alternative(at + 1, siblings.length)}</span>
      <IconButton
        icon="chevron-right"
        label={next}
        isDisabled={isBusy || at >= siblings.length - 1}
        onClick={() => show(siblings[at + 1])}
      />
    </span>
  );
}
