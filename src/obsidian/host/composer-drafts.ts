import type { App } from 'obsidian';
import * as z from 'zod';

const attachmentShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('note'), path: z.string() }),
  z.object({
    kind: z.literal('state'),
    id: z.string(),
    name: z.string(),
    workspaceId: z.string(),
  }),
]);
const draftShape = z.object({
  text: z.string(),
  attachments: z.array(attachmentShape.or(z.undefined()).catch(undefined)).catch([]),
});

/** A note, image or state to send with the next message; it is read when the message is sent. */
export type Attachment = Readonly<z.output<typeof attachmentShape>>;

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
  const { success, data } = draftShape.safeParse(app.loadLocalStorage(storageKey(conversation)));
  if (!success) return emptyDraft;
  return { ...data, attachments: data.attachments.filter((each) => each !== undefined) };
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
