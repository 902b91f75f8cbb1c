import { stateData, canonicalStateText } from '../../../model/state.js';
import { sha256 } from '../../../platform/sha256.js';
import type { ForeignState } from '../foreign-memory.js';
import { addChanges, addUnlessKnown, hasCreation, type ImportContext } from '../import-context.js';
import { validName } from '../naming.js';

export async function addState(
  context: ImportContext,
  id: string,
  workspaceId: string,
  { at, location, content: original, archived }: ForeignState,
): Promise<void> {
  const isKnown = hasCreation(context, 'state.new', id);
  const isNamed = isKnown || context.forgotten.has(id);
  const name = isNamed ? original.name : context.names.allocate(original.name, workspaceId, id);
  const note =
    validName(original.name) === original.name
      ? ''
      : `\n\nIts name there: ${JSON.stringify(original.name)}`;
  const content = {
    ...original,
    name,
    conversationContext: original.conversationContext + note,
  };
  const sha = isKnown ? '' : await sha256(canonicalStateText(content));
  const draft = { t: 'state.new', e: id, d: stateData(workspaceId, content, sha) };
  if (!addUnlessKnown(context, { kind: 'states', lane: 'core', location, at, draft, isKnown }))
    return;
  const changes = archived.map((change) => ({
    at: change.at,
    d: { '/isArchived': change.isArchived },
  }));
  addChanges(context, { lane: 'core', id, location }, changes);
}
