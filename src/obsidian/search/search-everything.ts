import { hasWords } from '../../agents/shared/search-inputs.js';
import type { FoundGroups } from '../../indexing/search-service.js';
import { workspaceById, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { Scheduler } from '../../platform/scheduler.js';
import type { ChatService } from '../chat/chat-service.js';
import type { ConversationHit } from '../chat/search-conversations.js';
import { yieldToHost } from '../host/browser-ports.js';
import { readLibrary, type Library } from '../memory/library.js';
import { createSavingCallFilter } from '../calls/saving-calls.js';
import type { Savepoint } from '../savepoint.js';
import {
  containsWord,
  isInScope,
  recordsContaining,
  stateExcerpt,
  statesContaining,
  type MemoryHit,
  type SearchedPart,
} from './memory-hits.js';

export interface SearchRequest {
  readonly query: string;
  readonly scope: SearchedPart;
  readonly signal: AbortSignal;
}

/** Maximum number of hits of each kind. */
const LIMITS = { states: 40, records: 20, similarStates: 5, chats: 10, notes: 10, calls: 20 };
const NOTHING: FoundGroups = { states: [], notes: [], calls: [] };

/** Searches states, records, notes and calls, in the order shown, but not conversations. */
export async function searchMemory(
  savepoint: Savepoint,
  { query, scope, signal }: SearchRequest,
): Promise<MemoryHit[]> {
  const memory = savepoint.memory.get();
  const currentId = savepoint.workspaceId.get();
  const library = await readLibrary(memory, new Scheduler(savepoint.clock, yieldToHost));
  const literal = statesContaining({ library, query, scope, currentId, limit: LIMITS.states });
  const records = recordsContaining({ library, query, scope, currentId, limit: LIMITS.records });
  const found = hasWords(query)
    ? await searchIndexes(savepoint, { query, scope, signal }, library, literal)
    : NOTHING;
  const states = [...literal, ...found.states];
  return [
    ...states.map((state) => stateHit(memory, state, query)),
    ...records.map((record): MemoryHit => {
      return { kind: 'record', record, workspaceName: nameOf(memory, record.workspaceId) };
    }),
    ...found.notes.map((hit): MemoryHit => ({ kind: 'note', hit })),
    ...createSavingCallFilter(states)(found.calls)
      .slice(0, LIMITS.calls)
      .map((call): MemoryHit => {
        return { kind: 'call', call, workspaceName: nameOf(memory, call.workspaceId) };
      }),
  ];
}

/** Searches all conversations that are not archived, those of the current workspace first. */
export async function searchChats(
  chat: ChatService,
  { query, scope, signal }: SearchRequest,
): Promise<MemoryHit[]> {
  const { workspaceId, memory } = chat.savepoint;
  const currentId = workspaceId.get();
  const isCurrent = ({ conversation }: ConversationHit) => conversation.workspaceId === currentId;
  const hits = (await chat.search(query, signal)).filter(
    ({ conversation }) => !conversation.isArchived && isInScope(scope, conversation.workspaceId),
  );
  const sorted = hits.sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)));
  return sorted.slice(0, LIMITS.chats).map((hit): MemoryHit => ({
    kind: 'chat',
    hit,
    workspaceName: nameOf(memory.get(), hit.conversation.workspaceId),
  }));
}

function nameOf(memory: Memory, workspaceId: string): string {
  return workspaceById(memory, workspaceId).name;
}

/** Returns the ids of the workspaces in the scope that are not archived, the current one first. */
function searchedWorkspaces(library: Library, scope: SearchedPart, currentId: string): string[] {
  return library
    .filter(({ id, workspace }) => workspace?.item.isArchived === false && isInScope(scope, id))
    .map(({ id }) => id)
    .sort((a, b) => Number(b === currentId) - Number(a === currentId));
}

/** Searches the indexes, which find states by other forms of the words, or by meaning, too. */
async function searchIndexes(
  { services, workspaceId, memory }: Savepoint,
  { query, scope, signal }: SearchRequest,
  library: Library,
  literal: readonly Named<State>[],
): Promise<FoundGroups> {
  const known = new Set(literal.map(({ item }) => item.id));
  const workspaceIds = searchedWorkspaces(library, scope, workspaceId.get());
  const rootFolder =
    scope === 'all' ? '/' : workspaceById(memory.get(), scope.workspaceId).rootFolder;
  const { states, notes, calls } = await services.search.searchGroups({
    query,
    workspaceIds,
    folder: rootFolder === '/' ? '' : rootFolder,
    // calls may be hidden, because a state that they saved is shown
    limits: { ...LIMITS, states: known.size + LIMITS.states, calls: 2 * LIMITS.calls },
    isHidden: (call) => !containsWord(call, query) || isOfConversation(call),
    signal,
  });
  const similar = states.filter(({ item }) => !known.has(item.id));
  const inOrder = inOrderOf(workspaceIds, similar, ({ item }) => item.workspaceId);
  return {
    states: inOrder.slice(0, LIMITS.similarStates),
    notes,
    calls: inOrderOf(workspaceIds, calls, (call) => call.workspaceId),
  };
}

/** Returns the items of the first workspace, the current one, before the others. */
function inOrderOf<T>(
  [first]: readonly string[],
  items: readonly T[],
  workspaceOf: (item: T) => string,
): T[] {
  const isFirst = (item: T) => Number(workspaceOf(item) === first);
  return [...items].sort((a, b) => isFirst(b) - isFirst(a));
}

function stateHit(memory: Memory, state: Named<State>, query: string): MemoryHit {
  const workspaceName = nameOf(memory, state.item.workspaceId);
  return { kind: 'state', state, workspaceName, excerpt: stateExcerpt(state.item, query) };
}

/** Returns true for an app conversation's checkpoint: the search finds the conversation itself. */
function isOfConversation({ kind, client }: Trace): boolean {
  return kind === 'checkpoint' && client === undefined;
}
