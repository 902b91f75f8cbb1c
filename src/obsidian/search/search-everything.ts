import { hasWords } from '../../agents/shared/search-inputs.js';
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
const ALWAYS = { from: -Infinity, to: Infinity };

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
  const hasIndexedWords = hasWords(query);
  const workspaceIds = searchedWorkspaces(library, scope, currentId);
  const similar = hasIndexedWords
    ? await similarStates(savepoint, query, workspaceIds, literal)
    : [];
  const states = [...literal, ...similar];
  const isSuperseded = () => signal.aborted;
  if (isSuperseded()) return [];
  const notes = hasIndexedWords ? await searchNotes(savepoint, { query, scope, signal }) : [];
  if (isSuperseded()) return [];
  const calls = hasIndexedWords ? await searchCalls(savepoint, query, workspaceIds) : [];
  return [
    ...states.map((state) => stateHit(memory, state, query)),
    ...records.map((record): MemoryHit => {
      return { kind: 'record', record, workspaceName: nameOf(memory, record.workspaceId) };
    }),
    ...notes,
    ...createSavingCallFilter(states)(calls)
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

/** Returns states that the index finds by other forms of the words, or by meaning. */
async function similarStates(
  { services: { search } }: Savepoint,
  query: string,
  workspaceIds: readonly string[],
  literal: readonly Named<State>[],
): Promise<Named<State>[]> {
  const known = new Set(literal.map(({ item }) => item.id));
  const limit = known.size + LIMITS.states;
  const { found } = await search.memory.searchStates({ query, workspaceIds, range: ALWAYS, limit });
  const similar = found.map(({ item }) => item).filter(({ item }) => !known.has(item.id));
  return inOrderOf(workspaceIds, similar, ({ item }) => item.workspaceId).slice(
    0,
    LIMITS.similarStates,
  );
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

async function searchNotes(
  { services: { search }, memory }: Savepoint,
  { query, scope, signal }: SearchRequest,
): Promise<MemoryHit[]> {
  const rootFolder =
    scope === 'all' ? '/' : workspaceById(memory.get(), scope.workspaceId).rootFolder;
  const answer = await search.notes
    .search({
      query,
      folder: rootFolder === '/' ? '' : rootFolder,
      mode: 'hybrid',
      tags: [],
      range: ALWAYS,
      limit: LIMITS.notes,
      isTyping: true,
      signal,
    })
    .catch((error: unknown) => {
      if (signal.aborted) return { found: [] };
      throw error;
    });
  return 'problem' in answer ? [] : answer.found.map((hit): MemoryHit => ({ kind: 'note', hit }));
}

async function searchCalls(
  { services: { search } }: Savepoint,
  query: string,
  workspaceIds: readonly string[],
): Promise<Trace[]> {
  // others may be hidden, because a state that they saved is shown
  const criteria = { query, workspaceIds, range: ALWAYS, limit: 2 * LIMITS.calls };
  const isHidden = (call: Trace) => !containsWord(call, query) || isOfConversation(call);
  const { found } = await search.memory.searchTraces(criteria, { isHidden });
  return inOrderOf(
    workspaceIds,
    found.map(({ item }) => item),
    ({ workspaceId }) => workspaceId,
  );
}

/** Returns true for an app conversation's checkpoint: the search finds the conversation itself. */
function isOfConversation({ kind, client }: Trace): boolean {
  return kind === 'checkpoint' && client === undefined;
}
