import type { DataPart } from '../../../../model/message.js';
import {
  formatOpenNoteSource,
  formatSelectionSource,
  parseCheckpointSource,
  parseNoteSize,
  parseOpenNoteLength,
  parseStateSource,
  RECALL_SOURCE,
  type StateSource,
} from '../../../../chat/data-source.js';
import type { ShownPart } from '../../../../chat/panel.js';
import { visibleText } from '../../../../model/text/visible-text.js';
import { labelOf } from '../../../calls/labels.js';
import { text } from '../../../i18n/index.js';
import { FileList } from '../../../memory/file-links.js';
import { PlainText } from '../../../memory/page-parts.js';
import { Icon } from '../../../ui/components.js';
import { isImage } from '../../images.js';
import { CallCard } from './call-card.js';
import type { ConversationHost } from '../host.js';
import { RenderedMarkdown } from './markdown.js';

interface PartProps {
  readonly host: ConversationHost;
  readonly part: ShownPart;
  /** True for a part of the user's message. */
  readonly isOwn: boolean;
  /** True if the conversation begins with this part and nothing else. */
  readonly isAlone?: boolean;
}

export function PartView({ host, part, isOwn, isAlone = false }: PartProps) {
  switch (part.type) {
    case 'text':
      return isOwn ? (
        <UserText host={host}>{part.text}</UserText>
      ) : (
        <RenderedMarkdown host={host} text={part.text} />
      );
    case 'reasoning':
      return <Reasoning label={text.chat.reasoning}>{part.text}</Reasoning>;
    case 'data': {
      const repeated = formatOpenNoteSource(part.path ?? '', undefined, true);
      if (part.hash !== undefined && part.source.startsWith(repeated)) return null;
      return <DataCard host={host} part={part} isOpen={isAlone || isImage(part)} />;
    }
    case 'tool':
      return <CallCard host={host} call={part} />;
  }
}

/** Longer texts are shown without formatting, because the app would take long to render them. */
const MAX_RENDERED_CHARS = 20_000;

function UserText({ host, children }: { host: ConversationHost; children: string }) {
  if (children === '') return null;
  return children.length > MAX_RENDERED_CHARS ? (
    <PlainText>{children}</PlainText>
  ) : (
    <RenderedMarkdown host={host} text={children} />
  );
}

/** A model's reasoning, collapsed. */
export function Reasoning({ label, children }: { label: string; children: string }) {
  return (
    <details class="savepoint-reasoning">
      <summary>
        <Icon name="brain" />
        {label}
        <Icon name="chevron-right" />
      </summary>
      <PlainText>{children}</PlainText>
    </details>
  );
}

interface CardProps {
  readonly host: ConversationHost;
  readonly part: DataPart;
  readonly isOpen: boolean;
}

/** Data that was sent with a message, such as a note or a state; collapsed unless `isOpen`. */
function DataCard({ host, part, isOpen }: CardProps) {
  const { icon, kind, ...described } = describeData(part);
  const { vault } = host.savepoint.app;
  const image = isImage(part) && vault.getFileByPath(part.path);
  const name = visibleText(described.name);
  const details = visibleText(described.details);
  return (
    <details class="savepoint-data-card" open={isOpen}>
      <summary>
        <Icon name={icon} />
        <span class="savepoint-data-source">
          <span class="savepoint-data-kind">{kind}</span>{' '}
          <bdi class="savepoint-data-name">{name}</bdi>
          {details !== '' && <span class="savepoint-data-facts">{details}</span>}
          <span class="savepoint-unseen"> {text.chat.data.show}</span>
        </span>
        <Icon name="chevron-right" />
      </summary>
      <div class="savepoint-data-text" tabIndex={0}>
        {part.path !== undefined && <FileList host={host} paths={[part.path]} />}
        {image && <img src={vault.getResourcePath(image)} alt={name} />}
        {part.stateId === undefined ? (
          <PlainText>{part.text}</PlainText>
        ) : (
          <Sections host={host}>{part.text}</Sections>
        )}
      </div>
    </details>
  );
}

interface DataDescription {
  readonly icon: string;
  readonly kind: string;
  readonly name: string;
  readonly details: string;
}

function describeData(part: DataPart): DataDescription {
  const { source, path, stateId, hash, text: sentText } = part;
  const { note, selection, state, other, cut, cutOpen, notKept } = text.chat.data;
  const known = stateId === undefined ? undefined : parseStateSource(source);
  if (known) {
    return { icon: 'bookmark', kind: state, name: known.name, details: stateDetails(known) };
  }
  const checkpoint = path === undefined ? parseCheckpointSource(source) : undefined;
  if (checkpoint) {
    const { title, app, workspace, day } = checkpoint;
    const details = [workspace, app, formatDay(day)].join(' · ');
    return { icon: 'clock', kind: text.capture.checkpoint, name: title, details };
  }
  if (source === RECALL_SOURCE) {
    const name = text.capture.recalled.count(sentText.split('\n').length);
    return { icon: 'text-quote', kind: other, name, details: '' };
  }
  if (path === undefined) return { icon: 'file-text', kind: other, name: source, details: '' };
  const size = parseNoteSize(source);
  const length = parseOpenNoteLength(source);
  const details = [
    ...(size === undefined ? [] : [cut(size)]),
    ...(length === undefined ? [] : [cutOpen(length)]),
    ...(hash !== undefined && sentText === '' ? [notKept] : []),
  ].join(' · ');
  if (isImage(part)) return { icon: 'image', kind: text.chat.data.image, name: path, details: '' };
  const isSelection = source === formatSelectionSource(path);
  return { icon: 'file-text', kind: isSelection ? selection : note, name: path, details };
}

function stateDetails({ workspace, day, savedBy, files }: StateSource): string {
  const { from, savedBy: saved } = text.chat.data;
  const parts = [
    from(workspace, formatDay(day)),
    ...(savedBy ? [saved(savedBy.who, savedBy.device)] : []),
    ...(files ? [text.memoryView.filesChanged(files.changed, files.count)] : []),
  ];
  return parts.join(' · ');
}

function formatDay(day: string): string {
  const date = new Date(day);
  return isNaN(date.getTime())
    ? day
    : date.toLocaleDateString(text.locale, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** A state's text, in any language; headings are lines that end in a colon after an empty line. */
function Sections({ host, children }: { host: ConversationHost; children: string }) {
  return children.split(/\n\n(?=[^\n]+:\n)/u).map((section) => {
    const [, title, body] = /^([^\n]+):\n(.*)$/su.exec(section) ?? [];
    if (title === undefined || body === undefined) return <PlainText>{section}</PlainText>;
    return (
      <>
        <h4>{title}</h4>
        {['Files', labelOf('files')].includes(title) ? (
          <FileList host={host} paths={body.split('\n').map((line) => line.replace(/^- /u, ''))} />
        ) : (
          <PlainText>{body}</PlainText>
        )}
      </>
    );
  });
}
