import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../../../ui/use-store.js';
import { isSameAttachment } from '../../attachments.js';
import type { Attachment } from '../../../host/composer-drafts.js';
import {
  emptyDraft,
  loadDraft,
  saveDraft,
  showDraft,
  type ComposerDraft,
} from '../../../host/composer-drafts.js';
import type { ConversationHost } from '../host.js';

const SAVE_DELAY_MS = 300;

export interface DraftState {
  readonly draft: ComposerDraft;
  /** Reason why the draft was not sent, until it changes; `''` if there is no problem. */
  readonly problem: string;
  readonly setText: (typed: string) => void;
  /** Adds attachments; those that the draft already has are ignored. */
  readonly attach: (added: readonly Attachment[]) => void;
  readonly remove: (attachment: Attachment) => void;
  readonly clear: () => void;
  /** Puts a draft that was not sent before the text typed since then. */
  readonly restore: (unsent: ComposerDraft, problem: string) => void;
  /** Shows a problem until the draft changes. */
  readonly fail: (problem: string) => void;
}

/** Holds the draft of a conversation, which is stored on this device. */
export function useDraft(host: ConversationHost): DraftState {
  const { controller, savepoint } = host;
  const [draft, setDraft] = useState<ComposerDraft>(() =>
    loadDraft(savepoint.app, controller.id.get()),
  );
  const [problem, setProblem] = useState('');
  useStoredDraft(host, draft);
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    const clear = () => setDraft(emptyDraft);
    return showDraft({ app: savepoint.app, draft: () => latest.current, clear });
  }, []);
  return {
    draft,
    problem,
    setText(typed) {
      setProblem('');
      setDraft((now) => ({ ...now, text: typed }));
    },
    attach: (added) =>
      setDraft((now) => {
        const isNew = (each: Attachment) =>
          !now.attachments.some((other) => isSameAttachment(each, other));
        return { ...now, attachments: [...now.attachments, ...added.filter(isNew)] };
      }),
    remove(attachment) {
      setProblem('');
      setDraft((now) => ({
        ...now,
        attachments: now.attachments.filter((other) => other !== attachment),
      }));
    },
    clear: () => setDraft(emptyDraft),
    fail: setProblem,
    restore(unsent, why) {
      setDraft((now) => ({ ...unsent, text: joinNonEmpty(unsent.text, now.text) }));
      setProblem(why);
    },
  };
}

/** Joins the non-empty texts with line breaks. */
export function joinNonEmpty(...texts: readonly string[]): string {
  return texts.filter((each) => each !== '').join('\n');
}

/** Stores the draft shortly after it has changed, and at once when the panel closes. */
function useStoredDraft(
  { controller, savepoint: { app, clock } }: ConversationHost,
  draft: ComposerDraft,
): void {
  const id = useStore(controller.id);
  const latest = useRef({ id, draft });
  const saved = useRef({ id, draft });
  latest.current = { id, draft };
  const save = () => {
    const { id: nowId, draft: nowDraft } = latest.current;
    if (saved.current.id === nowId && saved.current.draft === nowDraft) return;
    // the draft moved to the new conversation
    if (saved.current.id !== nowId) saveDraft(app, saved.current.id, emptyDraft);
    saveDraft(app, nowId, nowDraft);
    saved.current = latest.current;
  };
  useEffect(() => clock.after(SAVE_DELAY_MS, save), [draft, id]);
  useEffect(() => save, []);
}
