import type { App } from 'obsidian';

/** A note or state to send with the next message; it is read when the message is sent. */
export type Attachment =
  | { readonly kind: 'note'; readonly path: string }
  | {
      readonly kind: 'state';
      readonly id: string;
      readonly name: string;
      readonly workspaceId: string;
    };

/** A message that has been typed but not sent. */
export interface ComposerDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export const emptyDraft: ComposerDraft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments }: ComposerDraft): boolean {
  return text === '' && attachments.length === 0;
}

/** All new conversations share one draft. */
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

/** A draft that is shown now. */
interface ShownDraft {
  readonly app: App;
  readonly draft: () => ComposerDraft;
  readonly clear: () => void;
}

const shownDrafts = new Set<ShownDraft>();

/** Lets `dropDrafts` clear a draft that is shown, until the returned function is called. */
export function showDraft(shown: ShownDraft): () => void {
  shownDrafts.add(shown);
  return () => shownDrafts.delete(shown);
}

/** Removes the drafts of conversations and of new ones that match, including those shown. */
export function dropDrafts(
  app: App,
  conversations: Iterable<string>,
  isDropped: (typed: string) => boolean,
): void {
  for (const id of [undefined, ...conversations])
    if (isDropped(loadDraft(app, id).text)) saveDraft(app, id, emptyDraft);
  for (const { draft, clear, ...shown } of shownDrafts)
    if (shown.app === app && isDropped(draft().text)) clear();
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
