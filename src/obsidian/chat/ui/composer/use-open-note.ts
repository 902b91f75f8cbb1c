import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { act } from '../../../actions.js';
import { receiverKey } from '../../../models/model-registry.js';
import { useStore } from '../../../ui/use-store.js';
import { findOpenNote, isTooLong, type OpenNote } from '../../open-note.js';
import type { ConversationHost } from '../host.js';

const SELECTION_DELAY_MS = 150;

/** The open note in the composer, and the user's choice whether it is sent. */
export interface OpenNoteState {
  readonly note: OpenNote;
  /** True if only its beginning is sent. */
  readonly isCut: boolean;
  /** Name of the provider or agent. */
  readonly receiver: string;
  /** Undefined if the user has not chosen yet: then it is not sent. */
  readonly isOn: boolean | undefined;
  readonly toggle: () => void;
  /** Leaves the note out until another one is open. */
  readonly remove: () => void;
}

/** Follows the open note and its selection; undefined without a model or if the user removed it. */
export function useOpenNote(
  { savepoint, chat, controller }: ConversationHost,
  textarea: RefObject<HTMLTextAreaElement | null>,
): OpenNoteState | undefined {
  const { models, changeSettings } = chat;
  useStore(models.settings);
  useStore(models.chatAgents);
  const ref = useStore(controller.model) ?? models.preferred();
  const [note, setNote] = useState(() => findOpenNote(savepoint));
  const [removed, setRemoved] = useState<string>();
  const [isCut, setCut] = useState(false);

  useEffect(() => {
    const { workspace, vault } = savepoint.app;
    const update = () => {
      const found = findOpenNote(savepoint);
      setNote((now) => (isSame(now, found) ? now : found));
      setRemoved((path) => (path === found?.path ? path : undefined));
    };
    let cancel: (() => void) | undefined;
    const updateSoon = () => {
      cancel?.();
      cancel = savepoint.clock.after(SELECTION_DELAY_MS, update);
    };
    const events = [
      workspace.on('file-open', update),
      workspace.on('active-leaf-change', update),
      workspace.on('editor-change', updateSoon),
    ];
    const renamed = vault.on('rename', update);
    update(); // a note may have been opened before this listened
    const page = textarea.current?.doc;
    page?.addEventListener('selectionchange', updateSoon);
    return () => {
      cancel?.();
      for (const event of events) workspace.offref(event);
      vault.offref(renamed);
      page?.removeEventListener('selectionchange', updateSoon);
    };
  }, [savepoint]);
  useEffect(() => {
    if (note) act(async () => setCut(await isTooLong(savepoint, note)));
  }, [note]);

  if (!note || !ref || removed === note.path) return undefined;
  const isOn = models.openNoteChoice(ref);
  return {
    note,
    isCut,
    receiver: models.receiverOf(ref),
    isOn,
    toggle: () =>
      act(() =>
        changeSettings((settings) => ({
          ...settings,
          openNoteChoices: { ...settings.openNoteChoices, [receiverKey(ref)]: isOn !== true },
        })),
      ),
    remove: () => setRemoved(note.path),
  };
}

function isSame(a: OpenNote | undefined, b: OpenNote | undefined): boolean {
  return a?.path === b?.path && a?.selection === b?.selection;
}
