import { conversationData } from '../../../model/conversation.js';
import type { Draft } from '../../../model/event.js';
import { DEFAULT_WORKSPACE } from '../../../model/memory.js';
import type { ForeignConversation } from '../foreign-memory.js';
import {
  addChanges,
  addUnlessKnown,
  type ForeignChange,
  type ImportContext,
} from '../import-context.js';

/** `workspaceIds` has the ids of the imported workspaces, by key. */
export function addConversation(
  context: ImportContext,
  id: string,
  workspaceIds: ReadonlyMap<string, string>,
  conversation: ForeignConversation,
): void {
  const { at, location, title, workspace, changes } = conversation;
  const idOf = (key: string | undefined) => (key === undefined ? undefined : workspaceIds.get(key));
  const workspaceId = idOf(workspace) ?? DEFAULT_WORKSPACE;
  const draft = { t: 'conv.new', e: id, d: conversationData({ workspaceId, title }) };
  if (!addUnlessKnown(context, { kind: 'conversations', lane: 'chat', location, at, draft }))
    return;
  const current: Record<string, string | boolean> = {
    '/title': title,
    '/ws': workspaceId,
    '/isArchived': false,
  };
  const sets: ForeignChange[] = [];
  for (const change of changes) {
    const wanted = {
      '/title': change.title,
      '/ws': idOf(change.workspace),
      '/isArchived': change.isArchived,
    };
    const d: Draft['d'] = {};
    for (const [path, value] of Object.entries(wanted)) {
      if (value === undefined || value === current[path]) continue;
      current[path] = value;
      d[path] = value;
    }
    sets.push({ at: change.at, d });
  }
  addChanges(context, { lane: 'chat', id, location }, sets);
}
