import type { App } from 'obsidian';
import type { Attachment } from '../attachments.js';

/** What is typed and not sent. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export const emptyDraft: Draft = { text: '', attachments: [] };

/** Drafts stay on the device, by conversation; the one of a conversation that has not begun is the next one's too. */
const keyOf = (conversation: string | undefined) => `savepoint-draft-${conversation ?? 'new'}`;

export function loadDraft(app: App, conversation: string | undefined): Draft {
  const held: unknown = app.loadLocalStorage(keyOf(conversation));
  if (
    typeof held !== 'object' ||
    held === null ||
    !('text' in held) ||
    typeof held.text !== 'string'
  )
    return emptyDraft;
  const attachments =
    'attachments' in held && Array.isArray(held.attachments)
      ? held.attachments.filter(isAttachment)
      : [];
  return { text: held.text, attachments };
}

export function saveDraft(app: App, conversation: string | undefined, draft: Draft): void {
  const isEmpty = draft.text === '' && draft.attachments.length === 0;
  app.saveLocalStorage(keyOf(conversation), isEmpty ? null : draft);
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
