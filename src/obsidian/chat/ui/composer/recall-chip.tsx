import { text } from '../../../i18n/index.js';
import { Icon, IconButton } from '../../../ui/components.js';
import type { RecallState } from './use-recall.js';

/** Number of lines that are sent from memory with the message. Opens to show them. */
export function RecallChip({ lines, remove }: Pick<RecallState, 'lines' | 'remove'>) {
  const { recalled } = text.capture;
  const { show } = text.chat.data;
  const count = recalled.count(lines.length);
  return (
    <li class="savepoint-chip savepoint-recalled">
      <details>
        <summary aria-label={`${count}. ${show}`}>
          <Icon name="text-quote" />
          {count}
        </summary>
        <ul tabIndex={0} aria-label={show}>
          {lines.map((line) => (
            <li dir="auto">{line.replace(/^- /u, '')}</li>
          ))}
        </ul>
      </details>
      <IconButton icon="x" label={recalled.remove} onClick={remove} />
    </li>
  );
}
