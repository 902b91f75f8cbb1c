import { useState } from 'preact/hooks';
import type { ShownCall, ShownPart } from '../../../../chat/panel.js';
import { foldedText, isFolded, runsOf } from '../../../calls/folded-calls.js';
import { toolNamed } from '../../../calls/labels.js';
import { Icon } from '../../../ui/components.js';
import type { ConversationHost } from '../host.js';
import { PartView } from './message-part.js';

interface PartsProps {
  readonly host: ConversationHost;
  readonly parts: readonly ShownPart[];
}

/** The parts of a model's message. Calls in a row that only read are one line. */
export function AnswerParts({ host, parts }: PartsProps) {
  const rows = runsOf(parts, (part) => isFolded(part, (name) => toolNamed(host.savepoint, name)));
  return (
    <>
      {rows.map((row, at) => {
        const [part] = row;
        if (row.length > 1) return <FoldedParts key={`${at}+`} host={host} parts={row} />;
        return part && <PartView key={at} host={host} part={part} isOwn={false} />;
      })}
    </>
  );
}

/** A line that says what calls did, and opens to them and to what was said between them. */
export function FoldedParts({ host, parts }: PartsProps) {
  const [isOpen, setOpen] = useState(false);
  const calls = parts.filter((part): part is ShownCall => part.type === 'tool');
  const isBusy = calls.some(({ status }) => status === 'running');
  return (
    <details class="savepoint-work" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name={isBusy ? 'loader' : 'list-checks'} />
        {foldedText(calls, (name) => toolNamed(host.savepoint, name))}
        <Icon name="chevron-right" />
      </summary>
      {isOpen && parts.map((part) => <PartView host={host} part={part} isOwn={false} />)}
    </details>
  );
}
