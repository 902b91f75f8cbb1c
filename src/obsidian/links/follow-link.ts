import { currentBrief } from '../../agents/shared/current-brief.js';
import { DEFAULT_BRIEF_TOKENS } from '../../brief/brief.js';
import { lookupWorkspaceByRef, type Named } from '../../model/lookup.js';
import { lookupStateEverywhere } from '../../model/lookup-everywhere.js';
import { Refusal } from '../../model/refusal.js';
import type { State } from '../../model/state.js';
import { openedChat, type ChatService } from '../chat/chat-service.js';
import { checkpointName } from '../checkpoints/captured-trace.js';
import { continueEntries } from '../checkpoints/continue-entries.js';
import { readMemory } from '../commands/command.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { openLinkedState, resumeCheckpointInChat, resumeInChat } from '../views.js';
import { readLink, type LinkParams, type LinkProblem, type LinkRequest } from './read-link.js';

export interface LinkHost {
  readonly savepoint: Store<Savepoint | undefined>;
  readonly chat: Store<ChatService | undefined>;
}

/** Checkpoints among which the newest one is searched for. */
const MAX_CHECKPOINTS = 40;

/**
 * Follows a link or a command of the app's command line, and returns a brief or what was done.
 * Saves nothing: the user confirms a state in its form. Throws a `Refusal` for a wrong request.
 */
export async function followLink(
  host: LinkHost,
  action: string,
  params: LinkParams,
): Promise<string> {
  const read = readLink(action, params);
  if ('problem' in read) throw new Refusal(linkProblemText(read.problem));
  const savepoint = await readMemory(host.savepoint);
  const { request } = read;
  const workspaceId = workspaceOf(savepoint, request);
  switch (request.action) {
    case 'resume':
      return resume(openedChat(host.chat), request, workspaceId);
    case 'save':
      openLinkedState(savepoint, host.chat, request.content, workspaceId);
      return text.capture.links.formOpened;
    case 'brief':
      return readBrief(savepoint, workspaceId);
  }
}

function linkProblemText(problem: LinkProblem): string {
  const { unknownAction, tooLong } = text.capture.links;
  return problem.kind === 'action'
    ? unknownAction(problem.given)
    : tooLong(problem.field, problem.limit);
}

/** Returns the id of the workspace that a request names; undefined if it names none. */
function workspaceOf({ memory }: Savepoint, { workspace }: LinkRequest): string | undefined {
  if (workspace === undefined) return undefined;
  const found = lookupWorkspaceByRef(memory.get(), workspace);
  if ('item' in found) return found.item.item.id;
  throw new Refusal(text.capture.links.noWorkspace(workspace));
}

async function resume(
  chat: ChatService,
  { state }: LinkRequest,
  workspaceId: string | undefined,
): Promise<string> {
  const { savepoint } = chat;
  const { resumed, nothing } = text.capture.links;
  if (state !== undefined) {
    const found = namedState(savepoint, state, workspaceId);
    await resumeInChat(chat, found);
    return resumed(found.displayName);
  }
  const checkpoints = await savepoint.services.log.recentCheckpoints(MAX_CHECKPOINTS);
  const [newest] = continueEntries(savepoint.memory.get(), checkpoints, {
    currentId: savepoint.workspaceId.get(),
    limit: 1,
    workspaceId,
    isOffered: () => true,
  });
  if (!newest) throw new Refusal(nothing);
  if (newest.kind === 'state') {
    await resumeInChat(chat, newest.state);
    return resumed(newest.state.displayName);
  }
  await resumeCheckpointInChat(chat, newest.trace);
  return resumed(await checkpointName(savepoint, newest.trace));
}

function namedState(
  { memory, workspaceId: currentId }: Savepoint,
  name: string,
  workspaceId: string | undefined,
): Named<State> {
  const { noState, severalStates } = text.capture.links;
  const result = lookupStateEverywhere(memory.get(), workspaceId ?? currentId.get(), name);
  const isElsewhere =
    'found' in result &&
    workspaceId !== undefined &&
    result.found.workspace.item.id !== workspaceId;
  if ('found' in result && !isElsewhere) return result.found.state;
  throw new Refusal('several' in result ? severalStates(name) : noState(name));
}

function readBrief(
  { services, memory, workspaceId: currentId }: Savepoint,
  workspaceId = currentId.get(),
): Promise<string> {
  return currentBrief(services, memory.get(), { workspaceId, budget: DEFAULT_BRIEF_TOKENS });
}
