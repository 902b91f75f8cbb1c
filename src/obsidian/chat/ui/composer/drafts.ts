import type { App } from 'obsidian';
import type { Attachment } from '../../attachments.js';

/** A message that has been typed but not sent. */
export interface ComposerDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export const emptyDraft: ComposerDraft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments }: ComposerDraft): boolean {
  return text === '' && attachments.length === 0;
}

/**
 * Returns the local-storage key of a conversation's draft. All new conversations share one draft.
 */
function storageKey(conversation: string | undefined): string {
  return `savepoint-draft-${conversation ?? 'new'}`;
}

export function loadDraft(app: App, conversation: string | undefined): ComposerDraft {
  const stored: unknown = app.loadLocalStorage(storageKey(conversation));
  if (
    typeof stored !== 'object' ||
    stored === null ||
    !('text' in stored) ||
    typeof stored.text !== 'string'
  )
    return emptyDraft;
  const attachments =
    'attachments' in stored && Array.isArray(stored.attachments)
      ? stored.attachments.filter(isAttachment)
      : [];
  return { text: stored.text, attachments };
}

export function saveDraft(app: App, conversation: string | undefined, draft: ComposerDraft): void {
  app.saveLocalStorage(storageKey(conversation), isEmptyDraft(draft) ? null : draft);
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  if (value.kind === 'note') return 'path' in value && typeof value.path === 'string';
  const isNamed =
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string';
  return (
    value.kind === 'state' &&
    isNamed &&
    'workspaceId' in value &&
    typeof value.workspaceId === 'string'
  );
}
