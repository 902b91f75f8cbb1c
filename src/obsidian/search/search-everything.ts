import { hasWords } from '../../agents/shared/search-inputs.js';
import type { FoundGroups } from '../../indexing/search-service.js';
import { workspaceById, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { isWithin } from '../../model/paths.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { Scheduler } from '../../platform/scheduler.js';
import type { ChatService } from '../chat/chat-service.js';
import { yieldToHost } from '../host/browser-ports.js';
import { readLibrary, type Library } from '../library/library.js';
import { createSavingCallFilter } from '../calls/saving-calls.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/offered-path.js';
import { inFront } from '../ui/natural-order.js';
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
/** Until a query has stood this long, only what needs no index is searched. */
const TYPING_DEBOUNCE_MS = 150;

/**
 * Yields hits kind by kind, each once: what contains the query, similar states, notes,
 * conversations, calls. `chat` is undefined while the conversations are not open.
 */
export async function* searchEverything(
  savepoint: Savepoint,
  chat: ChatService | undefined,
  request: SearchRequest,
): AsyncGenerator<MemoryHit[], undefined> {
  const { query, scope, signal } = request;
  const memory = savepoint.memory.get();
  const currentId = savepoint.workspaceId.get();
  const library = await readLibrary(memory, new Scheduler(savepoint.clock, yieldToHost));
  const literal = statesContaining({ library, query, scope, currentId, limit: LIMITS.states });
  const records = recordsContaining({ library, query, scope, currentId, limit: LIMITS.records });
  const named = notesNamed(savepoint, request);
  yield [
    ...literal.map((state) => stateHit(memory, state, query)),
    ...records.map((record): MemoryHit => {
      return { kind: 'record', record, workspaceName: nameOf(memory, record.workspaceId) };
    }),
    ...named,
  ];
  if (!hasWords(query)) return;
  await new Promise<void>((done) => void savepoint.clock.after(TYPING_DEBOUNCE_MS, done));
  if (signal.aborted) return;
  const paths = new Set(named.map(({ hit }) => hit.path));
  const shown = [...literal];
  for await (const { states = [], notes, calls } of searchIndexes(savepoint, request, library)) {
    const similar = states
      .filter(({ item }) => !literal.some(({ item: known }) => known.id === item.id))
      .slice(0, LIMITS.similarStates);
    shown.push(...similar);
    yield [
      ...similar.map((state) => stateHit(memory, state, query)),
      ...(notes ?? [])
        .filter(({ path }) => !paths.has(path))
        .map((hit): MemoryHit => ({ kind: 'note', hit })),
      ...createSavingCallFilter(shown)(calls ?? [])
        .slice(0, LIMITS.calls)
        .map((call): MemoryHit => {
          return { kind: 'call', call, workspaceName: nameOf(memory, call.workspaceId) };
        }),
    ];
    if (notes && chat) yield await searchChats(chat, request);
  }
}

/** Returns the notes in the scope that have the query as their name. */
function notesNamed(savepoint: Savepoint, { query, scope }: SearchRequest) {
  const name = query.toLowerCase();
  const folder = folderOf(savepoint, scope);
  return savepoint.app.vault
    .getMarkdownFiles()
    .filter(({ basename }) => basename.toLowerCase() === name)
    .filter(({ path }) => isWithin(path, folder) && isOffered(savepoint, path))
    .slice(0, LIMITS.notes)
    .map(({ path }) => ({
      kind: 'note' as const,
      hit: { path, line: 1, excerpt: '', matches: [], score: 1, why: 'title', also: [] },
    }));
}

/** Searches all conversations that are not archived, those of the current workspace first. */
async function searchChats(
  chat: ChatService,
  { query, scope, signal }: SearchRequest,
): Promise<MemoryHit[]> {
  const { workspaceId, memory } = chat.savepoint;
  const currentId = workspaceId.get();
  const hits = (await chat.search(query, signal)).filter(
    ({ conversation }) => !conversation.isArchived && isInScope(scope, conversation.workspaceId),
  );
  const sorted = inFront(hits, ({ conversation }) => conversation.workspaceId === currentId);
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
  const searched = library.filter(
    ({ id, workspace }) => workspace?.item.isArchived === false && isInScope(scope, id),
  );
  return inFront(searched, ({ id }) => id === currentId).map(({ id }) => id);
}

/** Searches the indexes, which find states by other forms of the words, or by meaning, too. */
async function* searchIndexes(
  savepoint: Savepoint,
  { query, scope, signal }: SearchRequest,
  library: Library,
): AsyncGenerator<Partial<FoundGroups>> {
  const workspaceIds = searchedWorkspaces(library, scope, savepoint.workspaceId.get());
  const [first] = workspaceIds; // the current one
  const found = savepoint.services.search.searchGroups({
    query,
    workspaceIds,
    folder: folderOf(savepoint, scope),
    // calls may be hidden, because a state that they saved is shown
    limits: { ...LIMITS, states: 2 * LIMITS.states, calls: 2 * LIMITS.calls },
    isHidden: (call) => !containsWord(call, query) || isOfConversation(call),
    signal,
  });
  for await (const { states, notes, calls } of found) {
    if (states) yield { states: inFront(states, ({ item }) => item.workspaceId === first) };
    if (notes) yield { notes };
    if (calls) yield { calls: inFront(calls, ({ workspaceId }) => workspaceId === first) };
  }
}

function folderOf({ memory }: Savepoint, scope: SearchedPart): string {
  const folder = scope === 'all' ? '/' : workspaceById(memory.get(), scope.workspaceId).rootFolder;
  return folder === '/' ? '' : folder;
}

function stateHit(memory: Memory, state: Named<State>, query: string): MemoryHit {
  const workspaceName = nameOf(memory, state.item.workspaceId);
  return { kind: 'state', state, workspaceName, excerpt: stateExcerpt(state.item, query) };
}

/** Returns true for an app conversation's checkpoint: the search finds the conversation itself. */
function isOfConversation({ kind, client }: Trace): boolean {
  return kind === 'checkpoint' && client === undefined;
}
