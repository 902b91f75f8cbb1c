import { visibleText } from '../../../../model/text/visible-text.js';
import { text } from '../../../i18n/index.js';
import { Icon, IconButton } from '../../../ui/components.js';
import type { OpenNoteState } from './use-open-note.js';

/** The open note, which a press sends along with each message or no longer does. */
export function OpenNoteChip({ open }: { open: OpenNoteState }) {
  const { note, isCut, isOn, receiver, toggle, remove } = open;
  const labels = text.chat.openNote;
  const name = visibleText(note.path.replace(/^.*\//su, '').replace(/\.md$/u, ''));
  const facts = [
    ...(note.selection === '' ? [] : [labels.selection]),
    ...(isOn === true ? [] : [labels.off]),
    ...(isCut && isOn === true ? [labels.cut] : []),
  ];
  return (
    <span class={`savepoint-open-note${isOn === true ? ' is-on' : ''}`}>
      <button type="button" class="clickable-icon" aria-pressed={isOn === true} onClick={toggle}>
        <Icon name={isOn === true ? 'eye' : 'eye-off'} />
        <span class="savepoint-unseen">{labels.label(receiver)} </span>
        <bdi class="savepoint-cut">{name}</bdi>
        {facts.length > 0 && <span class="savepoint-open-note-facts"> {facts.join(' · ')}</span>}
      </button>
      <IconButton icon="x" label={text.chat.composer.remove(name)} onClick={remove} />
    </span>
  );
}
